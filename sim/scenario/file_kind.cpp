#include "scenario/file_kind.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "scenario/document.hpp"
#include "scenario/error.hpp"
#include "scenario/form.hpp"
#include "scenario/named_file.hpp"
#include "scenario/parse.hpp"

namespace doorbell::scenario {
namespace {

constexpr std::array<std::pair<std::string_view, FileKind>, 13> schemas{
    {{"scenario.json", FileKind::scenario},
     {"storage.json", FileKind::scenario},
     {"remote_memory.json", FileKind::scenario},
     {"transfers.json", FileKind::scenario},
     {"shared_files.json", FileKind::scenario},
     {"dma.json", FileKind::scenario},
     {"hardware.json", FileKind::hardware},
     {"storage_server.json", FileKind::storage_server},
     {"client_node.json", FileKind::client_node},
     {"dma_machine.json", FileKind::dma_machine},
     {"nvme_drive.json", FileKind::nvme_drive},
     {"software.json", FileKind::software},
     {"fabric.json", FileKind::fabric}}};

/// By the whole name: "storage_server.json" is no "server.json".
std::optional<FileKind> kind_of_schema(const Node& tree) {
  const Node* schema = tree.find(keys::schema);
  if (schema == nullptr || !schema->is(Kind::text)) return {};
  const std::string name = std::filesystem::path{schema->text}.filename().string();
  const auto known = std::find_if(schemas.begin(), schemas.end(), [&](const auto& one) { return one.first == name; });
  return known == schemas.end() ? std::nullopt : std::optional{known->second};
}

bool has_part_of(const Form& form, const Node& tree) {
  return std::any_of(tree.members.begin(), tree.members.end(), [&](const Member& member) {
    return member.name != keys::title && form.find(member.name) != nullptr;
  });
}

FileKind kind_of(const std::filesystem::path& file, const Location& from, int deepest) {
  const Node tree = parse_file(file, from, {}, LineBreaks::allowed);
  if (const auto kind = kind_of_schema(tree)) return *kind;
  if (const auto kind = kind_of_parts(tree)) return *kind;
  const Node* extends = tree.find(keys::extends);
  if (deepest == 0 || extends == nullptr || !extends->is(Kind::text)) return FileKind::scenario;
  try {
    return kind_of(named_file(file.parent_path(), extends->text), extends->at, deepest - 1);
  } catch (const ScenarioError&) {
    return FileKind::scenario;  // whoever reads that file will say what is wrong with it
  }
}

}  // namespace

std::string_view name_of(FileKind kind) {
  switch (kind) {
    case FileKind::scenario: return "a scenario";
    case FileKind::hardware: return "a hardware profile";
    case FileKind::storage_server: return "the profile of a storage server";
    case FileKind::client_node: return "the profile of a client node";
    case FileKind::dma_machine: return "the profile of a DMA machine";
    case FileKind::nvme_drive: return "the profile of an NVMe drive";
    case FileKind::software: return "a software profile";
    case FileKind::fabric: return "the profile of a fabric";
    case FileKind::figure: return "a figure";
    case FileKind::calibration: return "a calibration file";
    case FileKind::results: return "results of reproduce";
    case FileKind::targets: return "targets of a collection of figures";
  }
  return {};
}

std::optional<FileKind> kind_of_parts(const Node& tree) {
  const auto has = [&](std::string_view name) { return tree.find(name) != nullptr; };
  if (has_part_of(document_form(tree), tree)) return FileKind::scenario;
  if (has("flash")) return FileKind::nvme_drive;
  if (has("dma_engine")) return FileKind::dma_machine;
  if (has("cache_of_core")) return FileKind::client_node;
  if (has("bus") || has("raid")) return FileKind::storage_server;
  if (has_part_of(form_of<model::HardwareProfile>(), tree)) return FileKind::hardware;
  if (has_part_of(form_of<model::StorageServer>(), tree)) return FileKind::storage_server;
  if (has_part_of(form_of<model::HostSoftware>(), tree)) return FileKind::software;
  if (has_part_of(form_of<model::Fabric>(), tree)) return FileKind::fabric;
  if (has("series") && has("panels")) return FileKind::figure;
  if (has("stages") && has("profile")) return FileKind::calibration;
  if (has("figures") && has("collections")) return FileKind::results;
  if (has("fit") || has("validation")) return FileKind::targets;
  if (has("claims") && tree.members.size() == 1) return FileKind::targets;
  return {};
}

void refuse_other_kind(const Node& tree, std::optional<FileKind> wanted, const Location& from,
                       const std::string& pointer) {
  std::optional<FileKind> kind = kind_of_schema(tree);
  // What one part of several tells is unsure: profiles of different kinds have parts of the same name.
  if (!kind && tree.find(keys::extends) == nullptr) kind = kind_of_parts(tree);
  if (!kind || (wanted ? *kind == *wanted : is_profile(*kind))) return;
  const std::string expected{wanted ? name_of(*wanted) : "a profile"};
  throw ScenarioError{{ErrorCode::wrong_file, from, pointer, expected, std::string{name_of(*kind)}, {}}};
}

FileKind file_kind(const std::filesystem::path& file, const Location& from) {
  constexpr int longest_chain = 32;  // as of Inheritance
  return kind_of(file, from, longest_chain);
}

}  // namespace doorbell::scenario
