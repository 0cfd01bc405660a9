// Scenarios of a host on remote memory, with its profiles.
#pragma once

#include <filesystem>
#include <string>

#include "bad_input.hpp"
#include "models/remote_loads/remote_memory.hpp"

namespace doorbell::scenario::testing {

class RemoteMemoryFolder : public ::testing::Test {
 protected:
  RemoteMemoryFolder() {
    workspace_.write("machine.json", sample_profile(form_of<model::HardwareProfile>(), 1));
    workspace_.write("software.json", sample_profile(form_of<model::HostSoftware>(), 1));
  }

  /// `more`: beside what is of remote memory, beginning with a comma.
  [[nodiscard]] std::filesystem::path scenario(const std::string& members, const std::string& more = {}) const {
    return workspace_.write(
        "remote.json",
        R"({"remote_memory": {"hardware": "machine.json", "software": "software.json", )" + members + "}" + more + "}");
  }

  Workspace workspace_;
};

}  // namespace doorbell::scenario::testing
