#include "analytic/reads_in_flight.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "analytic/operation_cycle.hpp"
#include "analytic/reached.hpp"
#include "analytic/service_times.hpp"
#include "models/common/resource_name.hpp"

namespace doorbell::analytic {
namespace {

using namespace model;

/// How long a READ or an atomic counts against its queue pair: from its processing until its response is back.
Time in_flight_time(const VerbPath& path, const Timeline& timeline) {
  Time begin{0};
  Time end{0};
  for (std::size_t i = 0; i < path.steps.size(); ++i) {
    const PathStep& step = path.steps[i];
    if (step.resource == Resource::nic_transmit && step.side == Side::requester) begin = timeline.spans[i].begin;
    if (step.resource == Resource::nic_receive && step.phase == Phase::complete) end = timeline.spans[i].end;
  }
  return end - begin;
}

/// Over all machines of the group that have something to do. Programs that use the device of their machine share its
/// queue pairs.
double pairs_at_work(const Flow& flow, const ProgramFlow& program, const PostFlow& post) {
  if (post.by_device) {
    const RemoteAccess& access = program.machine->remote_device.value().access;
    return static_cast<double>(machines_at_work(flow, program)) * answering_peers(access) * access.queue_pairs;
  }
  return queue_pairs_of(program, *post.queue_pairs) * threads_at_work(flow, program) / program.program->threads;
}

}  // namespace

std::vector<ReadsInFlight> reads_in_flight(const Flow& flow) {
  std::vector<ReadsInFlight> all;
  std::map<std::pair<std::string, const QueuePairs*>, std::size_t> rows;  // devices have none of their own
  for (const ProgramFlow& program : flow.programs()) {
    for (const PostFlow& post : program.posts) {
      if (carries_payload(post.step->verb)) continue;
      const std::string& machine = program.program->machine;
      const std::string name = reads_in_flight_of(machine, post.by_device ? "the device" : program.name);
      const auto [row, is_new] = rows.try_emplace({name, post.by_device ? nullptr : post.queue_pairs}, all.size());
      if (is_new) all.push_back({name, Seconds{0}, 0});
      ReadsInFlight& reads = all[row->second];
      const Time time = in_flight_time(path_of(flow, program, post, 1), timeline_of(flow, program, post));
      reads.held += Seconds{time} * post.work_requests;
      // Of a queue pair to whichever machine.
      const int most = most_in_flight(program.hardware.nic, flow.programs()[post.to].hardware.nic);
      reads.most = std::max(reads.most, most * pairs_at_work(flow, program, post));
    }
  }
  return all;
}

}  // namespace doorbell::analytic
