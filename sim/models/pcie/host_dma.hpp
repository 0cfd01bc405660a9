// The device's side of PCI Express: DMA reads bounded by tags and credits, posted writes bounded by credits.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/calendar.hpp"
#include "core/fifo_server.hpp"
#include "core/ring_queue.hpp"
#include "core/slots.hpp"
#include "models/common/continuation.hpp"
#include "models/memory/host_memory.hpp"
#include "models/pcie/credit_path.hpp"
#include "models/pcie/credit_ring.hpp"
#include "models/pcie/dma_cost.hpp"
#include "models/pcie/pcie_link.hpp"
#include "models/pcie/root_complex.hpp"

namespace doorbell::model {

/// Most TLPs of a write to attached memory that go as one, which takes fewer events. Their credits come back with the
/// last of them: of so few a link hardly lacks them meanwhile. Longer writes would wait for their own, and go TLP by
/// TLP.
[[nodiscard]] constexpr int most_posted_together(const PcieParameters& pcie) { return pcie.posted_header_credits / 8; }

class HostDma {
 public:
  HostDma(core::Calendar& calendar, const PcieParameters& pcie, const RootComplexParameters& root_complex,
          core::Priority priority);
  HostDma(const HostDma&) = delete;
  HostDma& operator=(const HostDma&) = delete;

  /// From now on it matters which addresses are read: `memory` tells when data are there, instead of the latency of
  /// each cost, and writes are made by post(). Each must live as long as the other is used.
  void attach(HostMemory& memory) {
    memory_ = &memory;
    memory.attach(downstream_, completion_rate_);
  }
  /// The device needs so long after the arrival of data, beside what each read says, until tags are free and it is
  /// told.
  void keep_tags(Time time) { keep_ = time; }

  /// Reads host memory: request up, root complex, completions down. Reads wait in order; one of several requests sends
  /// as many as there are tags and non-posted credits for.
  void read(const DmaReadCost& cost, Continuation done, std::int64_t address = 0);
  /// Reads what had been in the NIC already: nothing that an operation's path foresees.
  void read_again(const DmaReadCost& cost, Continuation done);
  /// Reads host memory ahead of need: takes events only while somebody waits, for what arrives or for its tags. Of
  /// reads that reach the root complex in the same instant, those ahead come first.
  void read_ahead(const DmaReadCost& cost);
  /// How many of these reads have ended since this was asked last.
  [[nodiscard]] int take_ahead();
  /// Calls `arrived` once, when the next of them ends.
  void await_ahead(Continuation arrived);
  /// Writes host memory in posted order; each TLP waits for a credit. Returns when a polling core can see it; `left` is
  /// when it left the device.
  struct Written {
    Time left;
    Time visible;
  };
  Written write(const WriteCost& cost);
  /// The same with attached memory, which tells when credits come back: those of the TLPs that were sent at once when
  /// it has taken them all. `left`: the last has left the device.
  void post(const WriteCost& cost, std::int64_t address, Continuation left);
  /// An MMIO write that a core issues now. It waits for a credit of the device, and passes completions beyond the root
  /// complex's `completion_queue`, but no other MMIO write. Returns when it has left the root complex; it arrives one
  /// latency later.
  Time mmio_write(Time service);

  /// How long a read that is asked for now waits for others, beside what it takes alone: for completions that wait for
  /// the link, and for those of reads that have no tags yet.
  [[nodiscard]] Time read_delay() {
    return std::max(Time{0}, downstream().busy_until() - calendar_.now()) + waiting_completions_;
  }
  [[nodiscard]] Time latency() const { return latency_; }
  [[nodiscard]] core::FifoServer& downstream() {
    catch_up();
    return downstream_;
  }
  [[nodiscard]] core::FifoServer& upstream() { return upstream_; }
  /// Time that the downstream direction spent on MMIO rather than on completions.
  [[nodiscard]] Time mmio_time() const { return mmio_time_; }
  /// Fraction of `measured` for which the device's credits for MMIO writes were taken, on average.
  [[nodiscard]] double mmio_credits_taken(Time measured) const {
    const Time held = mmio_time_ + latency_ * 2 * static_cast<std::int64_t>(mmio_writes_);
    return to_seconds(held) / (to_seconds(measured) * static_cast<double>(mmio_credits_.size()));
  }
  /// Fractions of the time since measure() for which a read waited for tags, or had them and waited for non-posted
  /// credits.
  [[nodiscard]] double tagless() const { return tagless_.mean(calendar_.now()); }
  [[nodiscard]] double creditless() const { return creditless_.mean(calendar_.now()); }
  /// Fraction of `measured` for which nothing but the way back of posted credits decided when writes left: see
  /// CreditPath.
  [[nodiscard]] double by_posted_credits(Time measured) const;
  [[nodiscard]] std::uint64_t lines_read() const { return lines_read_; }
  /// Of these, what the paths of the operations foresee; the rest are misses of the NIC's caches.
  [[nodiscard]] std::uint64_t lines_expected() const { return lines_expected_; }
  [[nodiscard]] std::uint64_t lines_written() const { return lines_written_; }
  /// Ends the warm-up: statistics cover [from, until).
  void measure(Time from, Time until);
  /// Draws both directions of the link from now on.
  void trace(core::TraceWriter& writer, std::string_view machine);

 private:
  /// A read, or requests of one that went before the others for want of tags or credits.
  struct Read {
    DmaReadCost cost;
    Continuation done;
    bool ahead = false;
    std::uint32_t whole = 0;  ///< Slot of the read that these requests belong to.
    int parts = 1;            ///< That have not come back, the last included.
  };
  /// Requests ahead that have not reached the root complex.
  struct Ahead {
    Time when{0};  ///< Until then.
    DmaReadCost cost;
    bool last = true;  ///< Nothing of this read comes after it.
  };
  /// Tags or credits that come back one after the other without an event each.
  struct Returning {
    Time next{0};
    Time each{0};
    int count = 0;
    bool ends_ahead = false;  ///< With the last of them a read ahead has ended.
  };
  struct Post {
    WriteCost cost;
    std::int64_t address = 0;
    bool one_by_one = false;  ///< A long one, whose TLPs have their credits back each by itself.
    CreditPath::Step sent = {};
  };
  std::uint32_t enqueue(const DmaReadCost& cost, const Continuation& done);
  /// Cuts so many requests off a read that waits.
  [[nodiscard]] std::uint32_t part_of(std::uint32_t slot, int requests);
  /// Sends requests for which there are tags and credits.
  void request(std::uint32_t slot);
  /// Read requests take turns with the writes that wait: each lets no more than one TLP go first. (What PCI Express
  /// orders is what the device has sent; PCI Express Base Specification 3.0, section 2.4.1.) Returns when it has left.
  Time send_request(Time service);
  /// Takes a read that has been issued out of its slot.
  void send_ahead(std::uint32_t slot, Time reaches);
  /// Puts on the link, in order of time, what has reached the root complex by now.
  void catch_up() {
    while (!reaching_.empty() && reaching_.front().when <= calendar_.now()) complete_ahead();
  }
  void complete_ahead();
  /// Sends the completions of a read that has its data at the root complex, and gives back the credits of its
  /// requests. Returns when the last tag can be used again.
  Time complete(const DmaReadCost& cost, Time when);
  /// Lets the first `tags` of a read come back without events; the last of all comes at `ends`.
  void return_tags(const DmaReadCost& cost, Time ends, int tags, bool ends_ahead);
  /// Takes back the credits and tags that have come so far.
  void collect();
  void watch();
  void look(std::uint64_t);
  /// What the first read in line cannot begin without.
  enum class Lack { nothing, tags, credits };
  void wait_for(Lack lack);
  void issue();
  void ask_memory(std::uint64_t slot);
  void reach_memory(std::uint64_t slot);
  void finish(std::uint64_t slot);
  /// Sends what waits for the credits that `returned` has given back, if it is not new.
  void send(const CreditPath::Step* returned);
  /// Sends TLPs for which there are credits. Returns when they have left.
  Time send_tlps(std::uint32_t slot, const CreditPath::Step* returned);
  void deliver(std::uint64_t slot);
  void taken(std::uint64_t slot);
  void credit(std::uint64_t slot);
  template <auto Member> [[nodiscard]] Continuation later(std::uint64_t slot) {
    return {[](void* self, std::uint64_t argument) { (static_cast<HostDma*>(self)->*Member)(argument); }, this, slot};
  }

  core::Calendar& calendar_;
  core::Priority priority_;
  HostMemory* memory_ = nullptr;
  Time keep_{0};
  Time latency_;
  Time write_latency_;
  Bandwidth completion_rate_;
  Time longest_wait_;  ///< Of an MMIO write for completions.
  Time write_turn_;    ///< Of the largest write TLP.
  int tags_;
  int nonposted_;
  core::FifoServer downstream_;
  core::FifoServer upstream_;
  core::RingQueue<std::uint32_t> waiting_;
  Time waiting_completions_{0};  // of these
  core::TimeWeighted tagless_;
  core::TimeWeighted creditless_;
  core::RingQueue<Ahead> reaching_;       // in order of time
  core::RingQueue<Returning> returning_;  // tags, in order of time: completions do not pass one another
  core::RingQueue<Returning> returning_credits_;
  int arrived_ahead_ = 0;  // ended and not asked for
  Continuation awaits_ahead_;
  Time looks_at_ = Time::max();  // when an event looks after both
  core::EventId look_;
  core::Slots<Read> reads_;
  std::vector<std::int64_t> addresses_;  // of reads, with attached memory
  struct Waiting {
    std::uint32_t slot = 0;
    Continuation left;
  };
  core::Slots<Post> posts_;  // with attached memory
  core::RingQueue<Waiting> waiting_posts_;
  int posted_;
  int most_posted_together_;                       // TLPs of a write
  CreditRing posted_credits_;                      // of the root complex, without attached memory
  core::RingQueue<CreditPath::Step> took_posted_;  // what took each of these
  CreditPath path_;                                // of writes
  CreditRing mmio_credits_;                        // of the device
  Time requests_sent_{0};                          ///< When the last read request has left.
  Time mmio_free_{0};                              ///< When the last MMIO write has left.
  Time mmio_time_{0};
  std::uint64_t mmio_writes_ = 0;
  std::uint64_t lines_read_ = 0;
  std::uint64_t lines_expected_ = 0;
  std::uint64_t lines_written_ = 0;
};

}  // namespace doorbell::model
