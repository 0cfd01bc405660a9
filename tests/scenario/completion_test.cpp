// Programs that sleep until an interrupt.
#include <gtest/gtest.h>

#include "bad_input.hpp"

namespace doorbell::scenario::testing {
namespace {

using enum ErrorCode;

/// The good scenario, whose clients sleep until their answers come.
class SleepingClients : public Variants {
 protected:
  SleepingClients() {
    workspace_.write("software.json", sample_profile(form_of<model::HostSoftware>(), 1));
    sleeping_ =
        replaced(good_scenario, R"("machine": "client",)", R"("machine": "client", "completion": {"mode": "event"},)");
    text_ = replaced(sleeping_, R"("client": {"hardware": "hardware.json")",
                     R"("client": {"hardware": "hardware.json", "software": "software.json")");
  }

  std::string sleeping_;
  std::string text_;
  const std::string mode_ = "/programs/client/completion/mode";
};

TEST_F(SleepingClients, AreReadWithTheirSoftware) {
  const auto points = load(file(text_));
  const model::Scenario& scenario = points.front().scenario;
  for (const auto& [name, group] : scenario.machines) EXPECT_EQ(group.software.has_value(), name == "client");
  const auto changed = load(file(text_), {.sets = {"machines.client.software.driver.wakeup=77 ns"}, .seed = {}});
  EXPECT_EQ(model::find(changed.front().scenario.machines, "client")->software->driver.wakeup,
            std::chrono::nanoseconds{77});
}

TEST_F(SleepingClients, NeedSoftwareThatSaysWhatInterruptsCost) { expect_complaint(sleeping_, no_software, mode_); }

TEST_F(SleepingClients, AreNotWokenByWhatIsInMemory) {
  const std::string worker_sleeps = replaced(
      replaced(text_, R"("machine": "server",)", R"("machine": "server", "completion": {"mode": "adaptive"},)"),
      R"("server": {"hardware": "hardware.json")",
      R"("server": {"hardware": "hardware.json", "software": "software.json")");
  expect_complaint(worker_sleeps, never_interrupted, worker + "/completion/mode");
  const std::string written = replaced(replaced(text_, R"("transport": "UD")", R"("transport": "UC")"),
                                       R"("verb": "SEND")", R"("verb": "WRITE")");
  expect_complaint(written, never_interrupted, mode_);
}

TEST_F(SleepingClients, AreNotWokenByArrivals) {
  const std::string arriving = replaced(replaced(text_, R"("window": 32)", R"("arrivals": {"rate": "1 k/s"})"),
                                        R"("at_least": 0)", R"("at_least": 1)");
  expect_complaint(arriving, never_interrupted, mode_);
}

TEST_F(SleepingClients, WaitForSomething) {
  const std::string restless =
      replaced(replaced(text_, R"(, "window": 32)", ""), R"({"await": {"at_least": 0}})", R"({"compute": {}})");
  expect_complaint(restless, never_interrupted, mode_);
}

}  // namespace
}  // namespace doorbell::scenario::testing
