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

std::string machines_of(const model::Scenario& scenario) {
  std::vector<std::string> machines;
  for (const auto& [name, group] : scenario.machines) {
    const std::string count = group.count == 1 ? "" : fmt::format("{} x ", group.count);
    machines.push_back(fmt::format("{}{} ({})", count, name, group.hardware_name));
  }
  return fmt::format("{}", fmt::join(machines, ", "));
}

std::string entry_of(const std::filesystem::path& file, const std::string& name) {
  constexpr std::size_t indent = 4;
  const std::string margin(indent, ' ');
  try {
    if (scenario::is_profile(file))
      return name + "\n" + wrapped(margin + "Hardware: " + scenario::load_profile(file).title, indent);
    const scenario::ScenarioFile loaded = scenario::load_file(file);
    std::string text = name + "\n" + margin + wrapped(loaded.title, indent);
    text += margin + wrapped("Machines: " + machines_of(loaded.points.front().scenario), indent);
    if (loaded.sweep_paths.empty()) return text;
    return text + margin +
           wrapped(fmt::format("Sweep of {} points: {}", loaded.points.size(), fmt::join(loaded.sweep_paths, ", ")),
                   indent);
  } catch (const scenario::ScenarioError& error) {
    return name + "\n" + margin +
           wrapped(fmt::format("Not complete by itself, or wrong: {}", scenario::code_text(error.code())), indent);
  }
}

}  // namespace

void add_list(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand("list", "List the scenarios and hardware profiles in the data folder");
  command->callback([&session] {
    const std::filesystem::path folder = scenario::data_directory(session.data_dir) / "scenarios";
    std::string text = wrapped("In " + folder.string() + ":", 0);
    for (const std::filesystem::path& file : json_files(folder)) {
      text += "\n" + entry_of(file, file.lexically_relative(folder).string());
    }
    Output{std::nullopt}.write(text);
  });
}

}  // namespace doorbell::cli
