// The pipeline of tandem_doorbell.cpp, variant "callback", on SystemC: a method for each packet.
#include "tandem.hpp"

#include <systemc>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

namespace {

struct Packet : sc_core::sc_module {
  bench::Line& line;
  std::size_t station = 0;

  SC_HAS_PROCESS(Packet);
  Packet(sc_core::sc_module_name name, bench::Line& shared) : sc_module(name), line(shared) { SC_METHOD(move); }
  void move() {
    if (station == bench::stations) {
      station = 0;
      if (--line.left == 0) sc_core::sc_pause();
    }
    const auto now = static_cast<std::int64_t>(sc_core::sc_time_stamp().value());
    const std::int64_t then = line.departure(station++, now);
    next_trigger(sc_core::sc_time::from_value(static_cast<sc_dt::uint64>(then - now)));
  }
};

}  // namespace

int sc_main(int count, char** arguments) {
  const bench::Options options(count, arguments);
  sc_core::sc_set_time_resolution(1, sc_core::SC_PS);
  bench::Line line{bench::Increments(options.increments), options.warmup()};
  std::vector<std::unique_ptr<Packet>> packets;
  for (std::size_t i = 0; i < options.pending; ++i)
    packets.push_back(std::make_unique<Packet>(sc_core::sc_gen_unique_name("p"), line));
  sc_core::sc_start();
  line.left = options.events;
  const double begin = bench::user_seconds();
  sc_core::sc_start();
  bench::report(options.events, bench::user_seconds() - begin);
  // As in hold_systemc.cpp.
  std::fflush(stdout);
  std::_Exit(0);
}
