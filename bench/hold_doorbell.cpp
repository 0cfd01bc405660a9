#include "hold.hpp"

#include "core/process.hpp"

#include <deque>

namespace {

using doorbell::Time;
using doorbell::core::Calendar;
using doorbell::core::Process;

/// Stops the calendar when the warm-up is over and when the measurement is.
struct Meter {
  Calendar& calendar;
  bench::Increments increments;
  std::uint64_t left;

  Time next() {
    if (--left == 0) calendar.stop();
    return Time{increments.next()};
  }
};

struct Holder {
  Meter& meter;
  std::uint64_t runs = 0;
  void hop(std::uint64_t) {
    ++runs;
    meter.calendar.after<&Holder::hop>(meter.next(), {}, *this);
  }
};

Process holder(Meter& meter) {
  for (std::uint64_t runs = 0;; ++runs) co_await delay(meter.calendar, meter.next());
}

/// A coroutine started, run and ended per event.
Process once(Meter& meter) {
  start(meter.calendar, once(meter), meter.calendar.now() + meter.next());
  co_return;
}

}  // namespace

int main(int count, char** arguments) {
  const bench::Options options(count, arguments);
  Calendar calendar;
  Meter meter{calendar, bench::Increments(options.increments), options.warmup()};
  std::deque<Holder> holders;
  for (std::size_t i = 0; i < options.pending; ++i) {
    const Time first{meter.increments.first()};
    if (options.variant == "callback") {
      calendar.at<&Holder::hop>(first, {}, holders.emplace_back(Holder{meter}));
    } else if (options.variant == "coroutine") {
      start(calendar, holder(meter), first);
    } else {
      start(calendar, once(meter), first);
    }
  }
  calendar.run();
  meter.left = options.events;
  const double begin = bench::user_seconds();
  calendar.run();
  bench::report(options.events, bench::user_seconds() - begin);
}
