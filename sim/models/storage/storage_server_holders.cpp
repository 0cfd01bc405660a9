#include "models/storage/storage_server.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "models/common/bottleneck.hpp"

namespace doorbell::model {
namespace {

/// What would save most of the time if there was twice as much of it, which need not be what takes most.
const HeldFor& worth_most(const std::vector<HeldFor>& shares) {
  return *std::ranges::max_element(shares, {}, &HeldFor::gain);
}

}  // namespace

std::vector<Utilisation> StorageServerSimulation::held_stages(Bandwidth moved,
                                                              const std::vector<FluidNetwork::Load>& loads) const {
  const Time now = calendar_.now();
  const DiskArrayParameters& raid = scenario_.server.raid;
  const double disks = moved.bytes_per_second / (raid.media.bytes_per_second * raid.disks);
  std::vector<Utilisation> stages(for_resources);
  stages[for_server_cpu] = {"server/CPU", cpu_.in_use().mean(now), Limit::cpu};
  stages[for_commands] = {"server/medium, one request at a time", device_.in_use().mean(now), Limit::device};
  stages[for_disks] = {"server/disks", disks, Limit::disk_heads};
  stages[for_messages] = {"server/NIC, one message at a time", nic_.in_use().mean(now), Limit::device};
  stages[for_latency] = {"network/latency", 0, Limit::in_flight};
  for (const FluidNetwork::Load& load : loads) stages.push_back({load.name, load.busy, load.limit});
  return stages;
}

std::vector<Utilisation> StorageServerSimulation::holders(Bandwidth moved,
                                                          const std::vector<FluidNetwork::Load>& loads) const {
  const Time now = calendar_.now();
  HeldTime buffer;
  const auto add_stage = [&buffer](const HeldTime& stage, Time waits) {
    buffer.add(stage);
    // What is taken back may have been added before the warm-up ended.
    buffer.add_wait(stage, std::max(0.0, to_seconds(waits)));
  };
  add_stage(held_.cpu, held_.cpu_waits);
  add_stage(held_.device, held_.device_waits);
  add_stage(held_.nic, held_.nic_waits);
  buffer.take_off(held_.beside);
  HeldTime request = buffer;
  request.add_wait(buffer, to_seconds(held_.sram_waits));
  request.add(for_latency, held_.latency);
  const std::vector<Utilisation> stages = held_stages(moved, loads);
  const auto most = [&stages](const HeldTime& held) -> std::optional<HeldFor> {
    const std::vector<HeldFor> shares = held.shares(stages);
    if (shares.empty()) return std::nullopt;
    // What serves one at a time is a holder itself. Of others that limit, the busiest leaves the least to gain
    // elsewhere.
    const auto weight = [](const HeldFor& item) {
      constexpr double worth_telling = 0.1;
      const bool limits =
          item.limit != Limit::device && item.gain >= worth_telling && waits_for_one({"", 0, Limit::in_flight, item});
      return limits ? item.busy : 0;
    };
    const HeldFor& scarcest = *std::ranges::max_element(shares, {}, weight);
    return weight(scarcest) > 0 ? scarcest : worth_most(shares);
  };

  std::vector<Utilisation> holders{
      {"server/medium, one request at a time", device_.in_use().mean(now), Limit::device, most(held_.device)},
      {"server/NIC, one message at a time", nic_.in_use().mean(now), Limit::device, most(held_.nic)},
      {"server/buffers in the NIC's memory", sram_.contended().mean(now), Limit::in_flight, most(buffer)},
      {"client/requests in flight", 1, Limit::in_flight, most(request)}};  // each is followed by the next
  const std::int64_t room = scenario_.request.count * (sram_.capacity() / scenario_.request.count);
  const double taken = room > 0 ? sram_.in_use().mean(now) / static_cast<double>(room) : 0;
  if (taken >= saturated) holders[3].as_full = holders[2].resource;
  // Sends that have begun may wait for the medium.
  const double nic_held = held_.nic.seconds();
  const double nic_works = nic_held > 0 ? 1 - to_seconds(held_.nic_for_data) / nic_held : 1;
  if (nic_works < 0.5) {
    holders.erase(holders.begin() + 1);
  } else if (holders[0].busy < nic_works * holders[1].busy) {
    std::swap(holders[0], holders[1]);  // a request has these two one after the other, so neither is the inner one
  }
  return holders;
}

std::string StorageServerSimulation::copies_remark(const std::vector<Utilisation>& stages) const {
  if (scenario_.path != DataPath::tcp) return {};
  const std::vector<HeldFor> shares = held_.cpu.shares(stages);
  if (shares.empty()) return {};
  const HeldFor& most = worth_most(shares);
  if (most.resource != "server/memory bus" && most.resource != "server/front-side bus") return {};
  return "; " + percent(most.share) + " of that time it copies as fast as " + most.resource + " lets it";
}

}  // namespace doorbell::model
