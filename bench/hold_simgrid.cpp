#include "hold.hpp"

#include <simgrid/kernel/Timer.hpp>
#include <simgrid/s4u.hpp>

#include <cstring>
#include <deque>

namespace {

struct Meter {
  bench::Increments increments;
  std::uint64_t left;
  std::uint64_t events;
  double begin = 0;
  bool measuring = false;

  /// Seconds; SimGrid counts in doubles, and distinguishes dates that are a nanosecond or more apart.
  double next() {
    if (--left == 0) turn();
    return static_cast<double>(increments.next()) * 1e-6;
  }
  void turn() {
    if (measuring) {
      bench::report(events, bench::user_seconds() - begin);
      // The engine cannot be stopped from inside.
      std::fflush(stdout);
      std::_Exit(0);
    }
    measuring = true;
    left = events;
    begin = bench::user_seconds();
  }
};

struct Holder {
  Meter& meter;
  std::uint64_t runs = 0;
  void hop() {
    ++runs;
    simgrid::kernel::timer::Timer::set(simgrid::s4u::Engine::get_clock() + meter.next(), [this] { hop(); });
  }
};

}  // namespace

// Variant "timer": callbacks of the kernel; "actor": processes that sleep.
int main(int count, char** arguments) {
  const bench::Options options(count, arguments);
  int engine_arguments = 1;
  simgrid::s4u::Engine engine(&engine_arguments, arguments);
  // An actor keeps a stack; the smallest lets many exist.
  simgrid::s4u::Engine::set_config("contexts/stack-size:16");
  simgrid::s4u::Engine::set_config("contexts/guard-size:0");
  auto* zone = simgrid::s4u::create_full_zone("zone");
  auto* host = zone->create_host("host", 1e9)->seal();
  zone->seal();
  Meter meter{bench::Increments(options.increments), options.warmup(), options.events};
  std::deque<Holder> holders;
  if (options.variant == "actor") {
    for (std::size_t i = 0; i < options.pending; ++i) {
      simgrid::s4u::Actor::create("holder", host, [&meter] {
        simgrid::s4u::this_actor::sleep_for(static_cast<double>(meter.increments.first()) * 1e-6);
        for (;;) simgrid::s4u::this_actor::sleep_for(meter.next());
      });
    }
  } else {
    for (std::size_t i = 0; i < options.pending; ++i) {
      Holder& holder = holders.emplace_back(Holder{meter});
      simgrid::kernel::timer::Timer::set(static_cast<double>(meter.increments.first()) * 1e-6,
                                         [&holder] { holder.hop(); });
    }
    // Timers alone do not keep the engine running.
    simgrid::s4u::Actor::create("keeper", host, [] { simgrid::s4u::this_actor::sleep_for(1e12); });
  }
  engine.run();
}
