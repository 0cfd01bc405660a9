#include "hold.hpp"

#include "ns3/core-module.h"

#include <deque>

namespace {

struct Meter {
  bench::Increments increments;
  std::uint64_t left;

  ns3::Time next() {
    if (--left == 0) ns3::Simulator::Stop();
    return ns3::TimeStep(static_cast<std::uint64_t>(increments.next()));
  }
};

struct Holder {
  Meter& meter;
  std::uint64_t runs = 0;
  void hop() {
    ++runs;
    ns3::Simulator::Schedule(meter.next(), &Holder::hop, this);
  }
};

}  // namespace

// Variant: the scheduler, "PriorityQueue", "Heap", "Map" or "Calendar".
int main(int count, char** arguments) {
  const bench::Options options(count, arguments);
  ns3::ObjectFactory factory;
  factory.SetTypeId("ns3::" + options.variant + "Scheduler");
  ns3::Simulator::SetScheduler(factory);
  Meter meter{bench::Increments(options.increments), options.warmup()};
  std::deque<Holder> holders;
  for (std::size_t i = 0; i < options.pending; ++i) {
    ns3::Simulator::Schedule(ns3::TimeStep(static_cast<std::uint64_t>(meter.increments.first())), &Holder::hop,
                             &holders.emplace_back(Holder{meter}));
  }
  ns3::Simulator::Run();
  meter.left = options.events;
  const double begin = bench::user_seconds();
  ns3::Simulator::Run();
  bench::report(options.events, bench::user_seconds() - begin);
}
