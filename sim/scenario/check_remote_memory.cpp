// Remote-memory scenarios whose parts contradict one another.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "models/remote_loads/machines_beside.hpp"
#include "scenario/checks.hpp"
#include "scenario/form.hpp"

namespace doorbell::scenario {

using namespace model;

namespace {

void check_load(const Examined& examined, const Pointer& at, RemoteLoad& load) {
  const int loads = count_loads(load);
  if (loads != 1) {
    examined.refuse(ErrorCode::one_load, at, R"(one load: "block", "paging", "records" or "files")",
                    loads == 0 ? "none" : fmt::format("{}", loads));
  }
  // A loop over verbs knows no sectors.
  if (load.block && !load.block->in_handler) {
    const Pointer block = at / member_name(load, load.block);
    check_sectors(examined, block / member_name(*load.block, load.block->size), load.block->size);
  }
  if (load.paging)
    check_pages(examined, at / member_name(load, load.paging), *load.paging, *load.paging, load.paging->threads);
  if (load.files && load.files->file < load.files->record) {
    examined.refuse(ErrorCode::window_too_small,
                    at / member_name(load, load.files) / member_name(*load.files, load.files->file),
                    fmt::format("room for one record of {} B", load.files->record.count),
                    fmt::format("{} B", load.files->file.count));
  }
  if (load.records) check_records(examined, at / member_name(load, load.records), *load.records, *load.records);
}

/// The programs that run beside the load.
void check_beside(const Scenario& scenario, const RemoteMemoryScenario& remote, const Node& tree) {
  if (scenario.machines.empty() && scenario.programs.empty()) return;
  Scenario all;
  static_cast<ProgramScenario&>(all) = with_host_and_peers(scenario, remote);
  std::vector<std::string_view> loaded{host_machine};
  if (remote.access.protocol == Protocol::two_sided) loaded.push_back(peer_machine);
  const Examined examined{all, tree, std::move(loaded)};
  for (const auto& [name, group] : scenario.machines) {
    if (name != host_machine && name != peer_machine) continue;
    examined.refuse(ErrorCode::reserved_name, Pointer{} / keys::machines / name,
                    R"(another name: "host" and "peer" are there in any case)", in_quotes(name));
  }
  check_programs(examined);
}

/// A run tells what is beside the load, and the load's kinds of operations, by name.
void check_names(const Scenario& scenario, RemoteMemoryScenario& remote, const Node& tree) {
  constexpr std::array<std::string_view, 3> kinds{"reads", "writes", "updates"};
  Scenario none;
  const Examined examined{none, tree};
  const auto refuse = [&](const Pointer& at, const std::string& name) {
    examined.refuse(ErrorCode::reserved_name, at,
                    "a name that neither the load's operations nor anything else beside it has", in_quotes(name));
  };
  for (const auto& [name, program] : scenario.programs) {
    if (std::ranges::find(kinds, name) != kinds.end()) refuse(examined.program(name), name);
  }
  const Pointer beside = Pointer{} / keys::remote_memory / member_name(remote, remote.beside);
  for (const auto& [name, load] : remote.beside) {
    const bool taken = find(scenario.programs, name) != nullptr || std::ranges::find(kinds, name) != kinds.end();
    if (taken) refuse(beside / name, name);
  }
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
  check_remote_access(examined, at / member_name(remote, remote.access), remote.access, remote.hardware,
                      at / keys::hardware);
  check_names(scenario, remote, tree);
  check_beside(scenario, remote, tree);
}

}  // namespace doorbell::scenario
