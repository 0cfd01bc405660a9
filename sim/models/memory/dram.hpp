// Memory channels: banks whose rows have to be opened, a bus that turns round between reads and writes, and a
// controller that collects writes and drains them in bursts.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/calendar.hpp"
#include "core/quantity.hpp"
#include "core/ring_queue.hpp"
#include "core/utilisation.hpp"
#include "models/common/continuation.hpp"
#include "models/common/describe.hpp"
#include "models/memory/row_closing.hpp"

namespace doorbell::model {

/// JEDEC JESD79-4 (DDR4); the controller after Vuppalapati et al., "Understanding the Host Network", SIGCOMM 2024.
struct DramParameters {
  int channels = 1;
  int banks = 1;
  int bank_groups = 1;
  Bytes row;
  Time line{0};
  Time row_open{0};
  Time row_close{0};
  Time row_cycle{0};
  Time write_recovery{0};
  Time turnaround{0};
  Time refresh_interval{0};
  Time refresh{0};
  int window = 1;
  int write_queue = 1;
  int drain_at = 1;
  int drain_to = 0;
  std::optional<RowClosingParameters> row_closing = std::nullopt;
};
template <class V> void describe(V& v, DramParameters& s) {
  v.field("channels", s.channels, {.doc = "Channels, between which lines alternate.", .min = 1, .max = 64});
  v.field("banks", s.banks, {.doc = "Banks of a channel.", .min = 1, .max = 1024});
  v.optional("bank_groups", s.bank_groups,
             {.doc = "Groups of banks, between which lines that follow each other alternate.", .min = 1, .max = 64});
  v.field("row", s.row, {.doc = "Bytes in a row that follow each other in one bank.", .min = 64, .max = 1 << 20});
  v.field("line", s.line, {.doc = "Time of a line of 64 B on the bus of its channel.", .max = 1e-6});
  v.field("row_open", s.row_open, {.doc = "Opening a row of a bank.", .max = 1e-5, .symbol = "tRCD"});
  v.field("row_close", s.row_close,
          {.doc = "Closing one, before another can be opened.", .max = 1e-5, .symbol = "tRP"});
  v.optional("row_cycle", s.row_cycle,
             {.doc = "Least time from opening a row of a bank to opening the next.", .max = 1e-5, .symbol = "tRC"});
  v.optional("write_recovery", s.write_recovery,
             {.doc = "From a line that is written until its row can be closed.", .max = 1e-5, .symbol = "tWR"});
  v.field("turnaround", s.turnaround, {.doc = "Of the bus, from reads to writes or back.", .max = 1e-6});
  v.field("refresh_interval", s.refresh_interval,
          {.doc = "From one refresh of a channel to the next; 0 ns: none.", .max = 1e-3});
  v.field("refresh", s.refresh, {.doc = "Time of a refresh, which closes all rows.", .max = 1e-5});
  v.field("window", s.window, {.doc = "Oldest requests among which the controller chooses.", .min = 1, .max = 1024});
  v.field("write_queue", s.write_queue,
          {.doc = "Writes that the controller of a channel holds.", .min = 1, .max = 4096});
  v.field("drain_at", s.drain_at,
          {.doc = "With so many of them it turns to writing, when it has served the reads that wait by then.",
           .min = 1,
           .max = 4096});
  v.field("drain_to", s.drain_to,
          {.doc = "With so few of them it turns back; and when it has written those that waited as it turned.",
           .min = 0,
           .max = 4096});
  v.optional(
      "row_closing", s.row_closing,
      {.doc = "Rows that are not used are closed; left out, they stay open until another of their bank is needed."});
}

/// Lines are read and written in the order that suits rows: of the oldest requests the first whose row is open. When as
/// many as the controller chooses among have passed the oldest of all, its row is opened, and it goes first. A read
/// ends when its line has crossed the bus, a write when the controller has taken it. Both directions are served in
/// batches, what waits when the other one is due (as Mutlu and Moscibroda, "Parallelism-aware batch scheduling", ISCA
/// 2008, do with threads), so that neither starves and the longer queue gets the longer turn.
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
  [[nodiscard]] std::uint64_t rows_opened() const { return rows_opened_; }
  /// Of these, for lines to be read.
  [[nodiscard]] std::uint64_t rows_opened_to_read() const { return rows_opened_to_read_; }
  /// Share of the time since measure() in which the bus of a channel moved lines, on average.
  [[nodiscard]] double moving(Time now) const;
  /// Share in which a channel had something to do, moving lines, turning round, opening rows or refreshing.
  [[nodiscard]] double working(Time now) const;
  /// Share in which a channel had a backlog: writes for which there was no room, or reads that take longer on the bus
  /// than a row takes to open. With less it has something to do, but would do more if there was more.
  [[nodiscard]] double behind(Time now) const;
  /// Share in which the write queue of a channel was full.
  [[nodiscard]] double full(Time now) const;
  void measure(Time now);

 private:
  struct Request {
    std::int64_t row = 0;
    int bank = 0;
    Continuation done;
  };
  struct Bank {
    std::int64_t row = -1;     // open or being opened
    std::int64_t before = -1;  // the last one, if it was closed for not being used
    Time ready{0};             // of the row; of the bank, where none is open
    Time used{0};              // end of its last line
    Time recovered{0};         // from the last line written
    Time next_open{0};         // at the earliest
    bool awaited = false;      // by the request for which the row was opened
  };
  struct Channel {
    std::vector<Request> reads;        // oldest first
    std::vector<Request> writes;       // likewise
    core::RingQueue<Request> waiting;  // writes for which there is no room
    std::vector<Bank> banks;
    std::vector<std::uint64_t> seen;  // by bank: decision in which an older request claimed it
    bool writing = false;
    bool awake = false;
    std::optional<int> batch;     // lines still to be served before it turns; none: it does not have to
    std::array<int, 2> passed{};  // how many younger ones were served before the oldest read, the oldest write
    std::optional<RowClosing> closing;
    Time next_refresh{0};
    core::TimeWeighted working;
    core::TimeWeighted behind;
    core::TimeWeighted full;
  };
  struct Place {
    Channel& channel;
    Request request;
  };
  /// Served before the oldest request of the queue in use.
  [[nodiscard]] static int& passed(Channel& channel) { return channel.passed[channel.writing ? 1 : 0]; }
  [[nodiscard]] Place place_of(std::int64_t line, const Continuation& done);
  void wake(Channel& channel);
  void step(std::uint64_t channel);
  /// Turns the bus if it is time to; returns whether it did.
  bool turn(Channel& channel) const;
  /// The request to serve now, or -1 and when a row is ready.
  int choose(Channel& channel, const std::vector<Request>& queue, Time& ready);
  void close_if_idle(Channel& channel, Bank& bank) const;
  /// Returns when the row is ready.
  Time open(Channel& channel, const Request& request);
  void serve(Channel& channel, std::vector<Request>& queue, int index);
  void count_writes(Channel& channel) const;
  void count_backlog(Channel& channel) const;
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
  std::uint64_t rows_opened_ = 0;
  std::uint64_t rows_opened_to_read_ = 0;
};

}  // namespace doorbell::model
