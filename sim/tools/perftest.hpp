// What the tools of perftest tell: ib_write_bw, ib_read_lat and their relatives, as run by the client.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/quantity.hpp"
#include "models/scenario.hpp"
#include "tools/output_error.hpp"

namespace doorbell::tools {

/// The tool's MB, in bytes.
inline constexpr double perftest_megabyte = 1 << 20;

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
  Time typical{0};     ///< Median or mean as printed: of half a round trip for SEND and WRITE, of all of it for others.
  Time percentile{0};  ///< The 99th; 0 where it is not printed.
  figures::Mention mention = {};  ///< Where the output says the size.
};

/// Where the output says how a test was run; without a file where it does not.
struct PerftestMentions {
  figures::Mention transport;
  figures::Mention queue_pairs;
  figures::Mention depth;
  figures::Mention post_list;
  figures::Mention signal_every;
  figures::Mention max_inline;
};

struct PerftestRun {
  PerftestSetup setup;
  PerftestMentions settings = {};
  figures::Mention mention = {};  ///< Of its title.
  Bytes mtu{0};                   ///< 0 B where it is not printed.
  int outstanding_reads = 0;      ///< 0 where it is not printed.
  bool ethernet = false;          ///< RoCE.
  bool shared_receive_queue = false;
  int open_end = 0;  ///< Line of the last row of a table that nothing closes, as if the tool had been stopped; 0: none.
  std::vector<PerftestRow> rows;
};

/// The largest numbers that a scenario takes.
struct PerftestLimits {
  int queue_pairs = 0;
  int depth = 0;  ///< Of a send queue, with room for what waits for the next signaled WQE.
  int post_list = 0;
  int signal_every = 0;
};
[[nodiscard]] PerftestLimits perftest_limits();
/// WQEs that the send queues of the scenario have beside those under way: the tool's depth is a limit of its own; the
/// send queue must also hold what waits for the next signaled WQE.
[[nodiscard]] int room_beside_depth(const PerftestSetup& setup);

/// Whether a rate, and a bandwidth divided by its message size, can be of the same test; `rounding` is what the digits
/// that the tool prints leave open.
[[nodiscard]] bool agree(Rate rate, Rate by_bandwidth, Rate rounding = {});

/// All runs in a file of saved output, printed or as --out_json writes them, where what else it holds is passed over.
/// Throws OutputError for a file without runs, for one of the server's side, and for tests that a scenario cannot
/// describe (both directions at once, events, two ports, multicast, other transports, the memory of GPUs, limited
/// rates).
[[nodiscard]] std::vector<PerftestRun> read_perftest(const std::filesystem::path& file);

}  // namespace doorbell::tools
