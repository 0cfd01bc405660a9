// Scenarios about machines that share files.
#include <gtest/gtest.h>

#include "bad_input.hpp"
#include "models/shared_files/shared_files.hpp"
#include "scenario/profile.hpp"

namespace doorbell::scenario::testing {
namespace {

using enum ErrorCode;

class SharedFilesFiles : public ::testing::Test {
 protected:
  SharedFilesFiles() {
    workspace.write("server.json", sample_profile(form_of<model::StorageServer>(), 1));
    workspace.write("node.json", sample_profile(form_of<model::ClientNode>(), 1));
  }

  [[nodiscard]] std::filesystem::path scenario(const std::string& members) const {
    return workspace.write("shared.json", R"({"shared_files": {"hardware": {"extends": "server.json",
        "nic": {"sram": {"value": "700 KiB", "provenance": "stated", "source": "a test"}},
        "raid": {"mechanics": {"capacity": {"value": "10 GB", "provenance": "stated", "source": "a test"}}}},
      "node": "node.json", )" + members + "}}");
  }

  Workspace workspace;
};

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
  EXPECT_TRUE(is_profile(workspace.folder() / "node.json"));
  EXPECT_TRUE(load_profile(workspace.folder() / "node.json").client_node.has_value());
  EXPECT_TRUE(load_profile(workspace.folder() / "server.json").storage_server.has_value());
}

TEST_F(SharedFilesFiles, BringTheirTrace) {
  workspace.write("disk.iolog", "fio version 2 iolog\n/dev/sda add\n/dev/sda read 4096 8192\n");
  const auto points = load(scenario(R"("files": {"size": "1 MiB"}, "trace": {"file": "disk.iolog"})"));
  const auto& requests = std::get<model::SharedFilesScenario>(points[0].scenario.instead).trace->requests;
  ASSERT_EQ(requests.size(), 1U);
  EXPECT_EQ(requests[0].offset, Bytes{4096});
}

TEST_F(SharedFilesFiles, RefuseWhatCannotBe) {
  const auto code = [&](const std::string& members, const std::string& pointer) {
    const ScenarioError error = complaint_of(scenario(members));
    EXPECT_EQ(error.pointer(), pointer) << error.what();
    expect_one_line(error);
    return error.code();
  };
  const std::string file = R"("files": {"size": "1 MiB"}, )";
  EXPECT_EQ(code(file + R"("mount": {})", "/shared_files"), one_load);
  EXPECT_EQ(code(file + R"("stream": {}, "web": {})", "/shared_files"), one_load);
  EXPECT_EQ(code(file + R"("stream": {}, "export": {"path": "tcp"})", "/shared_files/export/path"), unknown_choice);
  EXPECT_EQ(code(file + R"("stream": {}, "export": {"page_cache": "1 MiB"})", "/shared_files/export/page_cache"),
            cache_elsewhere);
  EXPECT_EQ(code(file + R"("stream": {}, "export": {"path": "ram", "synchronized": "multiple"})",
                 "/shared_files/export/synchronized"),
            synchronized_elsewhere);
  EXPECT_EQ(
      code(file + R"("stream": {}, "mount": {"largest_request": "1 MiB"})", "/shared_files/mount/largest_request"),
      buffer_too_small);
  EXPECT_EQ(code(R"("files": {"size": "1 TB"}, "stream": {})", "/shared_files/files"), buffer_too_small);
  EXPECT_EQ(
      code(file + R"("tiles": {"columns": 2, "rows": 2, "width": 512, "height": 512})", "/shared_files/files/size"),
      buffer_too_small);
  EXPECT_EQ(
      code(
          file + R"("tiles": {"columns": 1024, "rows": 1024, "width": 1048576, "height": 1048576, "element": "1 MiB"})",
          "/shared_files/files/size"),
      buffer_too_small)
      << "more than 64 bits count";
  EXPECT_EQ(code(R"("files": {"count": 16777216, "size": "4 TB"}, "stream": {})", "/shared_files/files"),
            buffer_too_small);
  EXPECT_EQ(code(file + R"("stream": {"recrod": "8 KiB"})", "/shared_files/stream/recrod"), unknown_key);
  EXPECT_EQ(code(file + R"("trace": {"file": "none.iolog"})", "/shared_files/trace/file"), file_not_found);
}

}  // namespace
}  // namespace doorbell::scenario::testing
