// doorbell import: the output of measuring tools, made into scenarios, a figure and a calibration file.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/session.hpp"
#include "cli/text.hpp"
#include "tools/measured_set.hpp"
#include "tools/perftest.hpp"

namespace doorbell::cli {
namespace {

struct ImportRequest {
  tools::MeasuredSetRequest set;
  std::string server;  ///< Empty: as the client.
  std::string use = "validation";
};

void import_perftest(ImportRequest request) {
  request.set.server = request.server.empty() ? request.set.client : std::filesystem::path{request.server};
  request.set.use = request.use == "fit" ? figures::Use::fit : figures::Use::validation;
  const tools::MeasuredSet set = tools::write_measured_set(request.set);
  for (const std::string& note : set.notes) fmt::print(stderr, "note: {}\n", note);
  fmt::print("{} measured points. Compare them with simulations:\n  doorbell reproduce {}\n", set.points,
             set.figure.string());
  if (!set.plan.empty()) {
    fmt::print("and fit what limits them:\n  doorbell calibrate {} --write PROFILE\n", set.plan.string());
  } else if (request.set.use == figures::Use::fit) {
    fmt::print("PCI Express limits them all: they tell no parameter of the profile.\n");
  }
}

}  // namespace

void add_import(CLI::App& app, Session&) {
  auto* command = app.add_subcommand(
      "import", "Turn saved output of a tool into scenarios, a figure with its points, and a calibration file");
  command->require_subcommand(1);
  auto* perftest = command->add_subcommand("perftest", "ib_send_bw, ib_write_lat, ib_read_bw and their relatives");
  auto request = std::make_shared<ImportRequest>();
  perftest->add_option("FILE", request->set.files, "What the client printed; one run or several")->required();
  perftest->add_option("--hardware", request->set.client, "Hardware profile of the client")->required();
  perftest->add_option("--server-hardware", request->server, "Of the server, where it differs");
  perftest->add_option("--out", request->set.folder, "Folder to make")->required();
  perftest->add_option("--set", request->use, "What the points are for: fit or validation")
      ->check(CLI::IsMember({"fit", "validation"}));
  perftest->callback([=] {
    try {
      import_perftest(*request);
    } catch (const tools::OutputError& error) {
      throw UsageError{error.what()};
    } catch (const figures::DefinitionError& error) {
      throw UsageError{error.what()};
    }
  });
}

}  // namespace doorbell::cli
