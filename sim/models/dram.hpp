// Memory channels: banks whose rows have to be opened, a bus that turns round between reads and writes, and a
// controller that collects writes and drains them in bursts.
#pragma once

#include <cstdint>
#include <vector>

#include "core/calendar.hpp"
#include "core/quantity.hpp"
#include "core/ring_queue.hpp"
#include "core/utilisation.hpp"
#include "models/continuation.hpp"
#include "models/describe.hpp"

namespace doorbell::model {

/// JEDEC JESD79-4 (DDR4); the controller after Vuppalapati et al., "Understanding the Host Network", SIGCOMM 2024.
struct DramParameters {
  int channels = 1;
  int banks = 1;
  int bank_groups = 1;
  Bytes row;
  Time line{0};
  Time row_change{0};
  Time row_cycle{0};
  Time turnaround{0};
  Time refresh_interval{0};
  Time refresh{0};
  int window = 1;
  int write_queue = 1;
  int drain_at = 1;
  int drain_to = 0;
  int longest_drain = 1;
  int reads_between = 0;
};
template <class V> void describe(V& v, DramParameters& s) {
  v.field("channels", s.channels, {.doc = "Channels, between which lines alternate.", .min = 1, .max = 64});
  v.field("banks", s.banks, {.doc = "Banks of a channel.", .min = 1, .max = 1024});
  v.optional("bank_groups", s.bank_groups,
             {.doc = "Groups of banks, between which lines that follow each other alternate.", .min = 1, .max = 64});
  v.field("row", s.row, {.doc = "Bytes in a row that follow each other in one bank.", .min = 64, .max = 1 << 20});
  v.field("line", s.line, {.doc = "Time of a line of 64 B on the bus of its channel.", .max = 1e-6});
  v.field("row_change", s.row_change, {.doc = "Closing a row of a bank and opening another.", .max = 1e-5});
  v.optional("row_cycle", s.row_cycle, {.doc = "Least time between two row changes of one bank.", .max = 1e-5});
  v.field("turnaround", s.turnaround, {.doc = "Of the bus, from reads to writes or back.", .max = 1e-6});
  v.field("refresh_interval", s.refresh_interval,
          {.doc = "From one refresh of a channel to the next; 0 ns: none.", .max = 1e-3});
  v.field("refresh", s.refresh, {.doc = "Time of a refresh, which closes all rows.", .max = 1e-5});
  v.field("window", s.window, {.doc = "Oldest requests among which the controller chooses.", .min = 1, .max = 1024});
  v.field("write_queue", s.write_queue,
          {.doc = "Writes that the controller of a channel holds.", .min = 1, .max = 4096});
  v.field("drain_at", s.drain_at, {.doc = "With so many of them it turns to writing.", .min = 1, .max = 4096});
  v.field("drain_to", s.drain_to, {.doc = "With so few of them it turns back.", .min = 0, .max = 4096});
  v.field("longest_drain", s.longest_drain,
          {.doc = "Writes after which it turns back in any case, if reads wait.", .min = 1, .max = 65536});
  v.field("reads_between", s.reads_between,
          {.doc = "Reads that it serves before it turns to writing again, if so many wait.", .min = 0, .max = 65536});
}

/// Lines are read and written in the order that suits rows: of the oldest requests the first whose row is open. A read
/// ends when its line has crossed the bus, a write when the controller has taken it.
class Dram {
 public:
  Dram(core::Calendar& calendar, const DramParameters& parameters, core::Priority priority);
  Dram(const Dram&) = delete;
  Dram& operator=(const Dram&) = delete;

  /// `line` is an address divided by 64.
  void read(std::int64_t line, Continuation done);
  void write(std::int64_t line, Continuation taken);

  [[nodiscard]] std::uint64_t lines_read() const { return lines_read_; }
  [[nodiscard]] std::uint64_t lines_written() const { return lines_written_; }
  [[nodiscard]] std::uint64_t row_changes() const { return row_changes_; }
  /// Share of the time since measure() in which the bus of a channel moved lines, on average.
  [[nodiscard]] double moving(Time now) const;
  /// Share in which a channel had something to do, moving lines, turning round, opening rows or refreshing.
  [[nodiscard]] double working(Time now) const;
  /// Share in which a channel could take no more writes.
  [[nodiscard]] double full(Time now) const;
  void measure(Time now);

 private:
  struct Request {
    std::int64_t row = 0;
    int bank = 0;
    Continuation done;
  };
  struct Bank {
    std::int64_t row = -1;
    Time ready{0};
    Time next_change{0};
  };
  struct Channel {
    std::vector<Request> reads;        // oldest first
    std::vector<Request> writes;       // likewise
    core::RingQueue<Request> waiting;  // writes for which there is no room
    std::vector<Bank> banks;
    std::vector<std::uint64_t> seen;  // by bank: decision in which an older request claimed it
    bool writing = false;
    bool awake = false;
    int drained = 0;  // writes since it turned to writing
    int served = 0;   // reads since it turned to reading
    Time next_refresh{0};
    core::TimeWeighted working;
    core::TimeWeighted full;
  };
  struct Place {
    Channel& channel;
    Request request;
  };
  [[nodiscard]] Place place_of(std::int64_t line, const Continuation& done);
  void wake(Channel& channel);
  void step(std::uint64_t channel);
  /// Turns the bus if it is time to; returns whether it did.
  bool turn(Channel& channel) const;
  /// The request to serve now, or -1 and when a row is ready.
  int choose(Channel& channel, const std::vector<Request>& queue, Time& ready);
  void serve(Channel& channel, std::vector<Request>& queue, int index);
  void take(Channel& channel, const Request& request);
  void sleep(Channel& channel, Time until);

  core::Calendar& calendar_;
  DramParameters parameters_;
  core::Priority priority_;
  std::vector<Channel> channels_;
  std::uint64_t decisions_ = 0;
  Time from_{0};
  std::uint64_t lines_read_ = 0;
  std::uint64_t lines_written_ = 0;
  std::uint64_t row_changes_ = 0;
};

}  // namespace doorbell::model
