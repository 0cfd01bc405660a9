// Post steps that copy or register their payloads.
#include <gtest/gtest.h>

#include "bad_input.hpp"

namespace doorbell::scenario::testing {
namespace {

using enum ErrorCode;

const std::string posted = R"("verb": "WRITE", "payload": "8 B", "queue_pairs": "requests")";

/// The good scenario, whose clients copy what they write.
class CopyingClients : public Variants {
 protected:
  const std::string without_ =
      replaced(good_scenario, posted, posted + R"(, "inline": false, "data": {"registration": "copy"})");
  const std::string text_ = with_software(without_);
  const std::string data_ = "/programs/client/loop/0/post/data";
};

TEST_F(CopyingClients, AreRead) {
  const auto points = load(file(text_));
  const model::Program& client = *model::find(points.front().scenario.programs, "client");
  EXPECT_EQ(model::find_step<model::PostStep>(client)->data->registration, model::Registration::copy);
}

TEST_F(CopyingClients, NeedSoftwareThatSaysWhatItCosts) { expect_complaint(without_, no_software, data_); }

TEST_F(CopyingClients, HaveSomethingToCopy) {
  expect_complaint(replaced(text_, R"("inline": false)", R"("inline": true)"), data_misplaced, data_);
  expect_complaint(replaced(text_, R"("data": {)", R"("mix": [{"share": 0.5, "verb": "WRITE"}], "data": {)"),
                   data_misplaced, data_);
  expect_complaint(replaced(text_, R"("payload": "8 B", "queue_pairs": "requests")",
                            R"("payload": "0 B", "queue_pairs": "requests")"),
                   data_misplaced, data_);
}

TEST_F(CopyingClients, NeedNoSoftwareForDataThatLieWhereTheyShould) {
  EXPECT_NO_THROW((void)load(file(replaced(without_, R"("registration": "copy")", R"("registration": "in_place")"))));
}

}  // namespace
}  // namespace doorbell::scenario::testing
