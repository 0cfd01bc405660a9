// Scenarios about machines that share files.
#include <gtest/gtest.h>

#include "scenario/profile.hpp"
#include "shared_files_folder.hpp"

namespace doorbell::scenario::testing {
namespace {

using enum ErrorCode;

class SharedFilesFiles : public SharedFilesFolder {};

TEST_F(SharedFilesFiles, AreReadWithTheirProfiles) {
  const auto points = load(scenario(R"("mount": {"nodes": 3, "movement": "staging"},
      "export": {"path": "ram", "scheduler": "cfq", "page_cache": "1 MiB"},
      "files": {"count": 2, "size": "1 MiB"}, "stream": {"record": "8 KiB"})"));
  ASSERT_EQ(points.size(), 1U);
  ASSERT_TRUE(std::holds_alternative<model::SharedFilesScenario>(points[0].scenario.instead));
  const model::SharedFilesScenario& shared = std::get<model::SharedFilesScenario>(points[0].scenario.instead);
  EXPECT_EQ(shared.mount.nodes, 3);
  EXPECT_EQ(shared.mount.movement, model::Movement::staging);
  EXPECT_EQ(shared.disks.scheduler, model::IoScheduler::cfq);
  EXPECT_EQ(shared.stream->record, Bytes{8192});
  EXPECT_TRUE(points[0].scenario.is_fluid());
  EXPECT_TRUE(is_profile(workspace_.folder() / "node.json"));
  EXPECT_TRUE(load_profile(workspace_.folder() / "node.json").client_node.has_value());
  EXPECT_TRUE(load_profile(workspace_.folder() / "server.json").storage_server.has_value());
}

TEST_F(SharedFilesFiles, BringTheirTrace) {
  workspace_.write("disk.iolog", "fio version 2 iolog\n/dev/sda add\n/dev/sda read 4096 8192\n");
  const auto points = load(scenario(R"("files": {"size": "1 MiB"}, "trace": {"file": "disk.iolog"})"));
  const auto& requests = std::get<model::SharedFilesScenario>(points[0].scenario.instead).trace->requests;
  ASSERT_EQ(requests.size(), 1U);
  EXPECT_EQ(requests[0].offset, Bytes{4096});
}

TEST_F(SharedFilesFiles, RefuseWhatCannotBe) {
  const std::string file = R"("files": {"size": "1 MiB"}, )";
  expect_refused_at(scenario(file + R"("mount": {})"), one_load, "/shared_files");
  expect_refused_at(scenario(file + R"("stream": {}, "web": {})"), one_load, "/shared_files");
  expect_refused_at(scenario(file + R"("stream": {}, "export": {"path": "tcp"})"), unknown_choice,
                    "/shared_files/export/path");
  expect_refused_at(scenario(file + R"("stream": {}, "export": {"page_cache": "1 MiB"})"), cache_elsewhere,
                    "/shared_files/export/page_cache");
  expect_refused_at(scenario(file + R"("stream": {}, "export": {"path": "ram", "synchronized": "multiple"})"),
                    synchronized_elsewhere, "/shared_files/export/synchronized");
  expect_refused_at(scenario(file + R"("stream": {}, "mount": {"largest_request": "1 MiB"})"), buffer_too_small,
                    "/shared_files/mount/largest_request");
  expect_refused_at(scenario(R"("files": {"size": "1 TB"}, "stream": {})"), buffer_too_small, "/shared_files/files");
  expect_refused_at(scenario(file + R"("tiles": {"columns": 2, "rows": 2, "width": 512, "height": 512})"),
                    buffer_too_small, "/shared_files/files/size");
  // More than 64 bits count.
  expect_refused_at(
      scenario(file +
               R"("tiles": {"columns": 1024, "rows": 1024, "width": 1048576, "height": 1048576, "element": "1 MiB"})"),
      buffer_too_small, "/shared_files/files/size");
  expect_refused_at(scenario(R"("files": {"count": 16777216, "size": "4 TB"}, "stream": {})"), buffer_too_small,
                    "/shared_files/files");
  expect_refused_at(scenario(file + R"("stream": {"recrod": "8 KiB"})"), unknown_key, "/shared_files/stream/recrod");
  expect_refused_at(scenario(file + R"("trace": {"file": "none.iolog"})"), file_not_found, "/shared_files/trace/file");
}

}  // namespace
}  // namespace doorbell::scenario::testing
