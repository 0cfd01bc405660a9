// What the tools of perftest tell: ib_write_bw, ib_read_lat and their relatives, as run by the client.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/quantity.hpp"
#include "models/scenario.hpp"
#include "tools/output_error.hpp"

namespace doorbell::tools {

/// How a test was run: its workload.
struct PerftestSetup {
  model::Verb verb = model::Verb::write;
  bool latency = false;  ///< One operation at a time, timed; otherwise as many as fit, counted.
  bool means = false;    ///< Of latency tests that ran for a time (-D): the tool prints no medians.
  model::Transport transport = model::Transport::rc;
  int queue_pairs = 1;
  int depth = 1;         ///< WQEs under way on each queue pair (TX depth).
  int post_list = 1;     ///< WQEs of one posting call.
  int signal_every = 1;  ///< CQ moderation.
  Bytes max_inline{0};
  bool doorbells = false;  ///< The driver (mlx4) rings a doorbell for WQEs without inline data.

  bool operator==(const PerftestSetup&) const = default;
};

/// One line of a table.
struct PerftestRow {
  Bytes size;
  Rate rate;           ///< Of operations; 0 for latencies.
  Time typical{0};     ///< As printed: half a round trip for SEND and WRITE, all of it for READ and atomics. Mean or
                       ///< median.
  Time percentile{0};  ///< The 99th; 0 where it is not printed.
};

struct PerftestRun {
  PerftestSetup setup;
  Bytes mtu{0};               ///< 0 B where it is not printed.
  int outstanding_reads = 0;  ///< 0 where it is not printed.
  bool ethernet = false;      ///< RoCE.
  std::vector<PerftestRow> rows;
};

/// All runs in a file of saved output, where what else it holds is passed over, or the one in a file of --out_json.
/// Throws OutputError for a file without runs, for one of the server's side, and for tests that a scenario cannot
/// describe (both directions at once, events, two ports, multicast, other transports).
[[nodiscard]] std::vector<PerftestRun> read_perftest(const std::filesystem::path& file);

}  // namespace doorbell::tools
