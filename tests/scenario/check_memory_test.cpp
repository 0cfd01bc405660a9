// Memory of programs, and steps that touch it.
#include <gmock/gmock.h>

#include "bad_input.hpp"
#include "scenario/profile.hpp"
#include "scenario/schema.hpp"

namespace doorbell::scenario::testing {
namespace {

using enum ErrorCode;

/// The good scenario, whose server touches a memory before it answers.
class Memory : public Variants {
 protected:
  Memory() {
    workspace_.write("software.json", sample_profile(form_of<model::HostSoftware>(), 1));
    text_ = replaced(with_memory(), R"("server": {"hardware": "hardware.json"})",
                     R"("server": {"hardware": "hardware.json", "software": "software.json",
                                   "remote_device": {"peers": "lender"}},
                        "lender": {"hardware": "hardware.json", "count": 2})");
  }
  [[nodiscard]] std::string with_memory() const {
    const std::string text = replaced(good_scenario, R"({"increment": {"line": "counter"}},)", touching_);
    return replaced(text, R"("threads": 6,)", R"("threads": 6, "memory": {"resident": 0.5, )" + pages_ + "},");
  }

  std::string touching_ = R"({"touch": {"per_item": 2}},)";
  std::string pages_ = R"("pages": {"pages": 1000})";
  std::string text_;
};

TEST_F(Memory, IsRead) {
  const model::Scenario scenario = load(file(text_)).front().scenario;
  const model::Program& server = scenario.programs.front().second;
  ASSERT_TRUE(server.memory);
  EXPECT_EQ(server.memory->resident, 0.5);
  EXPECT_EQ(server.memory->pages->pages, 1000);
  const auto* touch = model::find_step<model::TouchStep>(server);
  ASSERT_NE(touch, nullptr);
  EXPECT_EQ(touch->per_item, 2);
}

TEST_F(Memory, IsTouched) {
  expect_complaint(replaced(text_, touching_, ""), memory_misplaced, worker + "/memory");
  expect_complaint(replaced(text_, R"(, "memory": {"resident": 0.5, )" + pages_ + "}", ""), memory_misplaced,
                   worker + "/loop/1/touch");
  const std::string first = replaced(replaced(text_, touching_, ""), R"("loop": [)", R"("loop": [)" + touching_);
  expect_complaint(first, memory_misplaced, worker + "/loop/0/touch/per_item");
  expect_complaint(replaced(text_, pages_, R"("pages": {"pages": 1000, "order": "sequential", "skew": 1})"),
                   skew_in_order, worker + "/memory/pages/skew");
  expect_complaint(replaced(text_, R"("per_item": 2)", R"("per_item": 0)"), memory_misplaced,
                   worker + "/loop/1/touch/per_item");
}

TEST_F(Memory, LacksSomeOfItsPages) {
  // Memory always holds 64, twice what is evicted at a time.
  const auto with_pages = [&](int count) {
    return replaced(text_, R"("pages": 1000)", R"("pages": )" + std::to_string(count));
  };
  EXPECT_NO_THROW((void)load(file(with_pages(65))));
  expect_complaint(with_pages(64), out_of_range, worker + "/memory/pages/pages");
  EXPECT_NO_THROW((void)load(file(replaced(with_pages(64), R"("resident": 0.5)", R"("resident": 1)"))));
  const auto of_scale = [&](int scale) {
    return replaced(text_, pages_,
                    R"("records": {"records": 1000000, "size": "1 KiB", "scale": )" + std::to_string(scale) + "}");
  };
  EXPECT_NO_THROW((void)load(file(of_scale(2000))));
  expect_complaint(of_scale(10000), unfit_scale, worker + "/memory/records/scale");
}

TEST_F(Memory, HoldsPagesOrRecords) {
  expect_complaint(replaced(text_, ", " + pages_, ""), memory_misplaced, worker + "/memory");
  const std::string records = R"("records": {"records": 1000000, "size": "1 KiB", "scale": 10})";
  EXPECT_NO_THROW(load(file(replaced(text_, pages_, records))));
  expect_complaint(replaced(text_, pages_, pages_ + ", " + records), memory_misplaced, worker + "/memory");
  expect_complaint(replaced(text_, pages_, replaced(records, R"("scale": 10)", R"("scale": 100000)")), unfit_scale,
                   worker + "/memory/records/scale");
}

TEST_F(Memory, NeedsADeviceForWhatItDoesNotHold) {
  expect_complaint(with_memory(), no_remote_device, worker + "/memory");
}

}  // namespace
}  // namespace doorbell::scenario::testing
