#include "models/storage/local_disk.hpp"

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
      queue_{IoScheduler::deadline, 1, parameters.largest_request} {}

void LocalDisk::submit(std::int64_t offset, Bytes size, bool write, std::uint64_t tag) {
  const std::int64_t begin = offset % capacity_;
  queue_.add({.submitters = {{.process = 0, .tag = tag}},
              .operation = write ? BlockOperation::write : BlockOperation::read,
              .begin = begin,
              .end = begin + size.count,
              .added = calendar_.now()});
  if (!working_) serve_next();
}

void LocalDisk::serve_next() {
  std::optional<IoRequest> next = queue_.next(calendar_.now());
  working_ = next.has_value();
  if (!working_) return;
  current_ = *std::move(next);
  const bool write = current_.operation == BlockOperation::write;
  const Time asked = calendar_.now() + command_;
  const Bytes size{current_.end - current_.begin};
  const Time done = write ? disk_.write(current_.begin, size, asked) : disk_.read(current_.begin, size, asked);
  ++(write ? writes_ : reads_);
  busy_.add(calendar_.now(), done);
  calendar_.at<&LocalDisk::finished>(done, {}, *this);
}

void LocalDisk::finished(std::uint64_t) {
  const IoRequest request = std::exchange(current_, {});
  queue_.completed(request, calendar_.now());
  for (const IoRequest::Submitter& submitter : request.submitters) done_(submitter.tag);
  serve_next();
}

void LocalDisk::measure(Time from) {
  busy_.measure(from);
  reads_ = 0;
  writes_ = 0;
}

}  // namespace doorbell::model
