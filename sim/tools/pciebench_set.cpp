#include "tools/pciebench_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "models/dma/dma_scenario.hpp"
#include "scenario/load.hpp"
#include "scenario/quantity_text.hpp"
#include "tools/json_text.hpp"
#include "tools/output_file.hpp"
#include "tools/pciebench.hpp"

namespace doorbell::tools {
namespace {

using model::DmaWork;
using nlohmann::ordered_json;

struct DmaAxis {
  Bytes PcieBenchSetup::*value;
  std::string_view name;
  std::string_view label;

  [[nodiscard]] std::string path() const { return fmt::format("/dma/{}", name); }
};
constexpr std::array<DmaAxis, 3> dma_axes{{
    {&PcieBenchSetup::size, "size", "Transfer (bytes)"},
    {&PcieBenchSetup::window, "window", "Host memory that is used (bytes)"},
    {&PcieBenchSetup::offset, "offset", "Offset in the first cache line (bytes)"},
}};

/// Of those that vary equally, the first.
std::size_t busiest_of(const std::vector<PcieBenchResult>& results) {
  const auto variety = [&](const DmaAxis& axis) {
    std::set<Bytes> values;
    for (const PcieBenchResult& result : results) values.insert(result.setup.*axis.value);
    return values.size();
  };
  const auto* const busiest = std::max_element(
      dma_axes.begin(), dma_axes.end(), [&](const DmaAxis& a, const DmaAxis& b) { return variety(a) < variety(b); });
  return static_cast<std::size_t>(busiest - dma_axes.begin());
}

std::string_view text_of(DmaWork work) {
  switch (work) {
    case DmaWork::read: return "reads";
    case DmaWork::write: return "writes";
    case DmaWork::alternating: return "reads and writes";
    case DmaWork::write_then_read: break;
  }
  return "writes read back";
}

/// As it reads best, unless that would be another size.
std::string text_of(Bytes size) {
  const auto bytes = static_cast<double>(size.count);
  std::string text = scenario::format_quantity(bytes, scenario::Dimension::size);
  const auto read = scenario::parse_quantity(text, scenario::Dimension::size);
  const double* again = std::get_if<double>(&read);
  return again != nullptr && *again == bytes ? text : fmt::format("{} B", size.count);
}

/// "reads of 64 B by command, random, cold", with the tool's words for what the caches hold.
std::string name_of(std::size_t axis, const PcieBenchSetup& setup) {
  const auto varies = [&](Bytes PcieBenchSetup::*value) { return dma_axes[axis].value == value; };
  std::string name{text_of(setup.work)};
  if (!varies(&PcieBenchSetup::size)) name += fmt::format(" of {} B", setup.size.count);
  if (setup.commands) name += " by command";
  name += setup.pattern == model::AddressPattern::random ? ", random" : ", sequential";
  switch (setup.cached) {
    case model::Warmth::cold: name += ", cold"; break;
    case model::Warmth::host: name += ", host-warm"; break;
    case model::Warmth::device: name += ", device-warm"; break;
  }
  if (!varies(&PcieBenchSetup::window)) name += ", window " + text_of(setup.window);
  if (!varies(&PcieBenchSetup::offset) && setup.offset.count > 0)
    name += fmt::format(", offset {} B", setup.offset.count);
  if (varies(&PcieBenchSetup::offset)) name += ", by offset";
  return name + (setup.latency ? ", latency" : "");
}

ordered_json bytes(Bytes value) { return fmt::format("{} B", value.count); }

ordered_json load_of(const PcieBenchSetup& setup) {
  ordered_json load{{"work", word_of(setup.work)},    {"commands", setup.commands},
                    {"size", bytes(setup.size)},      {"offset", bytes(setup.offset)},
                    {"window", bytes(setup.window)},  {"pattern", word_of(setup.pattern)},
                    {"cached", word_of(setup.cached)}};
  if (setup.latency) load["in_flight"] = 1;
  return load;
}

/// All that differs only in x.
struct SeriesKey {
  std::size_t axis = 0;
  PcieBenchSetup setup;  ///< Without x.

  auto operator<=>(const SeriesKey&) const = default;
};
using DmaResults = std::map<Bytes, std::vector<PcieBenchResult>>;

/// What the device's clock can tell is coarse, and the mean of many requests is finer.
bool is_mean_usable(const DmaResults& results) {
  return std::ranges::all_of(
      results, [](const auto& at_x) { return std::ranges::none_of(at_x.second, &PcieBenchResult::has_outliers); });
}

double value_of(const PcieBenchResult& result, Quantity quantity) {
  if (quantity == Quantity::bandwidth) return result.bandwidth.bytes_per_second / bytes_per_mebibyte;
  return to_seconds(quantity == Quantity::latency ? result.median : result.mean) * 1e6;
}

/// By pointers into the scenario.
std::map<std::string, figures::Mention> said_by(const PcieBenchResult& result) {
  const PcieBenchResult::Mentions& row = result.mentions;
  return {{"/dma/work", row.test},     {"/dma/commands", row.test}, {"/dma/size", row.size},
          {"/dma/offset", row.offset}, {"/dma/window", row.window}, {"/dma/pattern", row.pattern},
          {"/dma/cached", row.cached}};
}

MeasuredSeries series_of(const SeriesKey& key, const DmaResults& results, const std::string& base) {
  const DmaAxis& axis = dma_axes[key.axis];
  const PcieBenchSetup& first = results.begin()->second.front().setup;
  Time tick = results.begin()->second.front().tick;
  for (const auto& [x, found] : results) {
    for (const PcieBenchResult& result : found) tick = std::min(tick, result.tick);
  }
  MeasuredSeries series;
  series.name = name_of(key.axis, first);
  series.quantity = !first.latency            ? Quantity::bandwidth
                    : is_mean_usable(results) ? Quantity::mean_latency
                                              : Quantity::latency;
  series.mention = results.begin()->second.front().mentions.test;
  series.path = axis.path();
  series.x_label = axis.label;
  ordered_json values = ordered_json::array();
  for (const auto& [x, found] : results) {
    values.push_back(bytes(x));
    MeasuredPoint& point = series.points.emplace_back();
    point.x = x.count;
    if (series.quantity == Quantity::latency) point.resolution = to_seconds(tick) * 1e6;
    for (const PcieBenchResult& result : found) point.values.push_back(value_of(result, series.quantity));
    point.said = said_by(found.front());
  }
  series.scenario = {{"extends", base}, {"title", "pcie-bench: " + series.name}, {"dma", load_of(first)}};
  series.scenario["sweep"] = ordered_json::array({{{"path", series.path}, {"values", values}}});
  return series;
}

}  // namespace

Measurements measured_by_pciebench(const std::vector<std::filesystem::path>& files, const std::filesystem::path& base,
                                   const std::filesystem::path& folder) {
  const scenario::ScenarioFile loaded = scenario::load_file(base);
  const auto* dma = loaded.points.front().scenario.find<model::DmaScenario>();
  if (dma == nullptr) {
    throw OutputError{
        base, 1, std::string{}, "a DMA scenario", "another kind of scenario", scenario::ErrorCode::wrong_file};
  }

  require_different(files);
  std::map<SeriesKey, DmaResults> groups;
  std::map<std::string, int> left_out;
  std::optional<PcieBenchOutput::LeftOut> first_left_out;
  bool has_bandwidths = false;
  for (const auto& file : files) {
    const PcieBenchOutput output = read_pciebench(file);
    for (const auto& [what, rows] : output.left_out) left_out[what] += rows;
    if (!first_left_out) first_left_out = output.first_left_out;
    const std::size_t axis = busiest_of(output.results);
    for (const PcieBenchResult& result : output.results) {
      SeriesKey key{axis, result.setup};
      key.setup.*dma_axes[axis].value = Bytes{0};
      groups[key][result.setup.*dma_axes[axis].value].push_back(result);
      has_bandwidths = has_bandwidths || !result.setup.latency;
    }
  }

  Measurements measurements{"pcie-bench", files, {}, profile_named_by(base, "dma", folder), {}};
  for (const auto& [what, rows] : left_out) {
    measurements.notes.push_back(fmt::format("left out: {} row{} {}", rows, rows == 1 ? "" : "s", what));
  }
  if (has_bandwidths && dma->in_flight <= 1) {
    measurements.notes.push_back(
        fmt::format("bandwidths are simulated with the requests in flight of {}, /dma/in_flight: {}", base.string(),
                    dma->in_flight));
  }
  for (const auto& [key, results] : groups) {
    measurements.series.push_back(series_of(key, results, relative_name(base, folder)));
  }
  if (measurements.series.empty()) {
    const auto first = first_left_out.value_or(PcieBenchOutput::LeftOut{});
    throw OutputError{first.row, "rows that a scenario describes", first_left_out ? "one " + first.special : "none"};
  }
  return measurements;
}

}  // namespace doorbell::tools
