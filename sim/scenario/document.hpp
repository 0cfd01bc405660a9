// The top of a scenario file: what stands around the structures that the models declare.
#pragma once

#include <cstdint>
#include <string>

#include "models/describe.hpp"
#include "models/scenario.hpp"
#include "scenario/form.hpp"
#include "scenario/tree.hpp"

namespace doorbell::scenario {

template <> struct IsHardware<model::HardwareProfile> : std::true_type {};
template <> struct IsHardware<model::StorageServer> : std::true_type {};
template <> struct IsHardware<model::HostSoftware> : std::true_type {};
template <> struct IsHardware<model::ClientNode> : std::true_type {};

/// A machine group as it is written.
struct MachineEntry {
  model::HardwareProfile hardware;
  int count = 1;
};
template <class V> void describe(V& v, MachineEntry& s) {
  v.field("hardware", s.hardware, {.doc = "Hardware profile: the path of its file, or the profile itself."});
  v.optional("count", s.count, {.doc = "Machines of this kind.", .min = 1, .max = 4096});
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
  v.optional("title", s.title, {.doc = "What the scenario shows; the name of the file when left out."});
  v.field("machines", s.machines, {.doc = "Machine groups."});
  v.optional("fabric", s.fabric, {.doc = "The switch between the machines."});
  v.field("programs", s.programs, {.doc = "What runs on the machines."});
  v.field("measure", s.measure, {.doc = "What is measured."});
  v.optional("seed", s.seed, {.doc = "Seed of all random streams.", .min = 0, .max = 9007199254740991});
}

/// A file that describes a storage server and its load, instead of machines and programs.
struct StorageDocument {
  std::string title;
  model::StorageScenario storage;
  std::int64_t seed = 1;
};
template <class V> void describe(V& v, StorageDocument& s) {
  v.optional("title", s.title, {.doc = "What the scenario shows; the name of the file when left out."});
  v.field("storage", s.storage, {.doc = "The storage server and what is asked of it."});
  v.optional("seed", s.seed, {.doc = "Seed of all random streams.", .min = 0, .max = 9007199254740991});
}

/// A file about a host that uses the memory of other machines.
struct RemoteMemoryDocument {
  std::string title;
  model::RemoteMemoryScenario remote_memory;
  std::int64_t seed = 1;
};
template <class V> void describe(V& v, RemoteMemoryDocument& s) {
  v.optional("title", s.title, {.doc = "What the scenario shows; the name of the file when left out."});
  v.field("remote_memory", s.remote_memory, {.doc = "The host, the machines that lend memory, and the load."});
  v.optional("seed", s.seed, {.doc = "Seed of all random streams.", .min = 0, .max = 9007199254740991});
}

/// A file about streams of data that share links, buses and memories.
struct TransferDocument {
  std::string title;
  model::TransferScenario transfers;
  std::int64_t seed = 1;
};
template <class V> void describe(V& v, TransferDocument& s) {
  v.optional("title", s.title, {.doc = "What the scenario shows; the name of the file when left out."});
  v.field("transfers", s.transfers, {.doc = "What is shared, and who sends."});
  v.optional("seed", s.seed, {.doc = "Seed of all random streams.", .min = 0, .max = 9007199254740991});
}

/// A file about machines that share the disks of a storage server.
struct SharedFilesDocument {
  std::string title;
  model::SharedFilesScenario shared_files;
  std::int64_t seed = 1;
};
template <class V> void describe(V& v, SharedFilesDocument& s) {
  v.optional("title", s.title, {.doc = "What the scenario shows; the name of the file when left out."});
  v.field("shared_files", s.shared_files, {.doc = "The server, the machines that mount its files, and the load."});
  v.optional("seed", s.seed, {.doc = "Seed of all random streams.", .min = 0, .max = 9007199254740991});
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
inline constexpr std::string_view programs = "programs";
inline constexpr std::string_view storage = "storage";
inline constexpr std::string_view remote_memory = "remote_memory";
inline constexpr std::string_view transfers = "transfers";
inline constexpr std::string_view shared_files = "shared_files";
inline constexpr std::string_view software = "software";
inline constexpr std::string_view node = "node";
inline constexpr std::string_view measure = "measure";
}  // namespace keys

}  // namespace doorbell::scenario
