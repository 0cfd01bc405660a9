#include "models/storage/local_disk.hpp"

#include <algorithm>
#include <utility>

namespace doorbell::model {
namespace {

DiskArrayParameters array_of_one(const LocalDiskParameters& parameters) {
  DiskArrayParameters array;
  array.disks = 1;
  array.media = parameters.media;
  array.read_ahead = parameters.read_ahead;
  array.mechanics = parameters.mechanics;
  return array;
}

}  // namespace

LocalDisk::LocalDisk(core::Calendar& calendar, const LocalDiskParameters& parameters, core::RandomStream random,
                     Done done)
    : calendar_{calendar},
      command_{parameters.command},
      capacity_{parameters.mechanics.capacity.count},
      as_array_{array_of_one(parameters)},
      disk_{as_array_, random},
      done_{std::move(done)},
      queue_{IoScheduler::deadline, parameters.mechanics.queue_depth, parameters.largest_request} {}

void LocalDisk::submit(std::int64_t offset, Bytes size, bool write, std::uint64_t tag) {
  ++asked_;
  const std::int64_t begin = offset % capacity_;
  queue_.add({.submitters = {{.process = 0, .tag = tag}},
              .operation = write ? BlockOperation::write : BlockOperation::read,
              .begin = begin,
              .end = begin + size.count,
              .added = calendar_.now()});
  take();
  if (!working_) serve_next();
}

/// The disk holds what the scheduler lets out.
void LocalDisk::take() {
  while (std::optional<IoRequest> next = queue_.next(calendar_.now())) {
    const DiskCommand command{.operation = next->operation,
                              .position = next->begin,
                              .size = Bytes{next->end - next->begin},
                              .asked = calendar_.now(),
                              .ready = calendar_.now() + command_};
    held_.push_back({*std::move(next), command});
  }
}

void LocalDisk::serve_next() {
  take();
  working_ = !held_.empty();
  if (!working_) return;
  std::vector<DiskCommand*> commands;
  for (Held& held : held_) commands.push_back(&held.command);
  const auto next = held_.begin() + static_cast<std::ptrdiff_t>(next_command(commands, disk_, calendar_.now()));
  Held chosen = std::move(*next);
  held_.erase(next);
  current_ = std::move(chosen.request);
  // While the disk serves one command it takes the next ones.
  const Time from = std::max(calendar_.now(), chosen.command.ready);
  disk_.take(calendar_.now());
  const Time done = disk_.serve(chosen.command, from);
  ++(current_.operation == BlockOperation::write ? writes_ : reads_);
  busy_.add(calendar_.now(), done);
  calendar_.at<&LocalDisk::finished>(done, {}, *this);
}

void LocalDisk::finished(std::uint64_t) {
  const IoRequest request = std::exchange(current_, {});
  done_since_ += request.submitters.size();
  for (const IoRequest::Submitter& submitter : request.submitters) done_(submitter.tag);
  // Not before, so that the scheduler sees all that is asked for now.
  queue_.completed(request, calendar_.now());
  serve_next();
}

void LocalDisk::measure(Time from) {
  busy_.measure(from);
  disk_.measure(from);
  reads_ = 0;
  writes_ = 0;
  asked_ = 0;
  done_since_ = 0;
}

}  // namespace doorbell::model
