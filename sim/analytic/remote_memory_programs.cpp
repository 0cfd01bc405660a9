#include "analytic/remote_memory_programs.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "analytic/device_traffic.hpp"

namespace doorbell::analytic {

using namespace model;

namespace {

/// Queue pairs of each thread, or one too many for some.
int share_of(int pairs, int threads) { return (pairs + threads - 1) / threads; }

}  // namespace

Bytes sent(const RemoteAccess& access, bool write, Bytes size) {
  if (access.protocol == Protocol::one_sided) return size;
  return write ? size + two_sided_header : two_sided_header;
}

Bytes answered(bool write, Bytes size) { return write ? two_sided_header : size + two_sided_header; }

Verb verb_of(const RemoteAccess& access, bool write) {
  if (access.protocol == Protocol::two_sided) return Verb::send;
  return write ? Verb::write : Verb::read;
}

Scenario as_programs(const RemoteMemoryScenario& scenario) {
  const DeviceTraffic traffic = device_traffic(scenario);
  const RemoteAccess& access = scenario.access;
  const bool two_sided = access.protocol == Protocol::two_sided;
  const double reads = traffic.reads.wqes() / traffic.wqes();
  Scenario programs;
  programs.fabric = scenario.fabric;
  const int answering = std::max(1, answering_peers(access));
  programs.machines = {{"host", {"host", scenario.hardware, 1}}, {"peer", {"peer", scenario.hardware, answering}}};
  for (auto& [name, group] : programs.machines) group.hardware.mmio.last_of_list = false;

  const auto post = [&](std::string set, const auto& size) {
    PostStep step;
    step.verb = verb_of(access, true);
    step.payload = size(true);
    step.inlined = false;
    step.method = PostMethod::doorbell;
    step.queue_pairs = std::move(set);
    step.mix = {{.share = reads, .verb = verb_of(access, false), .payload = size(false), .region = std::nullopt}};
    return step;
  };
  const auto size_of = [&](bool write) { return write ? traffic.writes.wqe_size() : traffic.reads.wqe_size(); };
  const int pairs = answering * access.queue_pairs;
  const int ports = std::min(scenario.hardware.port.ports, pairs);
  constexpr int deep = 65536;

  Program load;
  load.machine = "host";
  load.threads = ports;
  load.queue_pairs = {{"requests", {.transport = Transport::rc, .count = share_of(pairs, ports), .depth = deep}}};
  PostStep request = post("requests", [&](bool write) { return sent(access, write, size_of(write)); });
  request.to = "memory";
  request.destination = Destination::random;  // stripes lie on all peers alike
  request.batch = static_cast<int>(traffic.wqes() / traffic.calls());
  request.signal_every = two_sided ? deep : 1;
  load.loop = {request, AwaitStep{}};

  Program memory;
  memory.machine = "peer";
  if (two_sided) {
    memory.threads = std::min(ports, access.queue_pairs);
    const int of_thread = share_of(access.queue_pairs, memory.threads);
    memory.queue_pairs = {{"answers", {.transport = Transport::rc, .count = of_thread, .depth = deep}}};
    PostStep answer = post("answers", [&](bool write) { return answered(write, size_of(write)); });
    answer.destination = Destination::origin;
    answer.signal_every = deep;
    memory.loop = {CollectStep{}, answer};
  }
  programs.programs = {{"load", load}, {"memory", memory}};
  programs.measure.program = "load";
  return programs;
}

}  // namespace doorbell::analytic
