// The pipeline of tandem_doorbell.cpp on SimGrid. Variant "timer": callbacks of the kernel, an event per station;
// "actor": processes that sleep until they may leave a station.
#include "tandem.hpp"

#include <simgrid/kernel/Timer.hpp>
#include <simgrid/s4u.hpp>

#include <cstdio>
#include <cstdlib>
#include <deque>

namespace {

struct Run {
  bench::Line line;
  std::uint64_t operations;
  double begin = 0;
  bool measuring = false;

  /// Seconds; of picoseconds a millionth of them, for the reason that hold_simgrid.cpp gives.
  double departure(std::size_t station) {
    constexpr double scale = 1e6;
    const auto now = static_cast<std::int64_t>(simgrid::s4u::Engine::get_clock() * scale);
    return static_cast<double>(line.departure(station, now)) / scale;
  }
  void finish() {
    if (--line.left > 0) return;
    if (measuring) {
      bench::report(operations, bench::user_seconds() - begin);
      // The engine cannot be stopped from inside.
      std::fflush(stdout);
      std::_Exit(0);
    }
    measuring = true;
    line.left = operations;
    begin = bench::user_seconds();
  }
};

struct Packet {
  Run& run;
  std::size_t station = 0;
  void move() {
    if (station == bench::stations) {
      station = 0;
      run.finish();
    }
    simgrid::kernel::timer::Timer::set(run.departure(station++), [this] { move(); });
  }
};

void live(Run& run) {
  for (;; run.finish()) {
    for (std::size_t station = 0; station < bench::stations; ++station)
      simgrid::s4u::this_actor::sleep_until(run.departure(station));
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
  Run run{{bench::Increments(options.increments), options.warmup()}, options.events};
  std::deque<Packet> packets;
  for (std::size_t i = 0; i < options.pending; ++i) {
    if (options.variant == "actor") {
      simgrid::s4u::Actor::create("packet", host, [&run] { live(run); });
    } else {
      Packet& packet = packets.emplace_back(Packet{run});
      simgrid::kernel::timer::Timer::set(0, [&packet] { packet.move(); });
    }
  }
  // Timers alone do not keep the engine running.
  simgrid::s4u::Actor::create("keeper", host, [] { simgrid::s4u::this_actor::sleep_for(1e12); });
  engine.run();
}
