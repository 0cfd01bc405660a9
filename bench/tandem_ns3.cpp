// The pipeline of tandem_doorbell.cpp, variant "callback", on ns-3.
#include "tandem.hpp"

#include "ns3/core-module.h"

#include <deque>

namespace {

struct Packet {
  bench::Line& line;
  std::size_t station = 0;
  void move() {
    if (station == bench::stations) {
      station = 0;
      if (--line.left == 0) ns3::Simulator::Stop();
    }
    const std::int64_t now = ns3::Simulator::Now().GetTimeStep();
    const std::int64_t then = line.departure(station++, now);
    ns3::Simulator::Schedule(ns3::TimeStep(static_cast<std::uint64_t>(then - now)), &Packet::move, this);
  }
};

}  // namespace

int main(int count, char** arguments) {
  const bench::Options options(count, arguments);
  ns3::ObjectFactory factory;
  factory.SetTypeId("ns3::" + options.variant + "Scheduler");
  ns3::Simulator::SetScheduler(factory);
  bench::Line line{bench::Increments(options.increments), options.warmup()};
  std::deque<Packet> packets;
  for (std::size_t i = 0; i < options.pending; ++i) {
    ns3::Simulator::Schedule(ns3::TimeStep(0), &Packet::move, &packets.emplace_back(Packet{line}));
  }
  ns3::Simulator::Run();
  line.left = options.events;
  const double begin = bench::user_seconds();
  ns3::Simulator::Run();
  bench::report(options.events, bench::user_seconds() - begin);
}
