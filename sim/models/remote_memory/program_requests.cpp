#include "models/remote_memory/program_requests.hpp"

namespace doorbell::model {

ProgramRequests::Pending& ProgramRequests::take(const Request& request, int thread) {
  if (free_.empty()) free_.push_back(&places_.emplace_back());
  Pending& pending = *free_.back();
  free_.pop_back();
  pending.client = request.client;
  pending.tag = request.tag;
  pending.request = {.offset = request.offset,
                     .size = request.size,
                     .write = request.write,
                     .thread = thread,
                     .issued = calendar_.now(),
                     .note = &pending};
  return pending;
}

core::Task<> ProgramRequests::submit(std::vector<Request> requests, int thread, Submitter by) {
  std::vector<BlockRequest*> reads;
  std::vector<BlockRequest*> writes;
  for (const Request& request : requests) {
    (request.write ? writes : reads).push_back(&take(request, thread).request);
  }
  co_await by.work(block_.submit * static_cast<int>(requests.size()));
  if (!reads.empty()) co_await device_.submit(*this, std::move(reads), by);
  if (!writes.empty()) co_await device_.submit(*this, std::move(writes), by);
}

core::Task<> ProgramRequests::finished(BlockRequest& request) {
  Pending& pending = *static_cast<Pending*>(request.note);
  latency_.add(calendar_.now() - request.issued);
  pending.client->command_done(pending.tag, calendar_.now());
  free_.push_back(&pending);
  co_return;
}

}  // namespace doorbell::model
