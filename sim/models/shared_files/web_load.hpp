// Processes that read whole files, chosen at random.
#pragma once

#include "core/process.hpp"
#include "core/random.hpp"
#include "models/common/load.hpp"
#include "models/shared_files/shared_file_system.hpp"

namespace doorbell::model {

/// Web servers on all machines. An operation is a file served.
class WebLoadGenerator final : public Load {
 public:
  WebLoadGenerator(SharedFileSystem system, std::uint64_t seed)
      : system_{system}, load_{*system.scenario.web}, random_{seed, "web load"} {}

  void start() override;

 private:
  core::Process run(int node, int process);

  SharedFileSystem system_;
  const WebLoad& load_;
  core::RandomStream random_;
};

}  // namespace doorbell::model
