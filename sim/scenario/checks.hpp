// What no single parameter can get wrong: checks of a whole scenario, before anything runs.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "models/scenario.hpp"
#include "scenario/document.hpp"
#include "scenario/error.hpp"
#include "scenario/member_name.hpp"
#include "scenario/pointer.hpp"
#include "scenario/tree.hpp"

namespace doorbell::scenario {

/// Throws ScenarioError for the first contradiction, at the place in `tree` (the document the scenario was read from)
/// that the user should look at.
void check(model::Scenario& scenario, const Node& tree);

/// The same for a storage server; `tree` is the whole document.
void check_storage(model::StorageScenario& storage, const Node& tree);

/// The same for a host that uses remote memory, and programs beside its load.
void check_remote_memory(model::Scenario& scenario, const Node& tree);

/// The same for streams of data.
void check_transfers(model::TransferScenario& transfers, const Node& tree);

/// The same for machines that share files.
void check_shared_files(model::SharedFilesScenario& shared, const Node& tree);
/// That their settings have an effect on their load, of which the trace has been read, that what it reads fits into the
/// NIC's memory, and that direct I/O is of whole sectors.
void check_file_settings(model::SharedFilesScenario& shared, const Node& tree);

/// The same for a device that reads and writes host memory.
void check_dma(model::DmaScenario& dma, const Node& tree);

/// Sizes that are compared read alike, to the byte: "4 KiB" beside "5 kB" does not.
[[nodiscard]] std::string in_bytes(Bytes size);

/// A scenario under examination, with the way from its members back to the document.
struct Examined {
  model::Scenario& scenario;
  const Node& tree;
  /// Groups of machines on whose cores a load runs, too.
  std::vector<std::string_view> loaded = {};

  [[nodiscard]] bool has_load(std::string_view machine) const {
    return std::ranges::find(loaded, machine) != loaded.end();
  }
  [[nodiscard]] Pointer program(std::string_view name) const { return Pointer{} / keys::programs / name; }

  /// Throws ScenarioError at the value of `pointer`, or at what is around it when it was left to its default.
  [[noreturn]] void refuse(ErrorCode code, const Pointer& pointer, const std::string& expected,
                           const std::string& found, const std::string& suggestion = {}) const;

  /// Throws ScenarioError unless `name` is a key of `named`.
  template <class T>
  T& require_name(const std::string& name, model::Named<T>& named, ErrorCode code, const Pointer& pointer) const {
    std::vector<std::string> names;
    for (auto& [key, value] : named) {
      if (key == name) return value;
      names.push_back(key);
    }
    refuse(code, pointer, names.empty() ? "a name that is defined (there is none)" : alternatives(names),
           in_quotes(name), nearest(name, names));
  }
};

/// That programs, and what they expect of one another and of their machines, can be.
void check_programs(const Examined& examined);

/// One step of a program.
struct StepSite {
  const std::string& program_name;
  model::Program& program;
  std::size_t index;  ///< In the program's loop.
  Pointer pointer;    ///< Of the structure of the step, for example /programs/worker/loop/2/post.
};

/// Throws ScenarioError for the `signal_every` of a post step; where that was left to its default, at the other value
/// that it does not go with, or at the step if that is not written either.
[[noreturn]] void refuse_signal_every(const Examined& examined, const Pointer& at, model::PostStep& step,
                                      ErrorCode code, const Pointer& other, const std::string& expected);

void check_post(const Examined& examined, const StepSite& site, model::PostStep& step);
/// A region, at `pointer`, and the operations that go there: what it holds must fit and be aligned, as far as they ask.
void check_region(const Examined& examined, const Pointer& pointer, model::Region& region, model::Verb verb,
                  Bytes size);
/// That its connected queue pairs are enough for the peers it reaches, and lead nowhere else in a step before it.
void check_connections(const Examined& examined, const StepSite& site, model::PostStep& step);
void check_collect(const Examined& examined, const StepSite& site, model::CollectStep& step);
void check_compute(const Examined& examined, const StepSite& site, model::ComputeStep& step);
void check_access(const Examined& examined, const StepSite& site, model::AccessStep& step);
/// That requests to a block device, whose size is at `pointer`, are of whole sectors: of 512 B, as Linux counts them.
void check_sectors(const Examined& examined, const Pointer& pointer, Bytes size);
/// A post step that acts for requests; every program's steps have been checked by themselves.
void check_relay(const Examined& examined, const StepSite& site, model::PostStep& step);
void check_await(const Examined& examined, const StepSite& site, model::AwaitStep& step);
/// That nothing else holds up a step that posts what arrives.
void check_arrivals(const Examined& examined, const StepSite& site, model::PostStep& step);
/// That a window is emptied, and that the windows before it leave it room.
void check_window(const Examined& examined, const StepSite& site, model::PostStep& step);
/// That programs do not all wait for one another's requests.
void check_starts(const Examined& examined);
/// That all which an await step waits for ends at all.
void check_answers(const Examined& examined, const StepSite& site);
/// That programs which sleep are woken, and that those which share completion queues collect from them.
void check_completion(const Examined& examined);
/// A link, at `pointer`, that PCI Express does not know.
void check_link(const Examined& examined, const Pointer& pointer, model::PcieParameters& pcie);
/// A profile, at `pointer`, whose parameters contradict one another.
void check_profile(const Examined& examined, const Pointer& pointer, model::HardwareProfile& hardware);
/// A disk, at `pointer`, that seeks faster over half of its tracks than to the next one.
void check_mechanics(const Examined& examined, const Pointer& pointer, model::DiskMechanics& mechanics);
/// The profiles of all machines.
void check_hardware(const Examined& examined);
/// What a device on remote memory, at `pointer`, asks of its peers and of the host's disk. `hardware`: where that is.
void check_remote_access(const Examined& examined, const Pointer& pointer, model::RemoteAccess& access,
                         const model::HardwareProfile& profile, const Pointer& hardware);
/// That the settings of such a device, at `pointer`, have an effect, and that its window holds a page.
void check_device_settings(const Examined& examined, const Pointer& pointer, model::RemoteAccess& access);
/// A store, at `pointer`: its scale must leave enough records to choose from, and no more pages than a page table can
/// number.
void check_records(const Examined& examined, const Pointer& pointer, model::RecordChoice& store,
                   const model::MemoryLimit& limit);
/// Pages, at `pointer`, that so many threads touch in an order: not with different popularity, and each has a part.
void check_pages(const Examined& examined, const Pointer& pointer, model::PageChoice& pages,
                 const model::MemoryLimit& limit, int threads);
/// That programs' memories are touched, and that their pages have a place.
void check_memory(const Examined& examined);
void check_touch(const Examined& examined, const StepSite& site, model::TouchStep& step);
/// That whatever machines and programs have is used.
void check_unused(const Examined& examined);
/// The devices of all machines, and who lends them memory.
void check_remote_devices(const Examined& examined);

}  // namespace doorbell::scenario
