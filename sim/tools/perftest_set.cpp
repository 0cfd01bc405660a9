#include "tools/perftest_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "scenario/profile.hpp"
#include "tools/output_file.hpp"
#include "tools/perftest.hpp"
#include "tools/perftest_scenario.hpp"

namespace doorbell::tools {
namespace {

/// All that was measured with one setup.
struct Tests {
  PerftestSetup setup;
  std::map<std::int64_t, std::vector<double>> values;      // by size
  std::map<std::int64_t, figures::Mention> sizes_at = {};  // where the output says them first
  figures::Mention mention = {};
  PerftestMentions settings = {};
};

/// By pointers into the scenario.
std::map<std::string, figures::Mention> said_by(const PerftestMentions& settings) {
  std::map<std::string, figures::Mention> said;
  const auto add = [&](const std::string& pointer, const figures::Mention& mention) {
    if (mention.at.file) said.emplace(pointer, mention);
  };
  for (const std::string program : {"/programs/client/", "/programs/server/"}) {
    const std::string queue_pairs = program + "queue_pairs/queue pairs/";
    const std::string post = program + (program == "/programs/client/" ? "loop/0/post/" : "loop/1/post/");
    add(queue_pairs + "transport", settings.transport);
    add(queue_pairs + "count", settings.queue_pairs);
    add(queue_pairs + "depth", settings.depth);
    add(queue_pairs + "max_inline", settings.max_inline);
    add(post + "window", settings.depth);
    add(post + "batch", settings.post_list);
    add(post + "signal_every", settings.signal_every);
  }
  return said;
}

double value_of(const PerftestSetup& setup, const PerftestRow& row) {
  if (!setup.latency) return row.rate.per_second / 1e6;
  return to_seconds(row.typical) * 1e6 * (is_ping_pong(setup) ? 2 : 1);
}

std::vector<Tests> grouped(const std::vector<PerftestRun>& runs) {
  std::vector<Tests> all;
  for (const PerftestRun& run : runs) {
    auto same = std::find_if(all.begin(), all.end(), [&](const Tests& tests) { return tests.setup == run.setup; });
    if (same == all.end()) same = all.insert(same, Tests{run.setup, {}, {}, run.mention, run.settings});
    for (const PerftestRow& row : run.rows) {
      same->values[row.size.count].push_back(value_of(run.setup, row));
      same->sizes_at.try_emplace(row.size.count, row.mention);
    }
  }
  return all;
}

MeasuredSeries series_of(const Tests& tests, const TestMachines& machines) {
  MeasuredSeries series;
  series.name = name_of(tests.setup);
  series.quantity = tests.setup.means     ? Quantity::mean_latency
                    : tests.setup.latency ? Quantity::latency
                                          : Quantity::rate;
  series.path = payload_path;
  series.x_label = "Payload (bytes)";
  if (is_ping_pong(tests.setup)) series.note = "both ways; the tool prints half";
  PerftestSetup one_queue_pair = tests.setup;
  one_queue_pair.queue_pairs = 1;
  series.workload = name_of(one_queue_pair);
  series.queue_pairs = tests.setup.queue_pairs;
  series.mention = tests.mention;
  std::vector<Bytes> sizes;
  for (const auto& [size, values] : tests.values) {
    sizes.push_back(Bytes{size});
    MeasuredPoint& point = series.points.emplace_back(MeasuredPoint{.x = size, .values = values});
    point.said = said_by(tests.settings);
    for (const char* payload : {payload_path, answer_payload_path}) point.said[payload] = tests.sizes_at.at(size);
  }
  series.scenario = scenario_of(tests.setup, sizes, machines);
  return series;
}

/// RoCE v2 has 82 B per packet beside payload and extension headers: preamble and gap 20, Ethernet 18, IPv4 20, UDP 8,
/// BTH 12 and ICRC 4 B; InfiniBand has 26 (LRH 8, BTH 12, ICRC 4, VCRC 2) and its framing.
constexpr Bytes framing_of_roce{82 - 26};

/// Where the tool used another setting than the profile has.
std::vector<std::string> disagreements(const std::vector<PerftestRun>& runs, const model::HardwareProfile& profile) {
  std::vector<std::string> notes;
  const auto note = [&](const std::string& sentence) {
    if (std::find(notes.begin(), notes.end(), sentence) == notes.end()) notes.push_back(sentence);
  };
  for (const PerftestRun& run : runs) {
    if (run.mtu.count > 0 && run.mtu != profile.port.mtu) {
      note(fmt::format("the tool used an MTU of {} B, /port/mtu of the profile is {} B", run.mtu.count,
                       profile.port.mtu.count));
    }
    if (run.ethernet && profile.port.framing < framing_of_roce) {
      note(
          fmt::format("the tool ran over Ethernet (RoCE), whose packets have {} B of headers and framing; with a "
                      "/port/framing of {} B the profile has InfiniBand's {}: set it to {} B",
                      26 + framing_of_roce.count, profile.port.framing.count, 26 + profile.port.framing.count,
                      framing_of_roce.count));
    }
    if (run.shared_receive_queue) {
      note(
          "the tool used a shared receive queue (SRQ); in the scenarios, each queue pair has a receive queue of its "
          "own");
    }
    if (run.outstanding_reads > 0 && run.outstanding_reads != profile.nic.max_outstanding_reads) {
      note(fmt::format("the tool had {} READs outstanding, /nic/max_outstanding_reads of the profile is {}",
                       run.outstanding_reads, profile.nic.max_outstanding_reads));
    }
  }
  return notes;
}

}  // namespace

Measurements measured_by_perftest(const std::vector<std::filesystem::path>& files, const std::filesystem::path& client,
                                  const std::filesystem::path& server, const std::filesystem::path& folder) {
  require_different(files);
  std::vector<PerftestRun> runs;
  std::vector<std::string> notes;
  for (const auto& file : files) {
    for (PerftestRun& run : read_perftest(file)) {
      if (run.open_end > 0) {
        notes.push_back(
            fmt::format("{}:{}: no line of dashes follows the table: the tool may have been stopped before its end",
                        file.string(), run.open_end));
      }
      runs.push_back(std::move(run));
    }
  }
  const TestMachines machines{relative_name(client, folder), relative_name(server, folder)};
  for (std::string& note : disagreements(runs, scenario::load_profile(client).hardware))
    notes.push_back(std::move(note));
  Measurements measurements{"perftest", files, {}, machines.client, notes};
  for (const Tests& tests : grouped(runs)) measurements.series.push_back(series_of(tests, machines));
  return measurements;
}

}  // namespace doorbell::tools
