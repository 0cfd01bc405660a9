#include "scenario/load.hpp"

#include <stdexcept>

#include "scenario/block_trace.hpp"
#include "scenario/checks.hpp"
#include "scenario/document.hpp"
#include "scenario/reader.hpp"
#include "scenario/resolution.hpp"

namespace doorbell::scenario {
namespace {

/// Profiles have titles like scenarios; the models' structure has no place for them. `owner` is where the profile is,
/// if anywhere.
std::string take_title(Node* owner, const std::string& name, std::string_view profile = keys::hardware) {
  Node* described = owner == nullptr ? nullptr : owner->find(profile);
  if (described == nullptr) return name;
  const Node* title = described->find(keys::title);
  std::string text = title != nullptr && title->is(Kind::text) ? title->text : name;
  described->erase(keys::title);
  return text;
}

/// A fabric without a file has none.
void take_title_of_fabric(Node& owner) {
  const Node* fabric = owner.find(keys::fabric);
  if (fabric != nullptr && fabric->profile) take_title(&owner, {}, keys::fabric);
}

/// Reads a scenario that is not about machines and programs; `complete` adds what is not in the structure of the file,
/// and checks it.
template <class About, class Complete>
model::Scenario read_about(const Node& tree, const std::string& default_title, Complete complete) {
  DocumentAbout<About> document;
  document.title = default_title;
  read(tree, Pointer{}, false, {}, document);
  complete(document.subject);
  model::Scenario scenario;
  scenario.title = document.title;
  scenario.instead = std::move(document.subject);
  scenario.seed = static_cast<std::uint64_t>(document.seed);
  return scenario;
}

model::Scenario read_storage_scenario(Node tree, const std::string& default_title) {
  const std::string server_name = take_title(tree.find(keys::storage), {});
  return read_about<model::StorageScenario>(tree, default_title, [&](model::StorageScenario& storage) {
    storage.server_name = server_name;
    check_storage(storage, tree);
  });
}

/// Takes the titles of the profiles of machine groups; returns those of their hardware, by group.
model::Named<std::string> take_titles_of_machines(Node& tree) {
  model::Named<std::string> hardware_names;
  Node* machines = tree.find(keys::machines);
  if (machines == nullptr) return hardware_names;
  for (const std::string& name : machines->names()) {
    Node* machine = machines->find(name);
    hardware_names.emplace_back(name, take_title(machine, name));
    take_title(machine->find(keys::drives), {});
    take_title(machine, {}, keys::software);
  }
  return hardware_names;
}

model::Named<model::MachineGroup> groups_of(model::Named<MachineEntry>& machines,
                                            const model::Named<std::string>& hardware_names) {
  model::Named<model::MachineGroup> groups;
  for (std::size_t i = 0; i < machines.size(); ++i) {
    auto& [name, entry] = machines[i];
    if (entry.remote_device) {
      const MachineEntry* peers = model::find(machines, entry.remote_device->peers);
      if (peers != nullptr) entry.remote_device->access.peers = peers->count;
    }
    groups.emplace_back(name, model::MachineGroup{hardware_names[i].second, entry.hardware, entry.count, entry.drives,
                                                  entry.software, entry.remote_device});
  }
  return groups;
}

/// Reads a document with machines and programs, and of the scenario what all such documents have.
template <class AnyDocument>
model::Scenario read_programs(Node& tree, const std::string& default_title, AnyDocument& document) {
  const model::Named<std::string> hardware_names = take_titles_of_machines(tree);
  document.title = default_title;
  read(tree, Pointer{}, false, {}, document);
  model::Scenario scenario;
  scenario.title = document.title;
  scenario.machines = groups_of(document.machines, hardware_names);
  scenario.programs = std::move(document.programs);
  scenario.seed = static_cast<std::uint64_t>(document.seed);
  return scenario;
}

model::Scenario read_remote_memory_scenario(Node tree, const std::string& default_title) {
  take_title(tree.find(keys::remote_memory), {});
  take_title(tree.find(keys::remote_memory), {}, keys::software);
  take_title_of_fabric(*tree.find(keys::remote_memory));
  RemoteMemoryDocument document;
  model::Scenario scenario = read_programs(tree, default_title, document);
  scenario.instead = std::move(document.subject);
  check_remote_memory(scenario, tree);
  return scenario;
}

model::Scenario read_transfer_scenario(const Node& tree, const std::string& default_title) {
  return read_about<model::TransferScenario>(
      tree, default_title, [&](model::TransferScenario& transfers) { check_transfers(transfers, tree); });
}

model::Scenario read_dma_scenario(Node tree, const std::string& default_title) {
  const std::string hardware_name = take_title(tree.find(keys::dma), {});
  return read_about<model::DmaScenario>(tree, default_title, [&](model::DmaScenario& dma) {
    dma.hardware_name = hardware_name;
    check_dma(dma, tree);
  });
}

model::Scenario read_shared_files_scenario(Node tree, const std::string& default_title) {
  take_title(tree.find(keys::shared_files), {});
  take_title(tree.find(keys::shared_files), {}, keys::node);
  return read_about<model::SharedFilesScenario>(tree, default_title, [&](model::SharedFilesScenario& shared_files) {
    check_shared_files(shared_files, tree);
    read_trace_of(shared_files, tree);
    check_file_settings(shared_files, tree);
  });
}

model::Scenario read_scenario(Node tree, const std::string& default_title) {
  if (tree.find(keys::shared_files) != nullptr) return read_shared_files_scenario(std::move(tree), default_title);
  if (tree.find(keys::dma) != nullptr) return read_dma_scenario(std::move(tree), default_title);
  if (tree.find(keys::transfers) != nullptr) return read_transfer_scenario(tree, default_title);
  if (tree.find(keys::remote_memory) != nullptr) return read_remote_memory_scenario(std::move(tree), default_title);
  if (tree.find(keys::storage) != nullptr) return read_storage_scenario(std::move(tree), default_title);
  take_title_of_fabric(tree);
  Document document;
  model::Scenario scenario = read_programs(tree, default_title, document);
  scenario.fabric = document.fabric;
  scenario.measure = document.measure;
  check(scenario, tree);
  return scenario;
}

}  // namespace

ScenarioFile load_file(const std::filesystem::path& file, const LoadOptions& options) {
  Resolution resolution{file, options};
  ScenarioFile loaded;
  loaded.hash = resolution.hash();
  for (const Axis& axis : resolution.axes()) {
    for (const Pointer& path : axis.paths) loaded.sweep_paths.push_back(path.text());
  }
  loaded.points.reserve(resolution.points());
  for (std::size_t i = 0; i < resolution.points(); ++i) {
    Point& point = loaded.points.emplace_back();
    point.coordinates = resolution.coordinates(i);
    point.scenario = read_scenario(resolution.tree(i), file.stem().string());
    if (options.seed) point.scenario.seed = *options.seed;
  }
  loaded.title = loaded.points.front().scenario.title;
  return loaded;
}

std::vector<Axis> axes_at(const std::filesystem::path& file, const LoadOptions& options, std::size_t point) {
  std::vector<Axis> axes = Resolution{file, options}.axes();
  if (point >= point_count(axes)) throw std::out_of_range("no such point");
  const std::vector<std::size_t> rows = rows_at(axes, point);
  for (std::size_t i = 0; i < axes.size(); ++i) axes[i].rows = {axes[i].rows[rows[i]]};
  return axes;
}

std::vector<Point> load(const std::filesystem::path& file, const LoadOptions& options) {
  return load_file(file, options).points;
}

}  // namespace doorbell::scenario
