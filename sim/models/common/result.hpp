// What one run tells. Plain data; printers, tables and figures are elsewhere.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/quantity.hpp"

namespace doorbell::model {

/// What kind of thing limits, in the words that papers use.
enum class Limit {
  cpu,
  pollers,
  shared_line,
  threads,
  connections,
  completion_handler,
  mmio_bandwidth,
  dma_bandwidth,
  nic,
  nic_unit,
  nic_memory,
  read_states,
  network_bandwidth,
  one_port,
  pcie_round_trip,
  bus_bandwidth,
  link_bandwidth,
  disk_heads,
  device,
  in_flight,
  one_by_one,
  told_late,
  taken_late,
  asleep,
  busy_threads,
  unevenly_busy_threads,
  one_busy_thread,
  taken_in_batches,
  own_completions,
  signaled_rounds,
  nic_unit_waits,
  outstanding_reads,
  read_tags,
  credits,
  page_walks,
  drive,
  arrivals,
  recvs,
  receive_buffer,
  scheduler,
};
[[nodiscard]] std::string_view name_of(Limit limit);

/// What something that is held was held for: of all that, what limits most.
struct HeldFor {
  std::string resource;  ///< Whose time it is.
  Limit limit = Limit::cpu;
  double share = 0;         ///< Of the time that it was held.
  double busy = 0;          ///< The share of the measured time in which one holder more would find `resource` taken.
  double gain = share / 2;  ///< The share of that time that twice as much of `resource` would save.
};

/// Share of the measured time that a resource was busy; for a set of equal servers, of those in use.
struct Utilisation {
  std::string resource;                            ///< For example "server/PCIe downstream".
  double busy = 0;                                 ///< 0 to 1.
  Limit limit = Limit::cpu;                        ///< What it means if this resource is the bottleneck.
  std::optional<HeldFor> held_for = std::nullopt;  ///< Of what operations hold, if that is known.
  std::optional<double> of_most = std::nullopt;    ///< Share of the most that it can do, where `busy` understates that.
  std::string remark = {};   ///< What else is to be said where it limits, with what comes before that.
  std::string as_full = {};  ///< What else is taken for as long, so that more of this alone finds none of that.
  bool elastic = false;      ///< It does more at a time when more waits, so that it may be full and yet do more.
  /// Of cores: much of their work is done once for all requests that they find at a time. Of what flows share: others
  /// fill it, and who has more requests there gets more of it.
  bool shares_work = false;
  std::vector<std::string> reaches = {};  ///< Groups of machines that can hold it up; none: not known, so any.
};

/// A virtual hardware counter, with the name the real one has.
struct CounterReading {
  std::string name;  ///< For example "server/PCIeRdCur". "... beyond expected": what is read again: WQEs,
                     ///< contexts and translations that the NIC had to forget.
  std::uint64_t count = 0;
  Rate rate;
};

/// A quantity that is there all the time, on average: requests in flight, say.
struct Level {
  std::string name;
  double value = 0;                               ///< Average over time, unless the name says otherwise ("p99").
  std::optional<double> position = std::nullopt;  ///< Of one of a series of levels, in the unit that their names say.
};

struct LatencySummary {
  Time mean{0};
  Time p50{0};
  Time p99{0};
  std::uint64_t samples = 0;
};

/// Operations of one of the kinds that a load mixes, or of a program beside the load.
struct KindSummary {
  std::string kind;  ///< For example "reads".
  Rate throughput;
  LatencySummary latency;
};

/// What the threads of a program, together, had done for them by their NICs.
struct ProgramSummary {
  std::string program;
  double mean_batch = 0;  ///< Work requests of a posting call; 0 if none was made.
  Rate work_requests;     ///< Completed; what nobody learns of, sent.
  Bandwidth payload;      ///< Which these moved, in either direction.
};

/// The resource that limits, why, and what would limit next.
struct Bottleneck {
  std::string resource;
  Limit limit = Limit::cpu;
  double busy = 0;
  bool saturated = false;  ///< False: `resource` is only the busiest; latency limits.
  std::string next_resource;
  double next_busy = 0;
  std::string sentence;
};

/// One request of a trace that was replayed.
struct ServedRequest {
  Time started{0};
  bool write = false;
  Bytes offset;
  Bytes size;
  Time latency{0};
};

struct RunResult {
  Rate throughput;
  Rate throughput_ci95;    ///< Half width of the 95 % confidence interval.
  Bandwidth bandwidth;     ///< Of block data; zero where operations are counted only: see `programs` for their payload.
  LatencySummary latency;  ///< Of verbs, from the first instruction of the post until the program knows the answer.
  std::vector<KindSummary>
      kinds;  ///< Into which the operations fall, and those beside a load; empty where all are alike.
  std::vector<Utilisation> utilisations;  ///< Busiest first.
  std::vector<CounterReading> counters;
  std::vector<ProgramSummary> programs;  ///< Those that post.
  std::vector<Level> levels;
  std::vector<ServedRequest> requests;  ///< Of a trace, in its order; empty for other loads.
  Bottleneck bottleneck;
  std::vector<std::string> warnings;
  Time simulated{0};
  std::uint64_t events = 0;
  std::uint64_t operations =
      0;  ///< Completed while measured, on all machines: work requests, or requests of what the scenario has.
};

}  // namespace doorbell::model
