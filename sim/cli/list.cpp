// doorbell list: the scenarios and hardware profiles that come with Doorbell, or with the user's data.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/session.hpp"
#include "cli/text.hpp"
#include "scenario/data_directory.hpp"
#include "scenario/load.hpp"
#include "scenario/profile.hpp"

namespace doorbell::cli {
namespace {

std::vector<std::filesystem::path> json_files(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator{folder}) {
    const bool schema = entry.path().parent_path().filename() == "schema";
    if (entry.is_regular_file() && entry.path().extension() == ".json" && !schema) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string counted(int count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// What a scenario is about: its machines, or the one thing that it describes instead.
struct SubjectOf {
  const model::Scenario& scenario;

  std::string operator()(const model::StorageScenario& /*storage*/) const { return "A storage server and its client"; }
  std::string operator()(const model::RemoteMemoryScenario& remote_memory) const {
    return "A host with memory on " + counted(remote_memory.access.peers, "peer");
  }
  std::string operator()(const model::TransferScenario& /*transfers*/) const {
    return "Streams of data over shared resources";
  }
  std::string operator()(const model::DmaScenario& /*dma*/) const {
    return "A device that reads and writes host memory";
  }
  std::string operator()(const model::SharedFilesScenario& shared_files) const {
    return "Files that are shared by " + counted(shared_files.mount.nodes, "machine");
  }
  std::string operator()(std::monostate) const {
    std::vector<std::string> machines;
    for (const auto& [name, group] : scenario.machines) {
      const std::string count = group.count == 1 ? "" : fmt::format("{} x ", group.count);
      machines.push_back(count + name);
    }
    return fmt::format("Machines: {}", fmt::join(machines, ", "));
  }
};

std::string entry_of(const std::filesystem::path& file, const std::string& name, Layout layout) {
  constexpr std::size_t indent = 4;
  const auto line = [&](const std::string& text) { return wrapped(std::string(indent, ' ') + text, indent, layout); };
  try {
    if (scenario::is_profile(file)) return name + "\n" + line("Profile: " + scenario::load_profile(file).title);
    const scenario::ScenarioFile loaded = scenario::load_file(file);
    std::string text = name + "\n" + line(loaded.title);
    const model::Scenario& first = loaded.points.front().scenario;
    text += line(std::visit(SubjectOf{first}, first.instead));
    if (loaded.sweep_paths.empty()) return text;
    return text + line(fmt::format("{} points: {}", loaded.points.size(), fmt::join(loaded.sweep_paths, ", ")));
  } catch (const scenario::ScenarioError& error) {
    return name + "\n" + line("Not complete by itself, or wrong: " + scenario::code_text(error.code()));
  }
}

}  // namespace

void add_list(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand("list", "List the scenarios and profiles in the data folder");
  command->callback([&session] {
    const std::filesystem::path folder = scenario::data_directory(session.data_dir) / "scenarios";
    Output output{std::nullopt};
    std::string text = wrapped("In " + folder.string() + ":", 0, output.layout());
    for (const std::filesystem::path& file : json_files(folder)) {
      text += "\n" + entry_of(file, file.lexically_relative(folder).string(), output.layout());
    }
    output.write(text);
  });
}

}  // namespace doorbell::cli
