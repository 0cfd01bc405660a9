// What pcie-bench prints: tables of the bandwidth and latency of DMA (Neugebauer et al., SIGCOMM 2018).
#pragma once

#include <compare>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/quantity.hpp"
#include "models/dma/dma_scenario.hpp"
#include "tools/output_error.hpp"

namespace doorbell::tools {

/// How a test was run.
struct PcieBenchSetup {
  bool latency = false;   ///< One request at a time; otherwise as many as the device has workers.
  bool commands = false;  ///< By the device's cores themselves, without DMA engine.
  model::DmaWork work = model::DmaWork::read;
  model::AddressPattern pattern = model::AddressPattern::random;
  model::Warmth cached = model::Warmth::cold;
  Bytes offset;  ///< In the first cache line.
  Bytes window;
  Bytes size;

  auto operator<=>(const PcieBenchSetup&) const = default;
};

struct PcieBenchResult {
  PcieBenchSetup setup;
  Bandwidth bandwidth;        ///< Of bandwidth tests: one way.
  Time median{0};             ///< Of latency tests.
  Time mean{0};               ///< The same.
  bool has_outliers = false;  ///< Which may outweigh all others in the mean.
  Time tick{0};               ///< Of the device's clock, as far as the row shows it.

  /// Where the row says so.
  struct Mentions {
    figures::Mention test;
    figures::Mention pattern;
    figures::Mention cached;
    figures::Mention offset;
    figures::Mention window;
    figures::Mention size;
  };
  Mentions mentions = {};
};

struct PcieBenchOutput {
  struct LeftOut {
    figures::Mention row;
    std::string special;  ///< What no scenario has.
  };

  std::vector<PcieBenchResult> results;
  std::map<std::string, int> left_out;    ///< Rows that no scenario describes, by what is special about them.
  std::optional<LeftOut> first_left_out;  ///< The first of them.
};

/// The rows of a file of one or several tests. Throws OutputError for what is no such table, for headings that are not
/// the tool's, and for rows that cannot be read or contradict themselves.
[[nodiscard]] PcieBenchOutput read_pciebench(const std::filesystem::path& file);

}  // namespace doorbell::tools
