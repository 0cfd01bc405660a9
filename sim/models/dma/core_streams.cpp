#include "models/dma/core_streams.hpp"

#include "models/memory/cache_line.hpp"

namespace doorbell::model {
namespace {

constexpr std::int64_t lines_of_buffer = 1LL << 24;  // 1 GiB for each core

}  // namespace

CoreStreams::CoreStreams(core::Calendar& calendar, const CoreMemoryParameters& parameters, const CoreLoad& load,
                         Dram& memory, std::int64_t first_line, std::uint64_t seed, core::Priority priority)
    : calendar_{calendar},
      parameters_{parameters},
      work_{load.work},
      memory_{memory},
      priority_{priority},
      random_{seed, "streams of cores"},
      cores_(static_cast<std::size_t>(load.count)),
      buffers_(static_cast<std::size_t>(load.count) * static_cast<std::size_t>(parameters.line_fill_buffers)) {
  // Behind the lines that it has changed before, and at a random place, or all would use the same banks in step.
  std::int64_t at = first_line + parameters.cache.count / cache_line.count;
  for (Core& core : cores_) {
    core.next = at + static_cast<std::int64_t>(random_.below(1 << 20));
    at += lines_of_buffer;
  }
}

void CoreStreams::begin() {
  for (std::uint64_t buffer = 0; buffer < buffers_.size(); ++buffer) {
    calendar_.at<&CoreStreams::request>(calendar_.now() + random_.uniform(Time{0}, parameters_.latency), priority_,
                                        *this, buffer);
  }
}

void CoreStreams::request(std::uint64_t buffer) {
  buffers_[buffer] = {core_of(buffer).next++, calendar_.now()};
  calendar_.at<&CoreStreams::reach_memory>(calendar_.now() + parameters_.latency / 2, priority_, *this, buffer);
}

void CoreStreams::reach_memory(std::uint64_t buffer) {
  memory_.read(
      buffers_[buffer].line,
      {[](void* self, std::uint64_t number) { static_cast<CoreStreams*>(self)->returned(number); }, this, buffer});
}

void CoreStreams::returned(std::uint64_t buffer) {
  calendar_.at<&CoreStreams::filled>(calendar_.now() + parameters_.latency - parameters_.latency / 2, priority_, *this,
                                     buffer);
}

void CoreStreams::filled(std::uint64_t buffer) {
  if (work_ == CoreWork::change) {
    Core& core = core_of(buffer);
    memory_.write(
        buffers_[buffer].line - parameters_.cache.count / cache_line.count,
        {[](void* self, std::uint64_t number) { static_cast<CoreStreams*>(self)->written(number); }, this, buffer});
    if (++core.write_backs > parameters_.write_backs) {
      core.held.push(static_cast<std::uint32_t>(buffer));
      return;
    }
  }
  release(buffer);
}

void CoreStreams::release(std::uint64_t buffer) {
  latency_.add(calendar_.now() - buffers_[buffer].began);
  calendar_.at<&CoreStreams::request>(calendar_.now() + parameters_.pause, priority_, *this, buffer);
}

void CoreStreams::written(std::uint64_t buffer) {
  ++lines_written_;
  Core& core = core_of(buffer);
  --core.write_backs;
  if (core.held.empty()) return;
  release(core.held.pop());
}

}  // namespace doorbell::model
