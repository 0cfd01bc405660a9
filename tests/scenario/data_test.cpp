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

TEST_F(CopyingClients, CopyNoWordsOfAtomics) {
  const std::string reliable = replaced(text_, R"("transport": "UC")", R"("transport": "RC")");
  expect_complaint(replaced(reliable, R"("verb": "WRITE")", R"("verb": "FETCH_ADD")"), data_misplaced, data_);
}

TEST_F(CopyingClients, AnswersAreCopiedWhereTheyAreOfOneKind) {
  workspace_.write("drive.json", sample_profile(form_of<model::NvmeDriveParameters>(), 1));
  workspace_.write("software.json", sample_profile(form_of<model::HostSoftware>(), 1));
  const std::string with_drives =
      replaced(replaced(good_scenario, R"("server": {"hardware": "hardware.json")",
                        R"("server": {"hardware": "hardware.json", "software": "software.json",
                                      "drives": {"hardware": "drive.json"})"),
               R"({"increment": {"line": "counter"}})", R"({"access": {"size": "4 KiB"}})");
  const auto answering = [&](const std::string& more) {
    return replaced(with_drives, R"("destination": "origin")",
                    R"("destination": "origin", "inline": false, "data": {"registration": "copy"})" + more);
  };
  EXPECT_NO_THROW((void)load(file(answering(""))));
  expect_complaint(answering(R"(, "acknowledgement": "4 B")"), data_misplaced, worker + "/loop/2/post/data");
}

TEST_F(CopyingClients, NeedNoSoftwareForDataThatLieWhereTheyShould) {
  EXPECT_NO_THROW((void)load(file(replaced(without_, R"("registration": "copy")", R"("registration": "in_place")"))));
}

}  // namespace
}  // namespace doorbell::scenario::testing
