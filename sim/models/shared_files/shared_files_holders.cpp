#include <algorithm>
#include <string>
#include <string_view>

#include "models/common/bottleneck.hpp"
#include "models/shared_files/shared_files_simulation.hpp"
#include "models/shared_files/trace_load.hpp"

namespace doorbell::model {

std::vector<Utilisation> SharedFilesSimulation::held_stages(const RunResult& result,
                                                            const std::vector<FluidNetwork::Load>& loads) const {
  const auto busy = [&result](std::string_view resource) {
    const auto found = std::ranges::find(result.utilisations, resource, &Utilisation::resource);
    return found == result.utilisations.end() ? 0 : found->busy;
  };
  std::vector<Utilisation> stages(for_resources);
  stages[for_scheduler] = {"server/I/O scheduler", server_->idles(), Limit::scheduler};
  stages[for_disks] = {"server/disks", server_->disks_taken(), Limit::disk_heads};
  stages[for_commands] = {"server/RAID commands", 0, Limit::device};
  stages[for_messages] = {"server/NIC messages", 0, Limit::nic};
  stages[for_latency] = {"network/latency", 0, Limit::in_flight};
  stages[for_server_cpu] = {"server/CPU", busy("server/CPU"), Limit::cpu};
  stages[for_node_cpu] = {"nodes/CPU", busy("nodes/CPU"), Limit::cpu};
  stages[for_registration] = {"nodes/NIC, one registration at a time", busy("nodes/NIC, one registration at a time"),
                              Limit::nic};
  stages[for_locks] = {"nodes/locks", 0, Limit::in_flight};
  for (const FluidNetwork::Load& load : loads) stages.push_back({load.name, busy(load.name), load.limit});
  return stages;
}

namespace {

/// How processes could have more in flight for a scheduler that serves one of them at a time.
std::string_view more_at_a_time(const SharedFilesScenario& scenario) {
  if (scenario.mount.direct) {
    const Bytes record = scenario.stream ? scenario.stream->record : scenario.web ? scenario.web->record : Bytes{0};
    const bool can_grow = record > Bytes{0} && record < scenario.mount.largest_request;
    return can_grow ? "; larger records would give it more of each to pass on" : "";
  }
  const bool reads = (scenario.stream && scenario.stream->operation == BlockOperation::read) || scenario.web;
  return reads ? "; more that each reads ahead (\"read_ahead\") would give it more of each to pass on" : "";
}

}  // namespace

SharedFilesSimulation::HeldInOrder SharedFilesSimulation::held_in_order(BlockServer::Queueing queueing) const {
  const BlockServer::Held held = server_->held(queueing);
  HeldTime requests = held.request;
  for (const FileClient& client : clients_) {
    const FileClient::Sums& sums = client.sums();
    requests.add(sums.request);
    requests.add(sums.registration);
    requests.add_wait(sums.registration, to_seconds(sums.registrations));
  }
  HeldTime queued = requests;
  for (const FileClient& client : clients_) queued.add_wait(requests, to_seconds(client.sums().places));
  HeldTime processes;
  for (const FileClient& client : clients_) {
    processes.add(client.sums().process);
    processes.add_wait(queued, to_seconds(client.sums().pages));
  }
  if (scenario_.mount.direct || scenario_.trace) processes.add(queued);
  // Who had a lock before ends its calls, and writes back what it has cached.
  HeldTime locks;
  locks.add(for_locks, locks_.changes().messages);
  locks.add_wait(processes, to_seconds(locks_.changes().uses));
  locks.add_wait(queued, to_seconds(locks_.changes().revoking));
  for (const FileClient& client : clients_) processes.add_wait(locks, to_seconds(client.sums().locks));
  return {held.queued, held.buffer, held.worker, requests, processes};
}

std::vector<Utilisation> SharedFilesSimulation::holders(const RunResult& result,
                                                        const std::vector<FluidNetwork::Load>& loads) const {
  std::vector<Utilisation> holders = server_->holders();
  double waiting = 0;
  for (const FileClient& client : clients_) waiting += client.share_of_waiting() / static_cast<double>(clients_.size());
  holders.push_back({"nodes/requests in flight", waiting, Limit::in_flight});
  double places = 0;
  for (const FileClient& client : clients_) places += client.share_in_use() / static_cast<double>(clients_.size());
  // Nobody waits where those outside are as few.
  std::string full;
  if (server_->buffers_taken() >= saturated) full = holders[1].resource;
  if (!full.empty()) holders[3].as_full = full;
  if (places >= saturated) full = full.empty() ? holders[3].resource : holders[3].resource + " and " + full;
  const auto* trace = dynamic_cast<const TraceLoadGenerator*>(load_.get());
  const bool follow = !scenario_.trace || !scenario_.trace->at_recorded_times;
  if (follow) {
    holders.push_back({"nodes/processes", 1, Limit::in_flight});  // each call is followed by the next
    holders.back().as_full = full;
  } else {
    holders.push_back({"nodes/arrivals", trace->in_time(), Limit::arrivals});
  }
  const std::vector<Utilisation> stages = held_stages(result, loads);
  const HeldInOrder held = held_in_order(BlockServer::Queueing::for_array);
  const HeldInOrder with_turns = held_in_order(BlockServer::Queueing::for_turns);
  for (std::size_t i = 0; i < holders.size(); ++i) {
    if (holders[i].limit == Limit::arrivals) continue;
    const std::vector<HeldFor> shares = held[i].shares(stages);
    if (shares.empty()) continue;
    holders[i].held_for = shares.front();
    // Disks that are at work all the time come first: whoever's turn it was, they would be.
    if (!server_->takes_turns() || waits_for_one(holders[i])) continue;
    Utilisation for_turns = holders[i];
    for (const HeldFor& share : with_turns[i].shares(stages)) {
      if (share.limit == Limit::scheduler)
        for_turns.held_for = HeldFor{share.resource, share.limit, share.share, server_->in_turn()};
    }
    if (for_turns.held_for->limit == Limit::scheduler && waits_for_one(for_turns)) holders[i] = for_turns;
  }
  // What is written back, or read ahead, waits for turns as well, and yet nobody for it where something else is always
  // at work.
  const Utilisation& outermost = holders.back();
  const bool elsewhere = waits_for_one(outermost) && outermost.held_for->limit != Limit::scheduler;
  if (elsewhere && holders.front().limit == Limit::scheduler && !waits_for_one(holders.front()))
    holders.erase(holders.begin());
  for (Utilisation& holder : holders) {
    const Limit named = waits_for_one(holder) ? holder.held_for->limit : holder.limit;
    if (named == Limit::scheduler) holder.remark = more_at_a_time(scenario_);
  }
  return holders;
}

}  // namespace doorbell::model
