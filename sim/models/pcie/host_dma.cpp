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
      completion_rate_{dma_read_limit(pcie)},
      longest_wait_{transfer_time(root_complex.completion_queue, completion_rate_)},
      write_turn_{occupancy(pcie, write_tlps(pcie, pcie.max_payload))},
      tags_{pcie.read_tags},
      nonposted_{pcie.nonposted_header_credits},
      posted_{pcie.posted_header_credits},
      most_posted_together_{most_posted_together(pcie)},
      posted_credits_{pcie.posted_header_credits},
      mmio_credits_{pcie.mmio_credits} {
  for (int credit = 0; credit < pcie.posted_header_credits; ++credit) took_posted_.push({});
}

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
  collect();
  reads_[enqueue(cost, {})].ahead = true;
  issue();
}

void HostDma::send_ahead(std::uint32_t slot, Time reaches) {
  reaching_.insert({reaches, reads_[slot].cost, reads_[slot].whole == slot},
                   [](const Ahead& one, const Ahead& other) { return one.when < other.when; });
  reads_.free(slot);
  if (awaits_ahead_.handler != nullptr) watch();
}

void HostDma::complete_ahead() {
  const Ahead read = reaching_.pop();
  return_tags(read.cost, complete(read.cost, read.when), read.cost.tags, read.last);
}

Time HostDma::complete(const DmaReadCost& cost, Time when) {
  returning_credits_.push({when + latency_, first_request(cost), cost.tags});
  return downstream_.reserve(when, cost.completion, "completion") + latency_ + keep_ + store_after_link(cost);
}

void HostDma::return_tags(const DmaReadCost& cost, Time ends, int tags, bool ends_ahead) {
  const Time each = std::max(cost.completion, cost.store) / cost.tags;
  returning_.push({ends - each * (cost.tags - 1), each, tags, ends_ahead});
}

void HostDma::collect() {
  catch_up();
  while (!returning_credits_.empty() && returning_credits_.front().next <= calendar_.now()) {
    ++nonposted_;
    Returning& first = returning_credits_.front();
    first.next += first.each;
    if (--first.count == 0) static_cast<void>(returning_credits_.pop());
  }
  while (!returning_.empty() && returning_.front().next <= calendar_.now()) {
    ++tags_;
    Returning& first = returning_.front();
    first.next += first.each;
    if (--first.count > 0) continue;
    if (first.ends_ahead) ++arrived_ahead_;
    static_cast<void>(returning_.pop());
  }
}

int HostDma::take_ahead() {
  collect();
  return std::exchange(arrived_ahead_, 0);
}

void HostDma::await_ahead(Continuation arrived) {
  awaits_ahead_ = arrived;
  watch();
}

/// Looks again when the next read ahead reaches the root complex, or the next tag or the credit that is lacking comes
/// back without an event of its own.
void HostDma::watch() {
  Time next = reaching_.empty() ? Time::max() : reaching_.front().when;
  if (!returning_.empty()) next = std::min(next, returning_.front().next);
  // A credit may be back already, and not collected.
  if (nonposted_ == 0 && !returning_credits_.empty())
    next = std::min(next, std::max(calendar_.now(), returning_credits_.front().next));
  // What was asked for later may come earlier.
  if (next >= looks_at_) return;
  calendar_.cancel(look_);
  looks_at_ = next;
  look_ = calendar_.at<&HostDma::look>(next, priority_, *this);
}

void HostDma::look(std::uint64_t) {
  looks_at_ = Time::max();
  collect();
  if (arrived_ahead_ > 0 && awaits_ahead_.handler != nullptr) std::exchange(awaits_ahead_, {})();
  issue();
  if (awaits_ahead_.handler != nullptr) watch();
}

std::uint32_t HostDma::enqueue(const DmaReadCost& cost, const Continuation& done) {
  lines_read_ += static_cast<std::uint64_t>(cost.cache_lines);
  const std::uint32_t slot = reads_.take();
  reads_[slot] = {cost, done, false, slot};
  waiting_.push(slot);
  waiting_completions_ += cost.completion;
  return slot;
}

void HostDma::issue() {
  while (!waiting_.empty()) {
    const std::uint32_t slot = waiting_.front();
    if (std::min(tags_, nonposted_) < reads_[slot].cost.tags) collect();
    const int requests = std::min(tags_, nonposted_);
    if (requests == 0) {
      wait_for(tags_ == 0 ? Lack::tags : Lack::credits);
      watch();
      return;
    }
    if (requests < reads_[slot].cost.tags) {
      request(part_of(slot, requests));
    } else {
      waiting_.pop();
      request(slot);
    }
  }
  wait_for(Lack::nothing);
}

std::uint32_t HostDma::part_of(std::uint32_t slot, int requests) {
  const std::uint32_t part = reads_.take();
  Read& whole = reads_[slot];
  ++whole.parts;
  reads_[part] = {take_requests(whole.cost, requests), {}, whole.ahead, slot};
  if (memory_ != nullptr) {
    addresses_.resize(std::max(addresses_.size(), reads_.size()));
    addresses_[part] = addresses_[slot];
    addresses_[slot] += reads_[part].cost.cache_lines * cache_line.count;
  }
  return part;
}

void HostDma::request(std::uint32_t slot) {
  const DmaReadCost& cost = reads_[slot].cost;
  tags_ -= cost.tags;
  nonposted_ -= cost.tags;
  waiting_completions_ -= cost.completion;
  const Time left = send_request(cost.request) - (cost.request - first_request(cost));
  if (reads_[slot].ahead) {
    send_ahead(slot, left + latency_ + cost.latency);
  } else if (memory_ == nullptr) {
    calendar_.at<&HostDma::reach_memory>(left + latency_ + cost.latency, priority_, *this, slot);
  } else {
    calendar_.at<&HostDma::ask_memory>(left + latency_, priority_, *this, slot);
  }
}

Time HostDma::send_request(Time service) {
  const Time now = calendar_.now();
  const Time in_order = upstream_.reserve(now, service, "read request");
  requests_sent_ = std::min(in_order, std::max(now, requests_sent_) + write_turn_ + service);
  return requests_sent_;
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
  const Time ends = complete(cost, calendar_.now());
  if (cost.tags > 1) return_tags(cost, ends, cost.tags - 1, false);
  calendar_.at<&HostDma::finish>(ends, priority_, *this, slot);
  issue();
}

void HostDma::finish(std::uint64_t slot) {
  ++tags_;  // of the last request
  const std::uint32_t whole = reads_[slot].whole;
  if (whole != slot) reads_.free(slot);
  if (--reads_[whole].parts == 0) {
    const Continuation done = reads_[whole].done;
    reads_.free(whole);
    done();
  }
  issue();
}

HostDma::Written HostDma::write(const WriteCost& cost) {
  const Time returns = latency_ * 2 + write_latency_;
  Time left = calendar_.now();
  Time service = cost.service;
  for (int tlps = cost.tlps; tlps > 0; --tlps) {
    const Time tlp = service / tlps;
    service -= tlp;
    const Time free = std::max(calendar_.now(), upstream_.busy_until());
    const Time credit = posted_credits_.next();
    left = upstream_.reserve(std::max(free, credit), tlp, "write");
    const CreditPath::Step taken = took_posted_.pop();
    took_posted_.push(credit > free ? path_.follow_credit(taken, left) : path_.follow_link(left));
    posted_credits_.take(left + returns);
  }
  lines_written_ += static_cast<std::uint64_t>(cost.cache_lines);
  return {left, left + latency_ + write_latency_};
}

void HostDma::post(const WriteCost& cost, std::int64_t address, Continuation left) {
  lines_written_ += static_cast<std::uint64_t>(cost.cache_lines);
  waiting_posts_.push({posts_.add({cost, address, cost.tlps > most_posted_together_}), left});
  send(nullptr);
}

void HostDma::send(const CreditPath::Step* returned) {
  while (!waiting_posts_.empty() && posted_ > 0) {
    Post& first = posts_[waiting_posts_.front().slot];
    const int tlps = first.one_by_one ? 1 : std::min(posted_, first.cost.tlps);
    if (tlps < first.cost.tlps) {
      const Post part{take_tlps(first.cost, tlps), first.address};
      first.address += part.cost.cache_lines * cache_line.count;
      static_cast<void>(send_tlps(posts_.add(part), returned));
    } else {
      const auto [slot, left] = waiting_posts_.pop();
      calendar_.at(send_tlps(slot, returned), priority_, left.handler, left.object, left.argument);
    }
  }
}

double HostDma::by_posted_credits(Time measured) const {
  return std::min(1.0, to_seconds(path_.by_credits()) / to_seconds(measured));
}

Time HostDma::send_tlps(std::uint32_t slot, const CreditPath::Step* returned) {
  const WriteCost& cost = posts_[slot].cost;
  posted_ -= cost.tlps;
  const bool link_was_free = upstream_.busy_until() <= calendar_.now();
  const Time gone = upstream_.reserve(calendar_.now(), cost.service, "write");
  posts_[slot].sent =
      returned != nullptr && link_was_free ? path_.follow_credit(*returned, gone) : path_.follow_link(gone);
  calendar_.at<&HostDma::deliver>(gone + latency_, priority_, *this, slot);
  return gone;
}

void HostDma::deliver(std::uint64_t slot) {
  memory_->write(posts_[slot].address, posts_[slot].cost.cache_lines, later<&HostDma::taken>(slot));
}

void HostDma::taken(std::uint64_t slot) {
  calendar_.at<&HostDma::credit>(calendar_.now() + latency_, priority_, *this, slot);
}

void HostDma::credit(std::uint64_t slot) {
  posted_ += posts_[slot].cost.tlps;
  const CreditPath::Step sent = posts_[slot].sent;
  posts_.free(slot);
  send(&sent);
}

Time HostDma::mmio_write(Time service) {
  catch_up();
  mmio_time_ += service;
  ++mmio_writes_;
  const Time in_order = downstream_.reserve(calendar_.now(), service, "MMIO write");
  mmio_free_ = std::min(in_order, std::max(calendar_.now() + longest_wait_, mmio_free_) + service);
  // What waits for a credit holds up later MMIO writes, but no completions.
  mmio_free_ = std::max(mmio_free_, mmio_credits_.next() + service);
  mmio_credits_.take(mmio_free_ + latency_ * 2);
  return mmio_free_;
}

void HostDma::measure(Time from, Time until) {
  downstream().measure(from, until);
  upstream_.measure(from, until);
  tagless_.reset(from);
  creditless_.reset(from);
  path_.measure();
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
