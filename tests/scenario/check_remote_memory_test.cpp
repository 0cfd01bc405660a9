// Scenarios about hosts that use remote memory.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "remote_memory_folder.hpp"
#include "scenario/profile.hpp"

namespace doorbell::scenario::testing {
namespace {

using enum ErrorCode;

class RemoteMemoryFiles : public RemoteMemoryFolder {};

TEST_F(RemoteMemoryFiles, AreReadWithTheirProfiles) {
  const auto points = load(scenario(R"("access": {"peers": 3, "batching": "merge", "completion": {"mode": "busy"}},
      "block": {"threads": 2})"));
  ASSERT_EQ(points.size(), 1U);
  ASSERT_TRUE(std::holds_alternative<model::RemoteMemoryScenario>(points[0].scenario.instead));
  const model::RemoteMemoryScenario& remote = std::get<model::RemoteMemoryScenario>(points[0].scenario.instead);
  EXPECT_EQ(remote.access.peers, 3);
  EXPECT_EQ(remote.access.batching, model::Batching::merge);
  EXPECT_EQ(remote.access.completion.mode, model::CompletionMode::busy);
  EXPECT_EQ(remote.block->threads, 2);
  EXPECT_FALSE(remote.paging.has_value());
  EXPECT_TRUE(is_profile(workspace_.folder() / "software.json"));
  EXPECT_TRUE(load_profile(workspace_.folder() / "software.json").software.has_value());
}

TEST_F(RemoteMemoryFiles, CanBeOverriddenInsideTheirProfiles) {
  const auto points =
      load(scenario(R"("block": {})"), {.sets = {"remote_memory.software.driver.poll=77 ns"}, .seed = {}});
  EXPECT_EQ(std::get<model::RemoteMemoryScenario>(points[0].scenario.instead).software.driver.poll,
            std::chrono::nanoseconds{77});
}

TEST_F(RemoteMemoryFiles, RefuseHardwareThatCannotBe) {
  expect_refused_at(scenario(R"("block": {})"), impossible_hardware, "/remote_memory/hardware/pcie/max_payload",
                    {.sets = {"remote_memory.hardware.pcie.max_payload=\"384 B\""}, .seed = {}});
}

TEST_F(RemoteMemoryFiles, RefuseWhatCannotBe) {
  expect_refused_at(scenario(R"("access": {})"), one_load, "/remote_memory");
  expect_refused_at(scenario(R"("block": {}, "files": {})"), one_load, "/remote_memory");
  expect_refused_at(scenario(R"("files": {"record": "1 MiB", "file": "64 KiB"})"), window_too_small,
                    "/remote_memory/files/file");
  expect_refused_at(scenario(R"("block": {"size": "4000 B"})"), broken_sector, "/remote_memory/block/size");
  expect_refused_at(scenario(R"("block": {}, "beside": {"log": {"block": {"size": "513 B"}}})"), broken_sector,
                    "/remote_memory/beside/log/block/size");
  expect_refused_at(scenario(R"("block": {}, "beside": {"log": {}})"), one_load, "/remote_memory/beside/log");
  expect_refused_at(scenario(R"("block": {}, "beside": {"log": {"block": {}, "files": {}}})"), one_load,
                    "/remote_memory/beside/log");
  expect_refused_at(scenario(R"("block": {}, "beside": {"log": {"beside": {}}})"), unknown_key,
                    "/remote_memory/beside/log/beside");
  expect_refused_at(scenario(R"("block": {}, "access": {"replicas": 2})"), too_few_peers,
                    "/remote_memory/access/replicas");
  expect_refused_at(scenario(R"("block": {}, "access": {"unreachable": 2})"), too_few_peers,
                    "/remote_memory/access/unreachable");
  expect_refused_at(scenario(R"("block": {"thread": 2})"), unknown_key, "/remote_memory/block/thread");
  expect_refused_at(scenario(R"("block": {}, "access": {"batching": "hybird"})"), unknown_choice,
                    "/remote_memory/access/batching");
  expect_refused_at(scenario(R"("paging": {"compute": "1 us"})"), missing_key, "/remote_memory/paging");
  expect_refused_at(
      scenario(R"("paging": {"compute": "1 us", "resident": 1, "pages": 64, "threads": 65, "order": "sequential"})"),
      out_of_range, "/remote_memory/paging/pages");
  expect_refused_at(scenario(R"("paging": {"compute": "0 ns", "resident": 1, "pages": 64})"), out_of_range,
                    "/remote_memory/paging/compute");
  const auto store = [](const char* members) {
    return std::string{R"("records": {"compute": "1 us", "resident": 0.5, "size": "1 KiB", )"} + members + "}";
  };
  expect_refused_at(scenario(store(R"("records": 1000, "scale": 20)")), unfit_scale, "/remote_memory/records/scale");
  expect_refused_at(scenario(store(R"("records": 1e12, "scale": 1000)")), unfit_scale, "/remote_memory/records/scale");
  expect_refused_at(
      scenario(store(R"("records": 1000)") + R"(, "paging": {"compute": "1 us", "resident": 1, "pages": 64})"),
      one_load, "/remote_memory");
}

TEST_F(RemoteMemoryFiles, BlocksAreOfSectorsAndWhatVerbsCarryIsNot) {
  EXPECT_NO_THROW((void)load(scenario(R"("block": {"size": "1536 B"})")));
  EXPECT_NO_THROW((void)load(scenario(R"("block": {"size": "4000 B", "in_handler": true})")));
}

TEST_F(RemoteMemoryFiles, NeedADiskForWhatIsKeptOnIt) {
  auto machine = nlohmann::json::parse(sample_profile(form_of<model::HardwareProfile>(), 1));
  const std::string with_disk = machine.dump();
  machine.erase("disk");
  for (const char* access : {R"({"unreachable": 1})", R"({"copy_on_disk": true})"}) {
    const std::string members = std::string{R"("block": {}, "access": )"} + access;
    workspace_.write("machine.json", with_disk);
    EXPECT_NO_THROW((void)load(scenario(members)));
    workspace_.write("machine.json", machine.dump());
    expect_refused_at(scenario(members), no_disk, "/remote_memory/hardware");
  }
}

/// A load with programs beside it: `programs` and, if not empty, `machines`.
class ProgramsBeside : public RemoteMemoryFiles {
 protected:
  ProgramsBeside() { workspace_.write("machine.json", sample_profile(form_of<model::HardwareProfile>(), 20)); }
  [[nodiscard]] std::filesystem::path beside(const std::string& programs, const std::string& machines = {}) const {
    const std::string more = machines.empty() ? "" : R"(, "machines": {)" + machines + "}";
    return workspace_.write("remote.json",
                            R"({"remote_memory": {"hardware": "machine.json", "software": "software.json", "block": {}},
                               "programs": {)" +
                                programs + "}" + more + "}");
  }
  /// One that sends from `machine` to "sink".
  [[nodiscard]] static std::string sender(const std::string& machine, int threads = 1) {
    return R"("sender": {"machine": ")" + machine + R"(", "threads": )" + std::to_string(threads) +
           R"(, "queue_pairs": {"all": {"transport": "UD"}},
              "loop": [{"post": {"verb": "SEND", "payload": "8 B", "queue_pairs": "all", "to": "sink"}}]})";
  }
  const std::string sink_ = R"(, "sink": {"machine": "peer"})";
  const std::string client_ = R"("client": {"hardware": "machine.json", "count": 3})";
};

TEST_F(ProgramsBeside, RunOnHostPeersAndOtherMachines) {
  const auto points = load(beside(sender("host") + sink_));
  EXPECT_EQ(points.front().scenario.programs.size(), 2U);
  EXPECT_NE(points.front().scenario.find<model::RemoteMemoryScenario>(), nullptr);
  const auto others =
      load(beside(sender("client") + sink_, client_), {.sets = {"machines.client.count=7"}, .seed = {}});
  EXPECT_EQ(model::find(others.front().scenario.machines, "client")->count, 7);
}

TEST_F(ProgramsBeside, AreCheckedAsAnyOthers) {
  expect_refused_at(beside(sender("hots") + sink_), unknown_machine, "/programs/sender/machine");
  expect_refused_at(beside(sender("host")), unknown_program, "/programs/sender/loop/0/post/to");
  expect_refused_at(beside(sender("peer") + sink_), no_route, "/programs/sender/loop/0/post/to");
  expect_refused_at(beside(sender("host") + sink_, client_), unused_machine, "/machines/client");
}

TEST_F(ProgramsBeside, LeaveTheLoadAHardwareThread) {
  const auto points = load(beside(sender("host") + sink_));
  const int all = hardware_threads(points.front().scenario.find<model::RemoteMemoryScenario>()->hardware.cpu);
  EXPECT_NO_THROW((void)load(beside(sender("host", all - 1) + sink_)));
  expect_refused_at(beside(sender("host", all) + sink_), too_many_threads, "/programs/sender/threads");
}

TEST_F(ProgramsBeside, LeaveTheDaemonsOfPeersAHardwareThread) {
  const auto on_peers = [&](int threads) {
    return beside(sender("peer", threads) + R"(, "sink": {"machine": "host"})");
  };
  const LoadOptions daemons{.sets = {"remote_memory.access.protocol=two_sided"}, .seed = {}};
  const auto points = load(on_peers(1));
  const int all = hardware_threads(points.front().scenario.find<model::RemoteMemoryScenario>()->hardware.cpu);
  EXPECT_NO_THROW((void)load(on_peers(all)));
  EXPECT_NO_THROW((void)load(on_peers(all - 1), daemons));
  EXPECT_EQ(complaint_of(on_peers(all), daemons).code(), too_many_threads);
}

TEST_F(ProgramsBeside, HaveNamesOfTheirOwn) {
  const std::string reads = R"("reads": {"machine": "host", "loop": [{"compute": {}}]})";
  expect_refused_at(beside(reads + sink_), reserved_name, "/programs/reads");
  const auto load = [&](const std::string& name) {
    return workspace_.write("remote.json",
                            R"({"remote_memory": {"hardware": "machine.json", "software": "software.json", "block": {},
                               "beside": {")" +
                                name + R"(": {"block": {}}}}, "programs": {"other": {"machine": "peer"}}})");
  };
  EXPECT_NO_THROW((void)scenario::load(load("backup")));
  expect_refused_at(load("other"), reserved_name, "/remote_memory/beside/other");
  expect_refused_at(load("writes"), reserved_name, "/remote_memory/beside/writes");
}

TEST_F(ProgramsBeside, HaveNoSecondHost) {
  for (const std::string name : {"host", "peer"}) {
    expect_refused_at(beside(sender("host") + sink_, "\"" + name + R"(": {"hardware": "machine.json"})"), reserved_name,
                      "/machines/" + name);
  }
}

}  // namespace
}  // namespace doorbell::scenario::testing
