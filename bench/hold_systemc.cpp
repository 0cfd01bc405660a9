#include "hold.hpp"

#include <systemc>

#include <memory>
#include <vector>

namespace {

struct Meter {
  bench::Increments increments;
  std::uint64_t left;

  sc_core::sc_time next() {
    if (--left == 0) sc_core::sc_pause();
    return sc_core::sc_time::from_value(static_cast<sc_dt::uint64>(increments.next()));
  }
};

/// Variant "method": called anew by each event; "thread": a stack of its own, the counterpart of a coroutine.
struct Holder : sc_core::sc_module {
  Meter& meter;
  std::uint64_t runs = 0;
  bool started = false;

  SC_HAS_PROCESS(Holder);
  Holder(sc_core::sc_module_name name, Meter& shared, bool thread) : sc_module(name), meter(shared) {
    if (thread) {
      SC_THREAD(live);
    } else {
      SC_METHOD(hop);
    }
  }
  sc_core::sc_time first() {
    return sc_core::sc_time::from_value(static_cast<sc_dt::uint64>(meter.increments.first()));
  }
  void hop() {
    if (!started) {
      started = true;
      next_trigger(first());
      return;
    }
    ++runs;
    next_trigger(meter.next());
  }
  void live() {
    wait(first());
    for (;; ++runs) wait(meter.next());
  }
};

}  // namespace

int sc_main(int count, char** arguments) {
  const bench::Options options(count, arguments);
  sc_core::sc_set_time_resolution(1, sc_core::SC_PS);
  Meter meter{bench::Increments(options.increments), options.warmup()};
  std::vector<std::unique_ptr<Holder>> holders;
  for (std::size_t i = 0; i < options.pending; ++i) {
    holders.push_back(std::make_unique<Holder>(sc_core::sc_gen_unique_name("h"), meter, options.variant == "thread"));
  }
  sc_core::sc_start();
  meter.left = options.events;
  const double begin = bench::user_seconds();
  sc_core::sc_start();
  bench::report(options.events, bench::user_seconds() - begin);
  // Destroying a million modules takes longer than the measurement.
  std::fflush(stdout);
  std::_Exit(0);
}
