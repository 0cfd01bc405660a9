#include "calibrate/parameter.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace doorbell::calibrate {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

TEST(Parameter, IsReadInBaseUnits) {
  model::HardwareProfile hardware;
  hardware.nic.tx_message = from_seconds(6.5e-9);
  hardware.port.bandwidth = Bandwidth{7e9};
  hardware.nic.wqe_cache = 500;
  EXPECT_DOUBLE_EQ(get(hardware, "/nic/tx_message").value(), 6.5e-9);
  EXPECT_DOUBLE_EQ(get(hardware, "/port/bandwidth").value(), 7e9);
  EXPECT_DOUBLE_EQ(get(hardware, "/nic/wqe_cache").value(), 500);
}

TEST(Parameter, IsWrittenAsProfilesSpellIt) {
  Machine hardware;
  set(hardware, "/nic/tx_message", 6.37e-9);
  set(hardware, "/port/bandwidth", 6.48e9);
  set(hardware, "/atomics/engines", 3.9);
  EXPECT_EQ(text(hardware, "/nic/tx_message"), "6.37 ns");
  EXPECT_EQ(text(hardware, "/port/bandwidth"), "6.48 GB/s");
  EXPECT_EQ(text(hardware, "/atomics/engines"), "4");
  EXPECT_EQ(std::get<model::HardwareProfile>(hardware).nic.tx_message, from_seconds(6.37e-9));
}

TEST(Parameter, EveryPathLeadsToANumber) {
  for (const Machine& machine : {Machine{}, Machine{model::StorageServer{}}, Machine{model::DmaMachine{}}}) {
    const std::vector<std::string> all = paths(machine);
    EXPECT_GT(all.size(), 10U);
    for (const std::string& path : all) EXPECT_TRUE(get(machine, path)) << path;
  }
}

TEST(Parameter, OfAStorageServer) {
  Machine server{model::StorageServer{}};
  set(server, "/raid/command", 334e-6);
  EXPECT_DOUBLE_EQ(get(server, "/raid/command").value(), 334e-6);
  EXPECT_EQ(text(server, "/raid/command"), "334 us");
  EXPECT_FALSE(get(server, "/nic/tx_message"));
}

TEST(Parameter, VariesInTheProfilesOfItsTitle) {
  model::Scenario scenario;
  scenario.machines = {{"one", {"A", {}, 1}}, {"other", {"B", {}, 1}}};
  Machine hardware;
  set(hardware, "/nic/tx_message", 5e-9);
  const Varied varied{"B", model::HardwareProfile{}, {"/nic/tx_message"}};
  EXPECT_THAT(vary(scenario, varied, hardware), ElementsAre("/nic/tx_message"));
  EXPECT_EQ(scenario.machines[0].second.hardware.nic.tx_message, Time{0});
  EXPECT_EQ(scenario.machines[1].second.hardware.nic.tx_message, from_seconds(5e-9));

  Machine server{model::StorageServer{}};
  set(server, "/raid/command", 1e-4);
  auto& storage = scenario.instead.emplace<model::StorageScenario>();
  storage.server_name = "C";
  EXPECT_THAT(vary(scenario, {"A", model::StorageServer{}, {"/raid/command"}}, server), ElementsAre());
  EXPECT_EQ(storage.server.raid.command, Time{0});
  EXPECT_THAT(vary(scenario, {"C", model::StorageServer{}, {"/raid/command"}}, server), ElementsAre("/raid/command"));
  EXPECT_EQ(storage.server.raid.command, from_seconds(1e-4));
}

TEST(Parameter, LeavesWhatAScenarioSaysItself) {
  Machine profile;
  set(profile, "/nic/tx_message", 5e-9);
  set(profile, "/nic/rx_message", 6e-9);
  model::Scenario scenario;
  scenario.machines = {{"one", {"A", std::get<model::HardwareProfile>(profile), 1}}};
  model::HardwareProfile& own = scenario.machines.front().second.hardware;
  own.port.bandwidth = Bandwidth{3e9};
  own.nic.rx_message = from_seconds(60e-9);

  Machine trial = profile;
  set(trial, "/nic/tx_message", 7e-9);
  set(trial, "/nic/rx_message", 8e-9);
  EXPECT_THAT(vary(scenario, {"A", profile, {"/nic/rx_message", "/nic/tx_message"}}, trial),
              ElementsAre("/nic/tx_message"));
  EXPECT_EQ(own.nic.tx_message, from_seconds(7e-9));
  EXPECT_EQ(own.nic.rx_message, from_seconds(60e-9));
  EXPECT_EQ(own.port.bandwidth.bytes_per_second, 3e9);
}

TEST(Parameter, SaysWhereThereIsNothingToVary) {
  const auto varies = [](model::Scenario scenario, const std::string& title, const Machine& machine) {
    return !vary(scenario, {title, machine, paths(machine)}, machine).empty();
  };
  model::Scenario scenario;
  scenario.machines = {{"one", {"A", {}, 1}}};
  EXPECT_TRUE(varies(scenario, "A", model::HardwareProfile{}));
  EXPECT_FALSE(varies(scenario, "B", model::HardwareProfile{}));
  EXPECT_FALSE(varies(scenario, "A", model::StorageServer{}));
  scenario.instead.emplace<model::DmaScenario>().hardware_name = "D";
  EXPECT_FALSE(varies(scenario, "D", model::HardwareProfile{}));
  EXPECT_TRUE(varies(scenario, "D", model::DmaMachine{}));
  // Scenarios of these kinds do not know what their profiles were called.
  model::Scenario remote_memory;
  remote_memory.instead.emplace<model::RemoteMemoryScenario>();
  EXPECT_FALSE(varies(remote_memory, "", model::HardwareProfile{}));
  model::Scenario shared_files;
  shared_files.instead.emplace<model::SharedFilesScenario>();
  EXPECT_FALSE(varies(shared_files, "", model::StorageServer{}));
}

TEST(Parameter, OfAnotherPlaceIsNone) {
  Machine hardware;
  EXPECT_FALSE(get(hardware, "/nic"));
  EXPECT_FALSE(get(hardware, "/nic/tx_massage"));
  EXPECT_FALSE(get(hardware, "/nic/tx_message/value"));
  EXPECT_FALSE(get(hardware, ""));
  EXPECT_THROW(set(hardware, "/nic/tx_massage", 1), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(text(hardware, "/nic")), std::invalid_argument);
}

}  // namespace
}  // namespace doorbell::calibrate
