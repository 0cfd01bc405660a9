#include "calibrate/parameter.hpp"

#include <gtest/gtest.h>

namespace doorbell::calibrate {
namespace {

using namespace std::chrono_literals;

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

TEST(Parameter, ReplacesTheProfilesOfItsTitle) {
  model::Scenario scenario;
  scenario.machines = {{"one", {"A", {}, 1}}, {"other", {"B", {}, 1}}};
  Machine hardware;
  set(hardware, "/nic/tx_message", 5e-9);
  EXPECT_TRUE(replace(scenario, "B", hardware));
  EXPECT_EQ(scenario.machines[0].second.hardware.nic.tx_message, Time{0});
  EXPECT_EQ(scenario.machines[1].second.hardware.nic.tx_message, from_seconds(5e-9));

  Machine server{model::StorageServer{}};
  set(server, "/raid/command", 1e-4);
  auto& storage = scenario.instead.emplace<model::StorageScenario>();
  storage.server_name = "C";
  EXPECT_FALSE(replace(scenario, "A", server));
  EXPECT_EQ(storage.server.raid.command, Time{0});
  EXPECT_TRUE(replace(scenario, "C", server));
  EXPECT_EQ(storage.server.raid.command, from_seconds(1e-4));
}

TEST(Parameter, SaysWhereThereIsNothingToReplace) {
  model::Scenario scenario;
  scenario.machines = {{"one", {"A", {}, 1}}};
  EXPECT_FALSE(replace(scenario, "B", model::HardwareProfile{}));
  EXPECT_FALSE(replace(scenario, "A", model::StorageServer{}));
  scenario.instead.emplace<model::DmaScenario>().hardware_name = "D";
  EXPECT_FALSE(replace(scenario, "D", model::HardwareProfile{}));
  EXPECT_TRUE(replace(scenario, "D", model::DmaMachine{}));
  // Scenarios of these kinds do not know what their profiles were called.
  model::Scenario remote_memory;
  remote_memory.instead.emplace<model::RemoteMemoryScenario>();
  EXPECT_FALSE(replace(remote_memory, "", model::HardwareProfile{}));
  model::Scenario shared_files;
  shared_files.instead.emplace<model::SharedFilesScenario>();
  EXPECT_FALSE(replace(shared_files, "", model::StorageServer{}));
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
