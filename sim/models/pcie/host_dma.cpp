#include "models/pcie/host_dma.hpp"

#include <algorithm>
#include <utility>

namespace doorbell::model {

HostDma::HostDma(core::Calendar& calendar, const PcieParameters& pcie, const RootComplexParameters& root_complex,
                 core::Priority priority)
    : calendar_{calendar},
      priority_{priority},
      latency_{pcie.latency},
      write_latency_{root_complex.write_latency},
      longest_wait_{transfer_time(root_complex.completion_queue, dma_read_limit(pcie))},
      total_tags_{pcie.read_tags},
      total_nonposted_{pcie.nonposted_header_credits},
      tags_{total_tags_},
      nonposted_{total_nonposted_},
      posted_{pcie.posted_header_credits},
      posted_returns_(static_cast<std::size_t>(pcie.posted_header_credits), Time{0}),
      mmio_returns_(static_cast<std::size_t>(pcie.mmio_credits), Time{0}) {}

void HostDma::read(const DmaReadCost& cost, Continuation done, std::int64_t address) {
  lines_expected_ += static_cast<std::uint64_t>(cost.cache_lines);
  const std::uint32_t slot = enqueue(cost, done);
  if (memory_ != nullptr) {
    addresses_.resize(std::max(addresses_.size(), reads_.size()));
    addresses_[slot] = address;
  }
  issue();
}

void HostDma::read_again(const DmaReadCost& cost, Continuation done) {
  enqueue(cost, done);
  issue();
}

void HostDma::read_ahead(const DmaReadCost& cost) {
  lines_expected_ += static_cast<std::uint64_t>(cost.cache_lines);
  collect_ahead();
  reads_[enqueue(cost, {})].ahead = true;
  issue();
}

void HostDma::send_ahead(std::uint32_t slot, Time reaches) {
  reaching_.insert({reaches, reads_[slot].cost},
                   [](const Ahead& one, const Ahead& other) { return one.when < other.when; });
  free_.push_back(slot);
  if (awaits_ahead_.handler != nullptr) watch_ahead();
}

void HostDma::complete_ahead() {
  const Ahead read = reaching_.pop();
  nonposted_ += std::min(read.cost.tags, total_nonposted_);
  const Time left = downstream_.reserve(read.when, read.cost.completion, "completion");
  returning_.push({left + latency_ + keep_, read.cost});
}

void HostDma::collect_ahead() {
  catch_up();
  while (!returning_.empty() && returning_.front().when <= calendar_.now()) {
    tags_ += std::min(returning_.pop().cost.tags, total_tags_);
    ++arrived_ahead_;
  }
}

int HostDma::take_ahead() {
  collect_ahead();
  return std::exchange(arrived_ahead_, 0);
}

void HostDma::await_ahead(Continuation arrived) {
  awaits_ahead_ = arrived;
  watch_ahead();
}

/// Looks again when the next read ahead gives back a credit or a tag.
void HostDma::watch_ahead() {
  Time next = reaching_.empty() ? Time::max() : reaching_.front().when;
  if (!returning_.empty()) next = std::min(next, returning_.front().when);
  // What was asked for later may come earlier.
  if (next >= looks_ahead_at_) return;
  calendar_.cancel(look_);
  looks_ahead_at_ = next;
  look_ = calendar_.at<&HostDma::look_ahead>(next, priority_, *this);
}

void HostDma::look_ahead(std::uint64_t) {
  looks_ahead_at_ = Time::max();
  collect_ahead();
  if (arrived_ahead_ > 0 && awaits_ahead_.handler != nullptr) std::exchange(awaits_ahead_, {})();
  issue();
  if (awaits_ahead_.handler != nullptr) watch_ahead();
}

std::uint32_t HostDma::enqueue(const DmaReadCost& cost, const Continuation& done) {
  lines_read_ += static_cast<std::uint64_t>(cost.cache_lines);
  std::uint32_t slot = 0;
  if (free_.empty()) {
    slot = static_cast<std::uint32_t>(reads_.size());
    reads_.emplace_back();
  } else {
    slot = free_.back();
    free_.pop_back();
  }
  reads_[slot] = {cost, done};
  waiting_.push(slot);
  return slot;
}

void HostDma::issue() {
  while (!waiting_.empty()) {
    const std::uint32_t slot = waiting_.front();
    const DmaReadCost& cost = reads_[slot].cost;
    // A read larger than all tags together takes them all: it goes in turns, which the link serialises anyway.
    const int tags = std::min(cost.tags, total_tags_);
    const int credits = std::min(cost.tags, total_nonposted_);
    if (tags_ < tags || nonposted_ < credits) collect_ahead();
    if (tags_ < tags || nonposted_ < credits) {
      wait_for(tags_ < tags ? Lack::tags : Lack::credits);
      watch_ahead();
      return;
    }
    waiting_.pop();
    tags_ -= tags;
    nonposted_ -= credits;
    const Time left = upstream_.reserve(calendar_.now(), cost.request, "read request");
    if (reads_[slot].ahead) {
      send_ahead(slot, left + latency_ + cost.latency);
    } else if (memory_ == nullptr) {
      calendar_.at<&HostDma::reach_memory>(left + latency_ + cost.latency, priority_, *this, slot);
    } else {
      calendar_.at<&HostDma::ask_memory>(left + latency_, priority_, *this, slot);
    }
  }
  wait_for(Lack::nothing);
}

void HostDma::wait_for(Lack lack) {
  const auto set = [&](core::TimeWeighted& starved, bool lacks) {
    if ((starved.level() != 0) != lacks) starved.set(calendar_.now(), lacks ? 1 : 0);
  };
  set(tagless_, lack == Lack::tags);
  set(creditless_, lack == Lack::credits);
}

void HostDma::ask_memory(std::uint64_t slot) {
  memory_->read(addresses_[slot], reads_[slot].cost.cache_lines, later<&HostDma::reach_memory>(slot));
}

void HostDma::reach_memory(std::uint64_t slot) {
  catch_up();
  const DmaReadCost& cost = reads_[slot].cost;
  nonposted_ += std::min(cost.tags, total_nonposted_);
  const Time left = downstream_.reserve(calendar_.now(), cost.completion, "completion");
  calendar_.at<&HostDma::finish>(left + latency_ + keep_, priority_, *this, slot);
  issue();
}

void HostDma::finish(std::uint64_t slot) {
  const Read done = reads_[slot];
  tags_ += std::min(done.cost.tags, total_tags_);
  free_.push_back(static_cast<std::uint32_t>(slot));
  done.done.handler(done.done.object, done.done.argument);
  issue();
}

HostDma::Written HostDma::write(const WriteCost& cost) {
  // Credits come back in order, so the last one that the write needs is the latest.
  Time start = calendar_.now();
  const std::size_t first = next_return_;
  for (int tlp = 0; tlp < cost.tlps; ++tlp) {
    start = std::max(start, posted_returns_[next_return_]);
    if (++next_return_ == posted_returns_.size()) next_return_ = 0;
  }
  const Time left = upstream_.reserve(start, cost.service, "write");
  const Time visible = left + latency_ + write_latency_;
  std::size_t credit = first;
  for (int tlp = 0; tlp < cost.tlps; ++tlp) {
    posted_returns_[credit] = visible + latency_;
    if (++credit == posted_returns_.size()) credit = 0;
  }
  lines_written_ += static_cast<std::uint64_t>(cost.cache_lines);
  return {left, visible};
}

void HostDma::post(const WriteCost& cost, std::int64_t address, Continuation left) {
  std::uint32_t slot = 0;
  if (free_posts_.empty()) {
    slot = static_cast<std::uint32_t>(posts_.size());
    posts_.emplace_back();
  } else {
    slot = free_posts_.back();
    free_posts_.pop_back();
  }
  posts_[slot] = {cost, address};
  waiting_posts_.push({slot, left});
  send();
}

void HostDma::send() {
  while (!waiting_posts_.empty()) {
    const auto [slot, left] = waiting_posts_.front();
    const WriteCost& cost = posts_[slot].cost;
    // A write larger than all credits together takes them all, as a read does with tags.
    const int credits = std::min(cost.tlps, static_cast<int>(posted_returns_.size()));
    if (posted_ < credits) return;
    waiting_posts_.pop();
    posted_ -= credits;
    lines_written_ += static_cast<std::uint64_t>(cost.cache_lines);
    const Time gone = upstream_.reserve(calendar_.now(), cost.service, "write");
    calendar_.at(gone, priority_, left.handler, left.object, left.argument);
    calendar_.at<&HostDma::deliver>(gone + latency_, priority_, *this, slot);
  }
}

void HostDma::deliver(std::uint64_t slot) {
  memory_->write(posts_[slot].address, posts_[slot].cost.cache_lines, later<&HostDma::taken>(slot));
}

void HostDma::taken(std::uint64_t slot) {
  calendar_.at<&HostDma::credit>(calendar_.now() + latency_, priority_, *this, slot);
}

void HostDma::credit(std::uint64_t slot) {
  posted_ += std::min(posts_[slot].cost.tlps, static_cast<int>(posted_returns_.size()));
  free_posts_.push_back(static_cast<std::uint32_t>(slot));
  send();
}

Time HostDma::mmio_write(Time service) {
  catch_up();
  mmio_time_ += service;
  ++mmio_writes_;
  const Time in_order = downstream_.reserve(calendar_.now(), service, "MMIO write");
  Time& credit = mmio_returns_[next_mmio_return_];
  if (++next_mmio_return_ == mmio_returns_.size()) next_mmio_return_ = 0;
  mmio_free_ = std::min(in_order, std::max(calendar_.now() + longest_wait_, mmio_free_) + service);
  // What waits for a credit holds up later MMIO writes, but no completions.
  mmio_free_ = std::max(mmio_free_, credit + service);
  credit = mmio_free_ + latency_ * 2;
  return mmio_free_;
}

void HostDma::measure(Time from, Time until) {
  downstream().measure(from, until);
  upstream_.measure(from, until);
  tagless_.reset(from);
  creditless_.reset(from);
  mmio_time_ = Time{0};
  mmio_writes_ = 0;
  lines_read_ = 0;
  lines_expected_ = 0;
  lines_written_ = 0;
}

void HostDma::trace(core::TraceWriter& writer, std::string_view machine) {
  downstream_.trace({&writer, machine, "PCIe downstream"});
  upstream_.trace({&writer, machine, "PCIe upstream"});
}

}  // namespace doorbell::model
