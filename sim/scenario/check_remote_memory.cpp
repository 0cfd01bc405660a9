// Remote-memory scenarios whose parts contradict one another.
#include <fmt/format.h>

#include "models/remote_memory/machines_beside.hpp"
#include "models/remote_memory/record_touches.hpp"
#include "scenario/checks.hpp"
#include "scenario/form.hpp"

namespace doorbell::scenario {

using namespace model;

namespace {

/// The scale must leave enough records to choose from, and no more pages than a page table can number.
void check_scale(const Examined& examined, const Pointer& at, RecordLoad& load) {
  constexpr std::int64_t fewest_records = 64;
  constexpr std::int64_t most_pages = 1 << 26;
  const Pointer scale = at / member_name(load, load.scale);
  if (simulated_records(load) < fewest_records) {
    examined.refuse(ErrorCode::unfit_scale, scale,
                    fmt::format("at most {}, which leaves {} records", load.records / fewest_records, fewest_records),
                    fmt::format("{}", load.scale));
  }
  const std::int64_t pages = record_pages(load) + index_pages(load);
  if (pages > most_pages) {
    const std::int64_t enough = load.scale * ((pages + most_pages - 1) / most_pages);
    examined.refuse(ErrorCode::unfit_scale, scale,
                    fmt::format("{} or so, for {} pages at the most", enough, most_pages),
                    fmt::format("{}, which makes {} pages", load.scale, pages));
  }
}

void check_load(const Examined& examined, const Pointer& at, RemoteLoad& load) {
  const int loads = count_loads(load);
  if (loads != 1) {
    examined.refuse(ErrorCode::one_load, at, R"(one load: "block", "paging", "records" or "files")",
                    loads == 0 ? "none" : fmt::format("{}", loads));
  }
  if (load.records) check_scale(examined, at / member_name(load, load.records), *load.records);
}

/// The programs that run beside the load.
void check_beside(const Scenario& scenario, const RemoteMemoryScenario& remote, const Node& tree) {
  if (scenario.machines.empty() && scenario.programs.empty()) return;
  Scenario all = with_host_and_peers(scenario, remote);
  const Examined examined{all, tree, {host_machine, peer_machine}};
  for (const auto& [name, group] : scenario.machines) {
    if (!examined.has_load(name)) continue;
    examined.refuse(ErrorCode::reserved_name, Pointer{} / keys::machines / name,
                    "a name that remote memory does not give to machines of its own", in_quotes(name));
  }
  check_programs(examined);
}

}  // namespace

void check_remote_memory(Scenario& scenario, const Node& tree) {
  RemoteMemoryScenario& remote = *scenario.find<RemoteMemoryScenario>();
  Scenario none;
  const Examined examined{none, tree};
  const Pointer at = Pointer{} / keys::remote_memory;
  check_profile(examined, at / keys::hardware, remote.hardware);
  check_load(examined, at, remote);
  const Pointer beside = at / member_name(remote, remote.beside);
  for (auto& [name, load] : remote.beside) check_load(examined, beside / name, load);
  RemoteAccess& access = remote.access;
  if (access.replicas > access.peers) {
    examined.refuse(ErrorCode::too_few_peers, at / "access" / member_name(access, access.replicas),
                    fmt::format("at most {}, the number of peers", access.peers), fmt::format("{}", access.replicas));
  }
  if (access.unreachable > access.peers) {
    examined.refuse(ErrorCode::too_few_peers, at / "access" / member_name(access, access.unreachable),
                    fmt::format("at most {}, the number of peers", access.peers),
                    fmt::format("{}", access.unreachable));
  }
  if (uses_disk(access) && !remote.hardware.disk) {
    examined.refuse(ErrorCode::no_disk, at / keys::hardware,
                    access.copy_on_disk ? "a profile with a disk for the copies of writes"
                                        : "a profile with a disk for blocks of which no replica is left",
                    "none");
  }
  check_beside(scenario, remote, tree);
}

}  // namespace doorbell::scenario
