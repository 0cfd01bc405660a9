// A closed pipeline of 8 first-come-first-served stations: what an operation through a NIC costs to simulate.
// Prints millions of operations (passages through all stations) per second.
#include "hold.hpp"

#include "core/fifo_server.hpp"
#include "core/process.hpp"

#include <array>
#include <deque>

namespace {

using doorbell::Time;
using doorbell::core::Calendar;
using doorbell::core::FifoServer;
using doorbell::core::Process;
using doorbell::core::QueuedFifoServer;

constexpr std::size_t stations = 8;

struct Line {
  Calendar calendar;
  bench::Increments services;
  std::uint64_t left;
  std::array<FifoServer, stations> reserved;
  std::deque<QueuedFifoServer> queued;

  Line(const bench::Options& options, std::uint64_t operations) : services(options.increments), left(operations) {
    for (std::size_t i = 0; i < stations; ++i) queued.emplace_back(calendar);
  }
  Time service() { return Time{services.next()}; }
  void finish() {
    if (--left == 0) calendar.stop();
  }
};

/// An event per station, by callbacks that enter the next one.
struct Packet {
  Line& line;
  std::size_t station = 0;
  void move(std::uint64_t) {
    if (station == stations) {
      station = 0;
      line.finish();
    }
    const Time departure = line.reserved[station++].reserve(line.calendar.now(), line.service());
    line.calendar.at<&Packet::move>(departure, {}, *this);
  }
};

/// An event per operation: private stations in a row need none in between.
struct Reservation {
  Line& line;
  void pass(std::uint64_t) {
    line.finish();
    Time when = line.calendar.now();
    for (FifoServer& station : line.reserved) when = station.reserve(when, line.service());
    line.calendar.at<&Reservation::pass>(when, {}, *this);
  }
};

/// The same as a process on queued servers, as models are written.
Process packet(Line& line) {
  for (;;) {
    for (QueuedFifoServer& station : line.queued) co_await station.use(line.service());
    line.finish();
  }
}

}  // namespace

// Variant: "callback", "process" or "reserved"; pending: packets in the line.
int main(int count, char** arguments) {
  const bench::Options options(count, arguments);
  Line line(options, options.warmup());
  std::deque<Packet> packets;
  std::deque<Reservation> reservations;
  for (std::size_t i = 0; i < options.pending; ++i) {
    if (options.variant == "callback") {
      line.calendar.at<&Packet::move>(Time{0}, {}, packets.emplace_back(Packet{line}));
    } else if (options.variant == "reserved") {
      line.calendar.at<&Reservation::pass>(Time{0}, {}, reservations.emplace_back(Reservation{line}));
    } else {
      start(line.calendar, packet(line));
    }
  }
  line.calendar.run();
  line.left = options.events;
  const double begin = bench::user_seconds();
  line.calendar.run();
  bench::report(options.events, bench::user_seconds() - begin);
}
