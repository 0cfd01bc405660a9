// What fio prints with --output-format=json.
#pragma once

#include <compare>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "core/quantity.hpp"
#include "tools/output_error.hpp"

namespace doorbell::tools {

/// How a job was run: its workload.
struct FioJob {
  std::int64_t block = 4096;  ///< Bytes of a request.
  int depth = 1;              ///< Requests that each clone of the job keeps in flight; 1 for synchronous engines.
  int clones = 1;             ///< Jobs like this one at the same time: numjobs, of all such entries together.
  int read_percent = 100;
  bool random = false;

  auto operator<=>(const FioJob&) const = default;
};

struct FioResult {
  FioJob job;
  Bandwidth bandwidth;   ///< Reads and writes of all clones.
  Time read_median{0};   ///< Of completion latencies; 0 where there are none, or clones are not reported as one.
  Time write_median{0};  ///< The same.
  bool direct = true;    ///< Past the page cache.

  /// Where the file says so, of clones the first.
  struct Mentions {
    figures::Mention job;
    figures::Mention block;
    figures::Mention depth;
    figures::Mention clones;
  };
  Mentions mentions = {};
};

struct FioOutput {
  std::vector<FioResult> results;
  std::set<std::string> unknown_options;  ///< Of which nobody knows here whether they change the load.
};

/// The jobs in a file of one or several runs, clones as one. Throws OutputError for what is no JSON of fio 3, for runs
/// that do not begin a line, for jobs that failed, and for workloads that a scenario cannot describe: block sizes that
/// vary, paces, pauses and batches, skewed places, flushes, trims, engines without data, and different jobs at the same
/// time.
[[nodiscard]] FioOutput read_fio(const std::filesystem::path& file);

}  // namespace doorbell::tools
