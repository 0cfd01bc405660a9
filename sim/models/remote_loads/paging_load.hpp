// An application under a memory limit, whose other pages are in remote memory.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/process.hpp"
#include "core/random.hpp"
#include "models/common/load.hpp"
#include "models/remote_memory/paged_memory.hpp"

namespace doorbell::model {

/// Threads that compute and touch pages.
class PagingLoadGenerator final : public Load {
 public:
  PagingLoadGenerator(core::Calendar& calendar, HostCpu& cpu, DevicePart device, const HostSoftware& software,
                      const Application& application, std::unique_ptr<TouchedPages> pages, std::uint64_t seed);

  void start() override;
  [[nodiscard]] std::uint64_t faults() const override { return memory_.faults(); }
  [[nodiscard]] double waiting(Time now) const override { return memory_.waiting(now); }
  [[nodiscard]] double writes_per_insert() const override { return memory_.writes_per_insert(); }
  void measure(Time now) override;

 private:
  core::Process run(int thread, int hardware_thread);

  core::Calendar& calendar_;
  HostCpu& cpu_;
  const Application& application_;
  core::RandomStream random_;
  PagedMemory memory_;
};

}  // namespace doorbell::model
