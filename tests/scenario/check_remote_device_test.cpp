// Devices on remote memory in machines, and steps that access them.
#include <gmock/gmock.h>

#include "bad_input.hpp"
#include "scenario/profile.hpp"
#include "scenario/schema.hpp"

namespace doorbell::scenario::testing {
namespace {

using enum ErrorCode;

const std::string device = "/machines/server/remote_device";
const std::string to_remote = R"({"access": {"size": "4 KiB", "device": "remote"}},)";

/// The good scenario, whose server reads memory of two others before it answers.
class RemoteDevice : public Variants {
 protected:
  RemoteDevice() {
    workspace_.write("software.json", sample_profile(form_of<model::HostSoftware>(), 1));
    text_ = replaced(good_scenario, R"("server": {"hardware": "hardware.json"})",
                     R"("server": {"hardware": "hardware.json", "software": "software.json",
                                   "remote_device": {"peers": "lender", "queue_pairs": 3}},
                        "lender": {"hardware": "hardware.json", "count": 2})");
    text_ = replaced(text_, R"({"increment": {"line": "counter"}},)", to_remote);
  }
  [[nodiscard]] std::string with(const std::string& more) const { return replaced(text_, R"("queue_pairs": 3)", more); }

  std::string text_;
};

TEST_F(RemoteDevice, IsRead) {
  const model::Scenario scenario = load(file(text_)).front().scenario;
  const auto& [name, server] = scenario.machines.front();
  ASSERT_TRUE(server.remote_device);
  EXPECT_EQ(server.remote_device->peers, "lender");
  EXPECT_EQ(server.remote_device->access.peers, 2);
  EXPECT_EQ(server.remote_device->access.queue_pairs, 3);
  EXPECT_EQ(server.remote_device->of_loads, Bytes{0});
  const auto* access = model::find_step<model::AccessStep>(scenario.programs.front().second);
  ASSERT_NE(access, nullptr);
  EXPECT_EQ(access->device, model::AccessedDevice::remote);
}

TEST_F(RemoteDevice, HasPeersThatAreOtherMachines) {
  expect_complaint(replaced(text_, R"("peers": "lender")", R"("peers": "lendr")"), unknown_machine, device + "/peers");
  expect_complaint(replaced(text_, R"("peers": "lender")", R"("peers": "server")"), too_few_peers, device + "/peers");
  expect_complaint(with(R"("replicas": 3)"), too_few_peers, device + "/replicas");
  expect_complaint(with(R"("unreachable": 3)"), too_few_peers, device + "/unreachable");
  // Their number is that of the machines, and they answer no requests.
  expect_complaint(with(R"("protocol": "two_sided")"), unknown_key, device + "/protocol");
}

TEST_F(RemoteDevice, IsAccessedInWholeSectors) {
  EXPECT_NO_THROW((void)load(file(replaced(text_, R"("4 KiB")", R"("1536 B")"))));
  expect_complaint(replaced(text_, R"("4 KiB")", R"("1000 B")"), broken_sector, worker + "/loop/1/access/size");
}

TEST_F(RemoteDevice, NeedsSoftwareAndACoreForItsCompletions) {
  expect_complaint(replaced(text_, R"("software": "software.json",)", ""), no_software, device);
  const std::string crowded = replaced(text_, R"("threads": 6)", R"("threads": 1000)");
  expect_complaint(crowded, too_many_threads, worker + "/threads");
}

TEST(RemoteDeviceOfAServer, NeedsADiskForCopies) {
  const std::string scenarios = std::string{DOORBELL_SOURCE_DIR} + "/scenarios/";
  const auto pages = [&](const std::string& hardware) {
    return complaint_of(scenarios + "rdmabox/page_server.json",
                        {.sets = {"machines.server.hardware=" + scenarios + "hardware/" + hardware,
                                  "machines.server.remote_device.copy_on_disk=true"},
                         .seed = {}});
  };
  const ScenarioError error = pages("cx3.json");
  EXPECT_EQ(error.code(), no_disk);
  EXPECT_EQ(error.pointer(), "/machines/server/hardware");
}

TEST_F(RemoteDevice, IsWhatAStepAccesses) {
  expect_complaint(replaced(good_scenario, R"({"increment": {"line": "counter"}},)", to_remote), no_remote_device,
                   worker + "/loop/1/access/device");
  const auto accessing = [&](const std::string& more) {
    return replaced(text_, R"("device": "remote")", R"("device": "remote", )" + more);
  };
  expect_complaint(accessing(R"("write_amplification": 2)"), no_remote_device,
                   worker + "/loop/1/access/write_amplification");
  EXPECT_NO_THROW(load(file(accessing(R"("extent": "4 KiB")"))));
  expect_complaint(accessing(R"("extent": "4 KiB", "order": "sequential")"), no_remote_device,
                   worker + "/loop/1/access/extent");
  expect_complaint(replaced(text_, R"("device": "remote")", R"("device": "drives")"), no_drives,
                   worker + "/loop/1/access");
}

}  // namespace
}  // namespace doorbell::scenario::testing
