// doorbell import: the output of measuring tools, made into scenarios, a figure and a calibration file.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/session.hpp"
#include "tools/fio_set.hpp"
#include "tools/measured_set.hpp"
#include "tools/pciebench_set.hpp"
#include "tools/perftest_set.hpp"

namespace doorbell::cli {
namespace {

struct ImportRequest {
  std::vector<std::filesystem::path> files;
  std::filesystem::path client;
  std::filesystem::path server;  ///< Empty: as the client.
  std::filesystem::path folder;
  std::string use = "validation";
};

void add_common_options(CLI::App& command, ImportRequest& request) {
  command.add_option("FILE", request.files, "Saved output; each file may hold several runs")->required();
  command.add_option("--out", request.folder, "Folder to make")->required();
  command.add_option("--use", request.use, "What the points are for: fit or validation")
      ->check(CLI::IsMember({"fit", "validation"}));
}

/// An empty path would be that of the current folder.
void require_path(const std::filesystem::path& path, const std::string& option) {
  if (path.empty())
    throw UsageError{scenario::ErrorCode::option_value, fmt::format("{}: expected a path, found \"\"", option)};
}

void write(const tools::Measurements& measurements, const ImportRequest& request) {
  const figures::Use use = request.use == "fit" ? figures::Use::fit : figures::Use::validation;
  const tools::MeasuredSet set = tools::write_measured_set(measurements, request.folder, use);
  for (const std::string& note : measurements.notes) fmt::print(stderr, "note: {}\n", note);
  std::string text = fmt::format("{} measured point{}. Compare with simulations:\n  doorbell reproduce {}\n",
                                 set.points, set.points == 1 ? "" : "s", set.figure.string());
  if (!set.plan.empty()) {
    text += fmt::format("and fit what limits them:\n  doorbell calibrate {} --write PROFILE\n", set.plan.string());
  } else if (use == figures::Use::fit) {
    text += "They tell no parameter of the profile that can be fitted.\n";
  }
  print(text);
}

/// Complaints about the folder to write are for people; those about a tool's output are so already.
template <class Import> std::function<void()> for_people(Import import) {
  return [import] {
    try {
      import();
    } catch (const figures::DefinitionError& error) {
      throw UsageError{scenario::ErrorCode::no_place, error.what()};
    }
  };
}

void add_perftest(CLI::App& import) {
  auto* command = import.add_subcommand("perftest", "ib_send_bw, ib_write_lat, ib_read_bw and their relatives");
  auto request = std::make_shared<ImportRequest>();
  add_common_options(*command, *request);
  command->add_option("--hardware", request->client, "Hardware profile of the client")->required();
  command->add_option("--server-hardware", request->server, "Of the server, where it differs");
  command->callback(for_people([=] {
    require_path(request->folder, "--out");
    require_path(request->client, "--hardware");
    const auto& server = request->server.empty() ? request->client : request->server;
    write(tools::measured_by_perftest(request->files, request->client, server, request->folder), *request);
  }));
}

/// A tool whose load takes the place of that of a scenario.
void add_with_base(CLI::App& import, const std::string& name, const std::string& tool, const std::string& base_text,
                   tools::Measurements (*measured)(const std::vector<std::filesystem::path>&,
                                                   const std::filesystem::path&, const std::filesystem::path&)) {
  auto* command = import.add_subcommand(name, tool);
  auto request = std::make_shared<ImportRequest>();
  auto base = std::make_shared<std::filesystem::path>();
  add_common_options(*command, *request);
  command->add_option("--scenario", *base, base_text)->required();
  command->callback(for_people([=] {
    require_path(request->folder, "--out");
    require_path(*base, "--scenario");
    write(measured(request->files, *base, request->folder), *request);
  }));
}

}  // namespace

void add_import(CLI::App& app, Session&) {
  auto* command = app.add_subcommand(
      "import", "Turn saved output of a tool into scenarios, a figure with its points, and a calibration file");
  command->require_subcommand(1);
  add_perftest(*command);
  add_with_base(*command, "fio", "fio --output-format=json on a block device",
                "Storage server or remote-memory device, whose load the jobs replace", tools::measured_by_fio);
  add_with_base(*command, "pciebench", "Tables of pcie-bench: bandwidth and latency of DMA",
                "DMA scenario, whose load the tests replace", tools::measured_by_pciebench);
}

}  // namespace doorbell::cli
