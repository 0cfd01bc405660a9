#include "analytic/left_out.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

namespace doorbell::analytic {
namespace {

using namespace model;

/// Kalia et al. 2016, section 5.3.2: how often WQEs are read again depends on the order in which responses come.
void tell_displaced_wqes(const Flow& flow, std::vector<std::string>& left_out) {
  std::map<std::string, double> under_way;  // READs and atomics of a machine, by group
  for (const ProgramFlow& program : flow.programs()) {
    double reads = 0;
    double all = 0;
    double places = 0;  // in send queues
    for (const PostFlow& post : program.posts) {
      all += post.work_requests;
      if (!is_remote_read(post.step->verb)) continue;
      reads += post.work_requests;
      places =
          std::max(places, static_cast<double>(queue_pairs_of(program, *post.queue_pairs)) * post.queue_pairs->depth);
    }
    if (reads <= 0) continue;
    const double window = program.outstanding ? *program.outstanding / program.machine->count : places;
    under_way[program.program->machine] += std::min(window, places) * reads / all;
  }
  for (const auto& [machine, count] : under_way) {
    const int kept = find(flow.scenario().machines, machine)->hardware.nic.wqe_cache;
    if (count <= kept) continue;
    left_out.push_back(
        fmt::format("WQEs that the NIC of {} reads again: {:.0f} READs and atomics may be under way, and it keeps {}",
                    machine, count, kept));
  }
}

/// Under load the next CQE may be there before a thread sleeps.
void tell_interrupts(const Flow& flow, std::vector<std::string>& left_out) {
  for (const ProgramFlow& program : flow.programs()) {
    if (program.program->completion.mode == WaitMode::busy || program.passes <= 0) continue;
    left_out.push_back(
        fmt::format("interrupts of {}: how often its threads sleep depends on what others do", program.name));
  }
}

/// Nothing holds back who awaits no answers.
void tell_unawaited(const Flow& flow, std::vector<std::string>& left_out) {
  if (!flow.floods()) return;
  left_out.push_back(fmt::format("what receivers do with the requests of {}, which waits for no answers",
                                 flow.scenario().measure.program));
}

/// On RC a queue pair waits long before it sends again what was refused.
void tell_missing_recvs(const Flow& flow, std::vector<std::string>& left_out) {
  for (const ProgramFlow& receiver : flow.programs()) {
    const auto* replenish = find_step<ReplenishStep>(*receiver.program);
    if (replenish == nullptr) continue;
    double under_way = 0;
    for (const ProgramFlow& sender : flow.programs()) {
      const bool asks = std::ranges::any_of(sender.posts, [&](const PostFlow& post) {
        return &flow.programs()[post.to] == &receiver && post.queue_pairs->transport == Transport::rc;
      });
      // Of what arrives, no more is under way than takes its time unless more arrives than is served.
      if (asks && !sender.arrivals) under_way += sender.outstanding.value_or(std::numeric_limits<double>::infinity());
    }
    const QueuePairs& set = *find(receiver.program->queue_pairs, replenish->queue_pairs);
    const double recvs = static_cast<double>(queue_pairs_of(receiver, set)) * receiver.machine->count *
                         replenish->recvs.value_or(set.depth);
    if (under_way <= recvs) continue;
    left_out.push_back(fmt::format("requests that find no RECV: {} has {:.0f}", receiver.name, recvs));
  }
}

}  // namespace

void tell_left_out(const Flow& flow, std::vector<std::string>& left_out) {
  tell_displaced_wqes(flow, left_out);
  tell_interrupts(flow, left_out);
  tell_unawaited(flow, left_out);
  tell_missing_recvs(flow, left_out);
}

}  // namespace doorbell::analytic
