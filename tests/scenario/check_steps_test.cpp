// Steps that access drives, and post steps that post what arrives.
#include <gmock/gmock.h>

#include "bad_input.hpp"
#include "scenario/profile.hpp"
#include "scenario/schema.hpp"

namespace doorbell::scenario::testing {
namespace {

using enum ErrorCode;

const std::string to_drives = R"({"access": {"size": "4 KiB"}},)";
const std::string increment_step = R"({"increment": {"line": "counter"}},)";
const std::string worker_answering =
    R"({"post": {"verb": "SEND", "payload": "8 B", "batch": 32, "queue_pairs": "responses", "destination": "origin"}})";

/// The good scenario, whose server has drives and goes to them before it answers.
class Access : public Variants {
 protected:
  Access() {
    workspace_.write("drive.json", sample_profile(form_of<model::NvmeDriveParameters>(), 1));
    text_ = replaced(good_scenario, R"("server": {"hardware": "hardware.json"})",
                     R"("server": {"hardware": "hardware.json", "drives": {"hardware": "drive.json", "count": 3}})");
    text_ = replaced(text_, increment_step, to_drives);
  }

  std::string text_;
};

TEST_F(Access, IsRead) {
  const model::Scenario scenario = load(file(text_)).front().scenario;
  const auto& [name, server] = scenario.machines.front();
  ASSERT_TRUE(server.drives);
  EXPECT_EQ(server.drives->count, 3);
  EXPECT_FALSE(scenario.machines.back().second.drives);
  const auto* access = model::find_step<model::AccessStep>(scenario.programs.front().second);
  ASSERT_NE(access, nullptr);
  EXPECT_EQ(access->size, Bytes{4096});
}

TEST_F(Access, NeedsDrives) {
  expect_complaint(replaced(good_scenario, increment_step, to_drives), no_drives, worker + "/loop/1/access");
}

TEST_F(Access, SaysNothingOfDrivesThatOnlyRemoteMemoryHas) {
  const auto with = [&](const std::string& more) {
    return replaced(text_, to_drives, R"({"access": {"size": "4 KiB", )" + more + "}},");
  };
  expect_complaint(with(R"("order": "sequential")"), no_remote_device, worker + "/loop/1/access/order");
  expect_complaint(with(R"("extent": "2 GiB")"), no_remote_device, worker + "/loop/1/access/extent");
}

TEST_F(Access, OfDrivesIsInWholeSectors) {
  const auto of = [&](const std::string& size) {
    return replaced(text_, to_drives, R"({"access": {"size": ")" + size + R"("}},)");
  };
  expect_complaint(of("1000 B"), broken_sector, worker + "/loop/1/access/size");
  EXPECT_NO_THROW(load(file(of("1024 B"))));
}

TEST_F(Access, OnlyWritesAreAmplified) {
  const auto with = [&](const std::string& more) {
    return replaced(text_, to_drives, R"({"access": {"size": "4 KiB", "write_amplification": 2)" + more + "}},");
  };
  expect_complaint(with(""), without_effect, worker + "/loop/1/access/write_amplification");
  EXPECT_NO_THROW(load(file(with(R"(, "operation": "write")"))));
  EXPECT_NO_THROW(load(file(with(R"(, "operation": "carried")"))));
}

TEST_F(Access, BelongsBetweenCollectingAndAnswering) {
  const std::string before = replaced(replaced(text_, to_drives, ""), R"("loop": [)", R"("loop": [)" + to_drives);
  expect_complaint(before, access_misplaced, worker + "/loop/0/access");
  const std::string behind = replaced(replaced(text_, to_drives, ""), worker_answering,
                                      worker_answering + R"(, {"access": {"size": "4 KiB"}})");
  expect_complaint(behind, access_misplaced, worker + "/loop/2/access");
  expect_complaint(replaced(text_, to_drives, to_drives + to_drives), access_misplaced, worker + "/loop/2/access");
  expect_complaint(replaced(text_, worker_answering, R"({"compute": {"per_pass": "1 ns"}})"), access_misplaced,
                   worker + "/loop/1/access");
}

TEST_F(Access, OnlyWhatItWroteCanBeAcknowledged) {
  const std::string small = R"("destination": "origin", "acknowledgement": "4 B")";
  EXPECT_NO_THROW(load(file(replaced(text_, R"("destination": "origin")", small))));
  expect_complaint(replaced(good_scenario, R"("destination": "origin")", small), access_misplaced,
                   worker + "/loop/2/post/acknowledgement");
  const std::string large = R"("destination": "origin", "acknowledgement": "400 B")";
  expect_complaint(replaced(text_, R"("destination": "origin")", large), inline_too_big,
                   worker + "/loop/2/post/payload");
}

TEST_F(Access, IsNotNeededToKeepWhatIsAcknowledged) {
  const std::string keeping = R"({"compute": {"keep": {"carrying": "8 B"}}})";
  const std::string kept =
      replaced(replaced(good_scenario, increment_step, keeping + ","), R"("destination": "origin")",
               R"("destination": "origin", "acknowledgement": "4 B")");
  EXPECT_NO_THROW(load(file(kept)));
  const std::string await = R"({"await": {"at_least": 0}})";
  expect_complaint(replaced(good_scenario, await, await + ", " + keeping), access_misplaced,
                   "/programs/client/loop/2/compute/keep");
  expect_complaint(replaced(good_scenario, worker_answering, worker_answering + ", " + keeping), access_misplaced,
                   worker + "/loop/3/compute/keep");
  expect_complaint(replaced(good_scenario, R"({"collect")", keeping + R"(, {"collect")"), access_misplaced,
                   worker + "/loop/0/compute/keep");
}

TEST_F(Access, OfDrivesCanBeOverriddenAndExplained) {
  const LoadOptions options{.sets = {"machines.server.drives.count=7", "machines.server.drives.hardware.flash.units=9"},
                            .seed = {}};
  const model::Scenario scenario = load(file(text_), options).front().scenario;
  EXPECT_EQ(scenario.machines.front().second.drives->count, 7);
  EXPECT_EQ(scenario.machines.front().second.drives->hardware.flash.units, 9);
}

TEST_F(Access, LinksOfDrivesAreChecked) {
  const LoadOptions options{.sets = {"machines.server.drives.hardware.pcie.max_payload=300 B"}, .seed = {}};
  const ScenarioError error = complaint_of(file(text_), options);
  EXPECT_EQ(error.code(), impossible_hardware);
  EXPECT_EQ(error.pointer(), "/machines/server/drives/hardware/pcie/max_payload");
}

TEST_F(Access, ProfilesOfDrivesAreKnown) {
  const std::filesystem::path drive = std::string{DOORBELL_SOURCE_DIR} + "/scenarios/hardware/pm9a3.json";
  EXPECT_TRUE(is_profile(drive));
  EXPECT_TRUE(load_profile(drive).nvme_drive.has_value());
  EXPECT_THAT(schemas().at("scenario")(), ::testing::HasSubstr("nvme_drive.json"));
}

const std::string asking = R"("to": "worker", "window": 32}},)";
const std::string work_arriving = R"("to": "worker", "arrivals": {"rate": "100 k/s"}}},)";
const std::string arrivals_place = "/programs/client/loop/0/post/arrivals";

class ArrivalScenario : public Variants {
 protected:
  std::string text_ =
      replaced(replaced(good_scenario, asking, work_arriving), R"({"await": {"at_least": 0}})", R"({"await": {}})");
};

TEST_F(ArrivalScenario, IsRead) {
  const model::Scenario scenario = load(file(text_)).front().scenario;
  const auto& [name, client] = scenario.programs.back();
  const model::PostStep* open = model::open_loop(client);
  ASSERT_NE(open, nullptr) << name;
  EXPECT_DOUBLE_EQ(open->arrivals->rate.per_second, 1e5);
  EXPECT_EQ(open->arrivals->process, model::ArrivalProcess::poisson);
}

TEST_F(ArrivalScenario, RateHasAUnitAndIsPositive) {
  expect_complaint(replaced(text_, R"("100 k/s")", "100"), missing_unit, arrivals_place + "/rate");
  expect_complaint(replaced(text_, "100 k/s", "0 k/s"), out_of_range, arrivals_place + "/rate");
}

TEST_F(ArrivalScenario, NothingElseHoldsItUp) {
  expect_complaint(replaced(text_, R"({"await": {}})", R"({"compute": {"per_pass": "1 ns"}})"), arrivals_misplaced,
                   arrivals_place);
  expect_complaint(replaced(text_, R"({"await": {}})", R"({"await": {"at_least": 0}})"), arrivals_misplaced,
                   arrivals_place);
  const std::string another = R"({"post": {"verb": "WRITE", "queue_pairs": "requests", "to": "worker"}}, {"await")";
  expect_complaint(replaced(text_, R"({"await")", another), arrivals_misplaced, arrivals_place);
}

TEST_F(ArrivalScenario, AnswersDoNotArrive) {
  expect_complaint(replaced(good_scenario, R"("destination": "origin")",
                            R"("destination": "origin", "arrivals": {"rate": "1 k/s"})"),
                   arrivals_misplaced, worker + "/loop/2/post/arrivals");
}

}  // namespace
}  // namespace doorbell::scenario::testing
