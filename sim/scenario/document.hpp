// The top of a scenario file: what stands around the structures that the models declare.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/common/describe.hpp"
#include "models/scenario.hpp"
#include "scenario/form.hpp"
#include "scenario/tree.hpp"

namespace doorbell::scenario {

/// A machine group as it is written.
struct MachineEntry {
  model::HardwareProfile hardware;
  int count = 1;
  std::optional<model::DriveGroup> drives = std::nullopt;
  std::optional<model::HostSoftware> software = std::nullopt;
  std::optional<model::RemoteDeviceGroup> remote_device = std::nullopt;
};
template <class V> void describe(V& v, MachineEntry& s) {
  v.field("hardware", s.hardware, {.doc = "Hardware profile: the path of its file, or the profile itself."});
  v.optional("count", s.count, {.doc = "Machines of this kind.", .min = 1, .max = 4096});
  v.optional("drives", s.drives, {.doc = "NVMe drives of each machine, for steps that access them."});
  v.optional("software", s.software,
             {.doc = "Software profile of each machine, for a remote_device and for programs that sleep until an "
                     "interrupt, copy or register: the path of its file, or the profile itself."});
  v.optional("remote_device", s.remote_device,
             {.doc = "Device of each machine on the memory of others, for steps that access it."});
}

template <class V> void describe_title(V& v, std::string& title) {
  v.optional("title", title, {.doc = "What the scenario shows; the name of the file when left out."});
}
/// Up to here the numbers of JSON are exact.
inline constexpr std::int64_t largest_seed = 9007199254740991;
template <class V> void describe_seed(V& v, std::int64_t& seed) {
  v.optional("seed", seed, {.doc = "Seed of all random streams.", .min = 0, .max = double{largest_seed}});
}

/// A scenario file after inheritance, overrides and one choice of sweep values.
struct Document {
  std::string title;
  model::Named<MachineEntry> machines;
  model::Fabric fabric;
  model::Named<model::Program> programs;
  model::Measurement measure;
  std::int64_t seed = 1;
};
template <class V> void describe(V& v, Document& s) {
  describe_title(v, s.title);
  v.field("machines", s.machines, {.doc = "Machine groups."});
  v.optional("fabric", s.fabric,
             {.doc = "The switch between the machines: the path of its file, or the switch itself."});
  v.field("programs", s.programs, {.doc = "What runs on the machines."});
  v.field("measure", s.measure, {.doc = "What is measured."});
  describe_seed(v, s.seed);
}

/// What a file says of a scenario that is not about machines and programs.
template <class Scenario> struct Subject;
template <> struct Subject<model::StorageScenario> {
  static constexpr std::string_view key = "storage";
  static constexpr std::string_view doc = "The storage server and what is asked of it.";
};
template <> struct Subject<model::RemoteMemoryScenario> {
  static constexpr std::string_view key = "remote_memory";
  static constexpr std::string_view doc = "The host, the machines that lend memory, and the load.";
};
template <> struct Subject<model::TransferScenario> {
  static constexpr std::string_view key = "transfers";
  static constexpr std::string_view doc = "What is shared, and who sends.";
};
template <> struct Subject<model::SharedFilesScenario> {
  static constexpr std::string_view key = "shared_files";
  static constexpr std::string_view doc = "The server, the machines that mount its files, and the load.";
};

template <> struct Subject<model::DmaScenario> {
  static constexpr std::string_view key = "dma";
  static constexpr std::string_view doc = "The host, the device, and what it reads and writes.";
};

/// A file about one of these.
template <class Scenario> struct DocumentAbout {
  std::string title;
  Scenario subject;
  std::int64_t seed = 1;
};
template <class V, class Scenario> void describe(V& v, DocumentAbout<Scenario>& s) {
  describe_title(v, s.title);
  v.field(Subject<Scenario>::key, s.subject, {.doc = Subject<Scenario>::doc});
  describe_seed(v, s.seed);
}
using StorageDocument = DocumentAbout<model::StorageScenario>;
using TransferDocument = DocumentAbout<model::TransferScenario>;
using SharedFilesDocument = DocumentAbout<model::SharedFilesScenario>;
using DmaDocument = DocumentAbout<model::DmaScenario>;

/// A file about remote memory, beside whose load programs may run.
struct RemoteMemoryDocument {
  std::string title;
  model::RemoteMemoryScenario subject;
  model::Named<MachineEntry> machines;
  model::Named<model::Program> programs;
  std::int64_t seed = 1;
};
template <class V> void describe(V& v, RemoteMemoryDocument& s) {
  using About = Subject<model::RemoteMemoryScenario>;
  describe_title(v, s.title);
  v.field(About::key, s.subject, {.doc = About::doc});
  v.optional("machines", s.machines, {.doc = "Machine groups besides \"host\" and \"peer\", for programs."});
  v.optional("programs", s.programs,
             {.doc = "What runs beside the load, on these machines or on \"host\" and \"peer\"."});
  describe_seed(v, s.seed);
}

/// The form of a file: which kind it is shows in its members.
[[nodiscard]] const Form& document_form(const Node& tree);

/// The names in a document that the loader itself must know, because files meet there.
namespace keys {
inline constexpr std::string_view schema = "$schema";
inline constexpr std::string_view extends = "extends";
inline constexpr std::string_view sweep = "sweep";
inline constexpr std::string_view title = "title";
inline constexpr std::string_view machines = "machines";
inline constexpr std::string_view hardware = "hardware";
inline constexpr std::string_view drives = "drives";
inline constexpr std::string_view remote_device = "remote_device";
inline constexpr std::string_view fabric = "fabric";
inline constexpr std::string_view programs = "programs";
inline constexpr std::string_view storage = Subject<model::StorageScenario>::key;
inline constexpr std::string_view remote_memory = Subject<model::RemoteMemoryScenario>::key;
inline constexpr std::string_view transfers = Subject<model::TransferScenario>::key;
inline constexpr std::string_view shared_files = Subject<model::SharedFilesScenario>::key;
inline constexpr std::string_view dma = Subject<model::DmaScenario>::key;
inline constexpr std::string_view software = "software";
inline constexpr std::string_view node = "node";
inline constexpr std::string_view measure = "measure";
}  // namespace keys

}  // namespace doorbell::scenario
