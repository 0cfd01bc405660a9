// Scenarios about storage servers.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bad_input.hpp"
#include "models/storage/storage.hpp"
#include "scenario/profile.hpp"

namespace doorbell::scenario::testing {
namespace {

using enum ErrorCode;

class StorageFiles : public ::testing::Test {
 protected:
  StorageFiles() { workspace.write("server.json", sample_profile(form_of<model::StorageServer>(), 1)); }

  [[nodiscard]] std::filesystem::path scenario(const std::string& members) const {
    return workspace.write("storage.json", R"({"storage": {"hardware": "server.json", )" + members + "}}");
  }

  Workspace workspace;
};

TEST_F(StorageFiles, AreReadWithTheirProfile) {
  const auto points = load(scenario(R"("request": "4 KiB", "path": "ram", "operation": "write", "outstanding": 3)"));
  ASSERT_EQ(points.size(), 1U);
  ASSERT_TRUE(std::holds_alternative<model::StorageScenario>(points[0].scenario.instead));
  const model::StorageScenario& storage = std::get<model::StorageScenario>(points[0].scenario.instead);
  EXPECT_EQ(storage.request, Bytes{4096});
  EXPECT_EQ(storage.path, model::DataPath::ram);
  EXPECT_EQ(storage.operation, model::BlockOperation::write);
  EXPECT_EQ(storage.outstanding, 3);
  EXPECT_TRUE(is_profile(workspace.folder() / "server.json"));
  EXPECT_TRUE(load_profile(workspace.folder() / "server.json").storage_server.has_value());
}

TEST_F(StorageFiles, CanBeSweptAndOverridden) {
  const auto file = workspace.write("storage.json", R"({"storage": {"hardware": "server.json", "request": "1 KiB"},
      "sweep": [{"path": "/storage/request", "values": ["1 KiB", "2 KiB"]}]})");
  const auto points = load(file, {.sets = {"storage.hardware.raid.disks=5"}, .seed = {}});
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(std::get<model::StorageScenario>(points[1].scenario.instead).request, Bytes{2048});
  EXPECT_EQ(std::get<model::StorageScenario>(points[1].scenario.instead).server.raid.disks, 5);
}

TEST_F(StorageFiles, RefuseWhatCannotBe) {
  expect_refused_at(scenario(R"("request": "1 GiB")"), buffer_too_small, "/storage/request");
  expect_refused_at(scenario(R"("request": "1 GiB", "path": "local_sram")"), buffer_too_small, "/storage/request");
  expect_refused_at(scenario(R"("request": "1 KiB", "path": "ram", "synchronized": "single")"), synchronized_elsewhere,
                    "/storage/synchronized");
  expect_refused_at(scenario(R"("request": "1 KiB", "operation": "write", "synchronized": "single")"),
                    synchronized_elsewhere, "/storage/synchronized");
  expect_refused_at(scenario(R"("request": "1 KiB", "medium": "page_cache")"), cache_elsewhere, "/storage/path");
  expect_refused_at(scenario(R"("request": "1 KiB", "path": "tcp", "operation": "write")"), reads_only,
                    "/storage/operation");
  expect_refused_at(scenario(R"("request": "1 KiB", "pth": "ram")"), unknown_key, "/storage/pth");
  expect_refused_at(scenario(R"("path": "ram")"), missing_key, "/storage");
  expect_refused_at(scenario(R"("request": "1 KiB", "path": "rma")"), unknown_choice, "/storage/path");
}

TEST_F(StorageFiles, RefuseASchedulerThatOrdersNothing) {
  const std::string cfq = R"("request": "1 MiB", "path": "ram", "scheduler": "cfq")";
  for (const std::string& members : {cfq, cfq + R"(, "medium": "fast_device", "operation": "write")"}) {
    expect_refused_at(scenario(members), without_effect, "/storage/scheduler");
  }
  for (const std::string medium : {"fast_device", "page_cache"})
    EXPECT_NO_THROW((void)load(scenario(cfq + R"(, "medium": ")" + medium + '"'))) << medium;
  EXPECT_NO_THROW((void)load(scenario(R"("request": "1 MiB", "path": "ram", "scheduler": "anticipatory")")));
  // Other points of a sweep may have something to order.
  const auto swept = workspace.write("storage.json", R"({"storage": {"hardware": "server.json", "request": "1 MiB",
      "path": "ram", "scheduler": "cfq"}, "sweep": [{"path": "/storage/medium", "values": ["raid", "fast_device"]}]})");
  EXPECT_EQ(load(swept).size(), 2U);
}

TEST_F(StorageFiles, ThePageCacheIsWhereverDataRestInMemory) {
  const auto cached = [&](const std::string& path) {
    return scenario(R"("request": "1 KiB", "medium": "page_cache", "path": ")" + path + '"');
  };
  for (const std::string path : {"ram", "tcp", "local_ram"}) EXPECT_NO_THROW((void)load(cached(path))) << path;
  for (const std::string path : {"pcimem", "local_pcimem"})
    EXPECT_EQ(complaint_of(cached(path)).code(), cache_elsewhere) << path;
}

TEST_F(StorageFiles, RefuseDisksThatSeekFasterThanToTheNextTrack) {
  const auto file = scenario(R"("request": "1 KiB")");
  const auto with_seeks = [&](const std::string& track, const std::string& average) {
    const auto given = [](const std::string& time) {
      return "{\"value\": \"" + time + R"(", "provenance": "assumed", "source": "test"})";
    };
    workspace.write("seeks.json", R"({"extends": "server.json", "raid": {"mechanics": {"track_seek": )" + given(track) +
                                      R"(, "average_seek": )" + given(average) + "}}}");
    return LoadOptions{.sets = {"storage.hardware=" + (workspace.folder() / "seeks.json").string()}, .seed = {}};
  };
  EXPECT_EQ(load(file, with_seeks("2 ms", "2 ms")).size(), 1U);
  expect_refused_at(file, impossible_hardware, "/storage/hardware/raid/mechanics/average_seek",
                    with_seeks("2 ms", "1.9 ms"));
}

TEST_F(StorageFiles, RefuseWhatIsSetOfHeadsThatNeverSeek) {
  // The profile may say all of it, for whoever shares files.
  const auto file = scenario(R"("request": "1 KiB")");
  EXPECT_EQ(load(file).size(), 1U);
  const std::string mechanics = "storage.hardware.raid.mechanics.";
  for (const std::string set : {"write_cache=8 MiB", "queue_depth=32", "segments=3", "revolution=4 ms"}) {
    expect_refused_at(file, without_effect, "/storage/hardware/raid/mechanics/" + set.substr(0, set.find('=')),
                      {.sets = {mechanics + set}, .seed = {}});
  }
  const auto swept = workspace.write("swept.json", R"({"storage": {"hardware": "server.json", "request": "1 KiB"},
      "sweep": [{"path": "/storage/hardware/raid/mechanics/write_cache", "values": ["0 B", "8 MiB"]}]})");
  EXPECT_EQ(complaint_of(swept).code(), without_effect);
  const auto extending = workspace.write("extending.json", R"({"storage": {"request": "1 KiB",
      "hardware": {"extends": "server.json", "raid": {"mechanics": {"write_cache":
      {"value": "8 MiB", "provenance": "assumed", "source": "test"}}}}}})");
  // It is no less without effect where another scenario extends this one.
  const auto heir = workspace.write("heir.json", R"({"extends": "extending.json", "storage": {"path": "ram"}})");
  for (const auto& scenario : {extending, heir}) {
    const ScenarioError error = complaint_of(scenario);
    EXPECT_EQ(error.code(), without_effect) << error.what();
    EXPECT_EQ(error.file(), extending.string()) << "where the value is";
    EXPECT_EQ(error.line(), 3);
  }
  EXPECT_NO_THROW((void)load(file, {.sets = {"storage.hardware.raid.media=50 MB/s"}, .seed = {}}));
}

TEST_F(StorageFiles, RefuseSettingsOfTheServerThatNothingAsks) {
  struct ServerSetting {
    std::string place;  ///< Of the setting in the profile, and ...
    std::string value;  ///< ... what it is set to.
    std::string used;   ///< Choices with which it has an effect, if there are any, and ...
    std::string idle;   ///< ... those with which it has none.
  };
  const std::string past_memory = R"("path": "sram", "operation": "write")";
  const std::string writes = R"("path": "ram", "operation": "write")";
  const std::string fast = R"("path": "ram", "medium": "fast_device")";
  const std::string cached = R"("path": "ram", "medium": "page_cache")";
  const std::string reads = R"("path": "ram")";
  const std::string reads_past_memory = R"("path": "sram")";
  const std::string synchronized = R"("path": "sram", "synchronized": "single")";
  const std::string computing = R"("path": "sram", "compute": {"memory_share": 0.5})";
  const std::string hardly_computing = R"("path": "sram", "compute": {"memory_share": 0})";
  const std::string stays = R"("path": "local_ram", "medium": "page_cache")";
  const std::string tcp = R"("path": "tcp")";
  const std::string card = R"("path": "local_pcimem")";
  const std::vector<ServerSetting> settings{{"raid/queue", "3", "", reads},
                                            {"raid/queue", "3", "", fast},
                                            {"raid/disks", "3", reads, fast},
                                            {"raid/media", "50 MB/s", writes, cached},
                                            {"raid/chunk", "4 KiB", reads, writes},
                                            {"raid/read_ahead", "4 KiB", reads, writes},
                                            {"raid/command", "1 ms", reads, writes},
                                            {"raid/fetch_from_memory", "50 MB/s", writes, reads},
                                            {"raid/fetch_from_memory", "50 MB/s", writes, past_memory},
                                            {"raid/fetch_from_bus", "50 MB/s", past_memory, writes},
                                            {"raid/mechanics/revolution", "4 ms", "", fast},
                                            {"fast_device/command", "1 ms", fast, cached},
                                            {"fast_device/segment", "4 KiB", fast, reads},
                                            {"fast_device/segment", "4 KiB", cached, writes},
                                            {"nic/link", "50 MB/s", reads, stays},
                                            {"nic/message", "1 ms", reads, card},
                                            {"nic/latency", "1 ms", reads, stays},
                                            {"nic/sram", "8 KiB", reads_past_memory, reads},
                                            {"nic/read_target", "50 MB/s", past_memory, reads_past_memory},
                                            {"nic/read_target", "50 MB/s", past_memory, writes},
                                            {"nic/packet", "1 KiB", synchronized, reads_past_memory},
                                            {"bus_memory", "50 MB/s", card, reads},
                                            {"cpu/copy", "50 MB/s", tcp, reads},
                                            {"cpu/tcp", "50 MB/s", tcp, cached},
                                            {"bus/pci", "50 MB/s", cached, stays},
                                            {"bus/bridge", "50 MB/s", cached, stays},
                                            {"bus/bridge", "50 MB/s", reads, reads_past_memory},
                                            {"bus/memory", "50 MB/s", stays, reads_past_memory},
                                            {"bus/memory", "50 MB/s", computing, hardly_computing},
                                            {"bus/front_side", "50 MB/s", computing, hardly_computing},
                                            {"bus/front_side", "50 MB/s", tcp, reads},
                                            {"bus/front_side", "50 MB/s", stays, card}};
  for (const ServerSetting& one : settings) {
    SCOPED_TRACE(one.place + ", " + one.idle);
    std::string path = "storage.hardware." + one.place;
    std::ranges::replace(path, '/', '.');
    const LoadOptions set{.sets = {path + "=" + one.value}, .seed = {}};
    expect_refused_at(scenario(R"("request": "1 KiB", )" + one.idle), without_effect, "/storage/hardware/" + one.place,
                      set);
    if (one.used.empty()) continue;
    EXPECT_NO_THROW((void)load(scenario(R"("request": "1 KiB", )" + one.used), set));
  }
}

TEST_F(StorageFiles, MayAwaitWhatOthersChoose) {
  const std::string with_disks = R"({"hardware": {"extends": "server.json", "raid": {"disks": {"value": 3,
      "provenance": "assumed", "source": "test"}}}, "request": "1 KiB")";
  const auto base = workspace.write("base.json", R"({"storage": )" + with_disks + "}}");
  const auto heir = workspace.write("heir.json", R"({"extends": "base.json", "storage": {"medium": "fast_device"}})");
  EXPECT_EQ(load(base).size(), 1U);
  EXPECT_EQ(load(heir).size(), 1U);
  const auto swept = workspace.write("swept.json", R"({"storage": )" + with_disks + R"(},
      "sweep": [{"path": "/storage/medium", "values": ["raid", "fast_device"]}]})");
  EXPECT_EQ(load(swept).size(), 2U);
  // Nobody else chose where the blocks are.
  const auto alone = workspace.write("alone.json", R"({"storage": )" + with_disks + R"(, "medium": "fast_device"}})");
  EXPECT_EQ(complaint_of(alone).pointer(), "/storage/hardware/raid/disks");
}

TEST_F(StorageFiles, WaitForAPointOfASweepThatComputes) {
  const auto file = workspace.write("swept.json", R"({"storage": {"hardware": "server.json", "request": "1 KiB"},
      "sweep": [{"path": "/storage/compute/memory_share", "values": [0, 0.5]}]})");
  EXPECT_EQ(load(file, {.sets = {"storage.hardware.bus.memory=50 MB/s"}, .seed = {}}).size(), 2U);
}

TEST_F(StorageFiles, ThatDescribeTheirServerThemselvesSayWhatEveryProfileMust) {
  const auto with_own = [&](const std::string& own, const std::string& path = "tcp") {
    return workspace.write("own.json",
                           R"({"storage": {"request": "1 KiB", "path": ")" + path + R"(", "hardware": )" + own + "}}");
  };
  std::string own = sample_profile(form_of<model::StorageServer>(), 1);
  EXPECT_EQ(complaint_of(with_own(own)).pointer(), "/storage/hardware/raid/mechanics/write_cache");
  const std::string cache = R"("write_cache": {"value": )";
  const std::size_t at = own.find(cache) + cache.size();
  own.replace(at, own.find(',', at) - at, R"("0 B")");
  const auto file = with_own(own);
  EXPECT_EQ(load(file).size(), 1U);
  // There is no profile to refer to.
  const ScenarioError error = complaint_of(file, {.sets = {"storage.hardware.raid.queue=3"}, .seed = {}});
  EXPECT_EQ(error.code(), without_effect);
  EXPECT_NE(std::string{error.what()}.find("expected what the scenario says of its server, as"), std::string::npos)
      << error.what();
  // What it need not say, it says for a reason.
  const ScenarioError unasked = complaint_of(with_own(own, "ram"));
  EXPECT_EQ(unasked.pointer(), "/storage/hardware/bus/front_side");
  EXPECT_NE(std::string{unasked.what()}.find("expected none, as"), std::string::npos) << unasked.what();
}

TEST_F(StorageFiles, WholePartsOfAServerSayWhatEveryProfileMust) {
  std::string own = sample_profile(form_of<model::StorageServer>(), 1);
  const std::string cache = R"("write_cache": {"value": )";
  const std::size_t at = own.find(cache) + cache.size();
  own.replace(at, own.find(',', at) - at, R"("0 B")");
  const auto file = scenario(R"("request": "1 KiB", "path": "tcp")");
  EXPECT_EQ(load(file, {.sets = {"storage.hardware=" + own}, .seed = {}}).size(), 1U);
  const auto swept = workspace.write("swept.json", R"({"storage": {"request": "1 KiB", "path": "tcp"},
      "sweep": [{"path": "/storage/hardware", "values": [")" +
                                                       std::string{"server.json\", "} + own + "]}]}");
  EXPECT_EQ(load(swept).size(), 2U);
  const std::string whole_nic = R"({"link": "50 MB/s", "sram": "8 KiB", "packet": "1 KiB", "message": "1 ms",
      "read_target": "50 MB/s", "latency": "1 ms"})";
  EXPECT_EQ(load(file, {.sets = {"storage.hardware.nic=" + whole_nic}, .seed = {}}).size(), 1U);
  // What is set by itself need not be.
  expect_refused_at(swept, without_effect, "/storage/hardware/nic/sram",
                    {.sets = {"storage.hardware.nic.sram=4 KiB"}, .seed = {}});
}

}  // namespace
}  // namespace doorbell::scenario::testing
