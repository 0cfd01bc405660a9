// Scenarios of machines that share files, with their profiles.
#pragma once

#include <filesystem>
#include <string>

#include "bad_input.hpp"
#include "models/shared_files/shared_files.hpp"

namespace doorbell::scenario::testing {

class SharedFilesFolder : public ::testing::Test {
 protected:
  SharedFilesFolder() {
    workspace_.write("server.json", sample_profile(form_of<model::StorageServer>(), 1));
    workspace_.write("node.json", sample_profile(form_of<model::ClientNode>(), 1));
  }

  [[nodiscard]] std::filesystem::path scenario(const std::string& members) const {
    return workspace_.write("shared.json", R"({"shared_files": {"hardware": {"extends": "server.json",
        "nic": {"sram": {"value": "700 KiB", "provenance": "stated", "source": "a test"}},
        "raid": {"mechanics": {"capacity": {"value": "10 GB", "provenance": "stated", "source": "a test"}}}},
      "node": "node.json", )" + members + "}}");
  }

  Workspace workspace_;
};

}  // namespace doorbell::scenario::testing
