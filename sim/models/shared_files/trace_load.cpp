#include "models/shared_files/trace_load.hpp"

#include <algorithm>
#include <functional>

namespace doorbell::model {
namespace {

OperationKinds kinds_in(const std::vector<TraceRequest>& requests) {
  const auto other = std::ranges::adjacent_find(requests, std::ranges::not_equal_to{}, &TraceRequest::operation);
  return other == requests.end() ? OperationKinds{} : OperationKinds{reads_and_writes};
}

}  // namespace

TraceLoadGenerator::TraceLoadGenerator(SharedFileSystem system)
    : Load{kinds_in(system.scenario.trace->requests)}, system_{system}, load_{*system.scenario.trace} {}

void TraceLoadGenerator::start() {
  served_.resize(load_.requests.size());
  if (!load_.at_recorded_times) {
    core::start(system_.calendar, run());
    return;
  }
  for (std::size_t i = 0; i < load_.requests.size(); ++i) {
    core::start(system_.calendar, run(i), system_.calendar.now() + load_.requests[i].when);
  }
}

core::Process TraceLoadGenerator::run() {
  for (std::size_t i = 0; i < load_.requests.size(); ++i) co_await issue(i);
}

core::Process TraceLoadGenerator::run(std::size_t number) { co_await issue(number); }

core::Task<> TraceLoadGenerator::issue(std::size_t number) {
  const TraceRequest& request = load_.requests[number];
  FileClient& client = system_.clients[number % system_.clients.size()];
  const Time began = system_.calendar.now();
  if (++begun_ == served_.size() && begun_ > 1) {
    in_time_ = static_cast<double>(ended_) / static_cast<double>(begun_ - 1);
  }
  co_await client.transfer(request.operation, request.offset.count, request.size);
  const Time latency = system_.calendar.now() - began;
  const bool write = request.operation == BlockOperation::write;
  served_[number] = {began, write, request.offset, request.size, latency};
  count(latency, request.size, write ? 1 : 0);
  ++ended_;
}

}  // namespace doorbell::model
