#include "models/shared_files/trace_load.hpp"

#include <algorithm>

namespace doorbell::model {

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
  co_await client.transfer(request.operation, 0, request.offset.count, request.size);
  const Time latency = system_.calendar.now() - began;
  served_[number] = {began, request.operation == BlockOperation::write, request.offset, request.size, latency};
  count(latency, request.size);
  ++ended_;
}

}  // namespace doorbell::model
