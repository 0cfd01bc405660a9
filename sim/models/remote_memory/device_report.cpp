#include "models/remote_memory/device_report.hpp"

#include <algorithm>

#include "models/common/resource_name.hpp"

namespace doorbell::model {
namespace {

constexpr const char* busiest_handler = "busiest completion handler";

template <class Value> double mean(const DevicesOfGroup& group, Value value) {
  double sum = 0;
  for (const auto& device : group.devices) sum += value(*device);
  return sum / static_cast<double>(group.devices.size());
}

template <class Count> std::uint64_t sum(const DevicesOfGroup& group, Count count) {
  std::uint64_t all = 0;
  for (const auto& device : group.devices) all += count(*device);
  return all;
}

bool have_disks(const DevicesOfGroup& group) { return group.devices.front()->device().disk() != nullptr; }

}  // namespace

void report_devices(const DevicesOfGroup& group, Time now, Time measured, std::vector<Utilisation>& report) {
  const auto add = [&](std::string_view part, Limit limit, auto busy) {
    report.push_back({resource_name(group.machine, part), mean(group, busy), limit});
  };
  const Limit cores = group.devices.front()->cpu().is_polled_out() ? Limit::pollers : Limit::cpu;
  add(part::cpu, cores, [&](const HostedDevice& one) { return one.cpu().utilisation(now); });
  report.back().of_most = mean(group, [&](const HostedDevice& one) { return one.cpu().work_of_most(); });
  add(busiest_handler, Limit::completion_handler,
      [&](const HostedDevice& one) { return one.device().handler_utilisation(measured); });
  if (!have_disks(group)) return;
  add("disk", Limit::disk_heads, [&](const HostedDevice& one) { return one.device().disk()->utilisation(now); });
}

void report_windows(const DevicesOfGroup& group, const RemoteAccess& access, Time now, Time measured,
                    std::vector<Utilisation>& holders) {
  if (access.window.count == 0) return;
  const double taken = mean(group, [&](const HostedDevice& one) { return one.device().bytes_in_flight().mean(now); }) /
                       static_cast<double>(access.window.count);
  const double done = mean(group, [&](const HostedDevice& one) { return one.device().share_done(now); });
  const Limit limit = done > 0.25 ? Limit::taken_in_batches : Limit::in_flight;
  holders.push_back({group.machine + "/window", std::min(1.0, taken), limit});
  if (limit != Limit::taken_in_batches) return;
  const double handled =
      mean(group, [&](const HostedDevice& one) { return one.device().handler_utilisation(measured); });
  holders.back().held_for =
      HeldFor{resource_name(group.machine, busiest_handler), Limit::completion_handler, done, handled};
}

std::string piled_up(const DevicesOfGroup& group) {
  constexpr std::int64_t enough = 64;
  constexpr std::int64_t notable = 40;
  if (!have_disks(group)) return {};
  std::int64_t asked = 0;
  std::int64_t left = 0;
  for (const auto& one : group.devices) {
    asked += static_cast<std::int64_t>(one->device().disk()->asked());
    left += one->device().disk()->piled_up();
  }
  if (left < enough || left * notable < asked) return {};
  return resource_name(group.machine, "disk") + " was asked for more than it served: of " + std::to_string(asked) +
         " requests " + std::to_string(left) +
         " piled up while measuring, and in the long run nothing is faster than the disk: a longer warm-up would tell";
}

void report_device_counters(const DevicesOfGroup& group, Time measured, std::vector<CounterReading>& report) {
  const auto add = [&](const char* name, auto count) {
    const std::uint64_t number = sum(group, count);
    report.push_back({group.machine + name, number, Rate{static_cast<double>(number) / to_seconds(measured)}});
  };
  add("/RDMA reads", [](const HostedDevice& one) { return one.device().reads(); });
  add("/RDMA writes", [](const HostedDevice& one) { return one.device().writes(); });
  if (have_disks(group)) {
    add("/disk reads", [](const HostedDevice& one) { return one.device().disk()->reads(); });
    add("/disk writes", [](const HostedDevice& one) { return one.device().disk()->writes(); });
  }
  add("/interrupts", [](const HostedDevice& one) { return one.cpu().interrupts(); });
  add("/context switches", [](const HostedDevice& one) { return one.cpu().context_switches(); });
}

std::vector<Level> device_levels(const DevicesOfGroup& group, Time now) {
  core::LatencyHistogram completions;
  core::LatencyHistogram requests;
  for (const auto& one : group.devices) {
    completions.merge(one->device().completion_time());
    requests.merge(one->requests().latency());
  }
  std::vector<Level> levels{
      {group.machine + "/operations in flight",
       mean(group, [&](const HostedDevice& one) { return one.device().operations_in_flight().mean(now); })},
      {group.machine + "/bytes in flight",
       mean(group, [&](const HostedDevice& one) { return one.device().bytes_in_flight().mean(now); })},
      {group.machine + "/running threads",
       mean(group, [&](const HostedDevice& one) { return one.cpu().runnable(now); })},
      {group.machine + "/RDMA completion time, us", to_seconds(completions.mean()) * 1e6}};
  if (requests.count() == 0) return levels;
  levels.push_back({group.machine + "/request of a program (us)", to_seconds(requests.mean()) * 1e6});
  levels.push_back({group.machine + "/request of a program, p99 (us)", to_seconds(requests.percentile(0.99)) * 1e6});
  return levels;
}

}  // namespace doorbell::model
