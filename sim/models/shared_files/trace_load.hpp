// Replay of a recorded trace of block requests.
#pragma once

#include <cstddef>
#include <vector>

#include "core/process.hpp"
#include "models/common/load.hpp"
#include "models/common/result.hpp"
#include "models/shared_files/shared_file_system.hpp"

namespace doorbell::model {

/// Issues the requests of a trace to the device, past page caches, on the machines in turn: at the times of the trace,
/// or each when the one before has ended.
class TraceLoadGenerator final : public Load {
 public:
  explicit TraceLoadGenerator(SharedFileSystem system);

  void start() override;
  [[nodiscard]] bool ended() const override { return served_.size() == ended_; }
  /// What became of every request, in the trace's order.
  [[nodiscard]] const std::vector<ServedRequest>& served() const { return served_; }
  /// The share of the requests before the last one that had ended when that one came.
  [[nodiscard]] double in_time() const { return in_time_; }

 private:
  core::Process run();
  core::Process run(std::size_t number);
  core::Task<> issue(std::size_t number);

  SharedFileSystem system_;
  const TraceLoad& load_;
  std::vector<ServedRequest> served_;
  std::size_t begun_ = 0;
  std::size_t ended_ = 0;
  double in_time_ = 1;
};

}  // namespace doorbell::model
