// The pipeline of tandem_doorbell.cpp on SimGrid. Variant "timer": callbacks of the kernel, an event per station;
// "actor": processes that sleep until they may leave a station.
#include "hold.hpp"

#include <simgrid/kernel/Timer.hpp>
#include <simgrid/s4u.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <deque>

namespace {

constexpr std::size_t stations = 8;

struct Line {
  bench::Increments services;
  std::uint64_t left;
  std::uint64_t operations;
  std::array<double, stations> busy_until{};
  double begin = 0;
  bool measuring = false;

  /// When who comes to a station now leaves it: seconds, a thousandth of the increments (see hold_simgrid.cpp).
  double departure(std::size_t station) {
    double& busy = busy_until[station];
    busy = std::max(simgrid::s4u::Engine::get_clock(), busy) + static_cast<double>(services.next()) * 1e-6;
    return busy;
  }
  void finish() {
    if (--left > 0) return;
    if (measuring) {
      bench::report(operations, bench::user_seconds() - begin);
      // The engine cannot be stopped from inside.
      std::fflush(stdout);
      std::_Exit(0);
    }
    measuring = true;
    left = operations;
    begin = bench::user_seconds();
  }
};

struct Packet {
  Line& line;
  std::size_t station = 0;
  void move() {
    if (station == stations) {
      station = 0;
      line.finish();
    }
    simgrid::kernel::timer::Timer::set(line.departure(station++), [this] { move(); });
  }
};

void live(Line& line) {
  for (;; line.finish()) {
    for (std::size_t station = 0; station < stations; ++station)
      simgrid::s4u::this_actor::sleep_until(line.departure(station));
  }
}

}  // namespace

int main(int count, char** arguments) {
  const bench::Options options(count, arguments);
  int engine_arguments = 1;
  simgrid::s4u::Engine engine(&engine_arguments, arguments);
  auto* zone = simgrid::s4u::create_full_zone("zone");
  auto* host = zone->create_host("host", 1e9)->seal();
  zone->seal();
  Line line{bench::Increments(options.increments), options.warmup(), options.events};
  std::deque<Packet> packets;
  for (std::size_t i = 0; i < options.pending; ++i) {
    if (options.variant == "actor") {
      simgrid::s4u::Actor::create("packet", host, [&line] { live(line); });
    } else {
      Packet& packet = packets.emplace_back(Packet{line});
      simgrid::kernel::timer::Timer::set(0, [&packet] { packet.move(); });
    }
  }
  // Timers alone do not keep the engine running.
  simgrid::s4u::Actor::create("keeper", host, [] { simgrid::s4u::this_actor::sleep_for(1e12); });
  engine.run();
}
