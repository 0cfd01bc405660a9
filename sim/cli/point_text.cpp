#include "cli/point_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cli/text.hpp"

namespace doorbell::cli {
namespace {

constexpr std::size_t shown_utilisations = 8;
constexpr std::size_t shown_levels = 32;

/// A name at the beginning of a line below "Busy", "Counters" and so on, of which `rest` columns are taken.
std::string name_text(const std::string& name, std::size_t rest, Layout layout) {
  constexpr std::size_t indent = 2;
  const std::size_t room = layout.prose > indent + rest ? layout.prose - indent - rest : 0;
  const std::size_t columns = std::clamp<std::size_t>(room, 8, 40);
  return fmt::format("{:{}}{:<{}}", "", indent, shortened(name, columns), columns);
}

/// A share as a number, and as a bar where there is room for one.
std::string busy_line(const model::Utilisation& used, Layout layout) {
  const std::string numbers = fmt::format(" {:5.1f} %", used.busy * 100);
  const std::string line = name_text(used.resource, width(numbers), layout) + numbers;
  constexpr std::size_t gap = 2;
  constexpr std::size_t shortest = 8;
  constexpr std::size_t longest = 24;
  const std::size_t taken = width(line) + gap;
  if (taken + shortest > layout.prose) return line + "\n";
  return line + "  " + bar(used.busy, std::min(layout.prose - taken, longest)) + "\n";
}

/// What is said of a name, below others.
std::string named_line(const std::string& name, const std::string& said, Layout layout) {
  return name_text(name, width(said), layout) + said + "\n";
}

/// What is measured of all operations, with its name before it; further lines begin below the first value.
std::string measured_line(const std::string& name, const std::string& values, Layout layout) {
  constexpr std::size_t names = 13;
  constexpr std::size_t enough = 40;  // for values beside names
  return wrapped(fmt::format("{:<{}}{}", name, names, values), layout.prose < enough ? 2 : names, layout);
}

/// Breaks between the values only.
std::string latency_text(const model::LatencySummary& latency) {
  if (latency.samples == 0) return kept_together("none measured");
  return kept_together("mean " + time_text(latency.mean)) + "   " + kept_together("p50 " + time_text(latency.p50)) +
         "   " + kept_together("p99 " + time_text(latency.p99));
}

/// The busiest resources.
std::string busy_text(const std::vector<model::Utilisation>& utilisations, Layout layout) {
  if (utilisations.empty()) return {};
  std::string text = "\nBusy\n";
  const std::size_t shown = std::min(shown_utilisations, utilisations.size());
  for (std::size_t i = 0; i < shown; ++i) text += busy_line(utilisations[i], layout);
  if (shown < utilisations.size()) text += fmt::format("  and {} more\n", utilisations.size() - shown);
  return text;
}

std::string counters_text(const std::vector<model::CounterReading>& counters, Layout layout) {
  if (counters.empty()) return {};
  std::string text = "\nCounters\n";
  for (const model::CounterReading& counter : counters) {
    if (counter.count == 0) continue;
    text += named_line(counter.name, fmt::format(" {:>14}  {:>12}", counter.count, rate_text(counter.rate)), layout);
  }
  return text;
}

std::string programs_text(const std::vector<model::ProgramSummary>& programs, Layout layout) {
  if (programs.empty()) return {};
  std::string text = "\nWork requests: rate, payload, per call\n";
  for (const model::ProgramSummary& done : programs) {
    const bool carries = done.payload > Bandwidth{};
    text += named_line(done.program,
                       fmt::format(" {:>9}  {:>10}  {:6.2f}", rate_text(done.work_requests),
                                   carries ? bandwidth_text(done.payload) : "none", done.mean_batch),
                       layout);
  }
  return text;
}

std::string levels_text(const model::RunResult& result, Layout layout) {
  if (result.levels.empty()) return {};
  std::string text = "\nLevels (averages, unless named otherwise)\n";
  const std::size_t shown = std::min(shown_levels, result.levels.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const double value = result.levels[i].value;
    const int places = value > 0 && value < 0.1 ? 4 : 2;
    text += named_line(result.levels[i].name, fmt::format(" {:14.{}f}", value, places), layout);
  }
  if (shown < result.levels.size()) text += fmt::format("  and {} more\n", result.levels.size() - shown);
  return text;
}

}  // namespace

std::string kind_lines(const std::vector<model::KindSummary>& kinds, Layout layout) {
  constexpr std::size_t usual_name = 9;
  constexpr std::size_t longest_name = 24;  // beyond it, columns give way
  std::size_t names = usual_name;
  for (const model::KindSummary& kind : kinds) names = std::clamp(width(kind.kind), names, longest_name);
  std::vector<std::pair<std::string, std::string>> lines;
  std::size_t longest = 0;
  for (const model::KindSummary& kind : kinds) {
    const auto& [name, latency] =
        lines.emplace_back(fmt::format("  {:<{}}  {:>9}", kind.kind, names, rate_text(kind.throughput)),
                           "   " + latency_text(kind.latency));
    longest = std::max(longest, width(name) + width(latency));
  }
  std::string text;
  for (const auto& [name, latency] : lines) {
    text += longest <= layout.prose ? wrapped(name + latency, 4, layout)
                                    : wrapped(name, 4, layout) + wrapped(" " + latency, 4, layout);
  }
  return text;
}

std::string point_text(const model::RunResult& result, Layout layout) {
  std::string throughput = kept_together(rate_text(result.throughput));
  // A load that is run to its end has no interval.
  if (result.throughput_ci95 > Rate{}) {
    throughput +=
        " " + kept_together("+/- " + rate_text(result.throughput_ci95)) + " " + kept_together("(95 % interval)");
  }
  std::string text = measured_line("Throughput", throughput, layout);
  if (result.bandwidth > Bandwidth{})
    text += fmt::format("Bandwidth    {:.1f} MiB/s\n", to_mebibytes(result.bandwidth));
  text += measured_line("Latency", latency_text(result.latency), layout);
  text += kind_lines(result.kinds, layout) + busy_text(result.utilisations, layout) +
          counters_text(result.counters, layout) + programs_text(result.programs, layout) + levels_text(result, layout);
  return text + "\n" + wrapped("Bottleneck: " + result.bottleneck.sentence, 2, layout);
}

}  // namespace doorbell::cli
