#include "cli/sweep_conclusion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "cli/sweep_text.hpp"
#include "cli/text.hpp"
#include "models/common/resource_name.hpp"
#include "models/remote_loads/machines_beside.hpp"

namespace doorbell::cli {
namespace {

/// How busy the cores of a host with remote memory are, which waiting may occupy as well as work.
std::optional<double> cpu_of(const model::RunResult& result) {
  const std::string cpu = model::resource_name(model::host_machine, model::part::cpu);
  for (const model::Utilisation& used : result.utilisations) {
    if (used.resource == cpu) return used.busy;
  }
  return std::nullopt;
}

double rate_of(const Report& report, const model::RunResult& result) {
  return moves_blocks(report) ? result.bandwidth.bytes_per_second : result.throughput.per_second;
}

/// What cannot be told from the point `highest` of a sweep, and which of these points is the best in other respects.
std::string as_good_as(const Report& report, std::size_t highest, const std::vector<std::size_t>& others,
                       Layout layout) {
  if (others.empty()) return {};
  // A point with a wide interval may well be slower, and use less for that reason.
  constexpr double as_fast = 0.97;
  std::size_t quickest = highest;
  std::size_t cheapest = highest;
  for (const std::size_t i : others) {
    const model::RunResult& other = report.results[i];
    if (rate_of(report, other) < as_fast * rate_of(report, report.results[highest])) continue;
    if (other.latency.samples > 0 && other.latency.p99 < report.results[quickest].latency.p99) quickest = i;
    if (cpu_of(other) < cpu_of(report.results[cheapest])) cheapest = i;
  }
  std::string text =
      fmt::format("{} more {} within the 95 % intervals of it", others.size(), others.size() == 1 ? "is" : "are");
  // One run tells no interval of a p99; near saturation it varies by some ten per cent from seed to seed.
  constexpr double clearly_lower = 0.8;
  if (to_seconds(report.results[quickest].latency.p99) <
      clearly_lower * to_seconds(report.results[highest].latency.p99)) {
    text += fmt::format("; {} has a lower p99 ({})", coordinates_of(report, quickest),
                        time_text(report.results[quickest].latency.p99));
  }
  constexpr double worth_telling = 0.01;
  if (cheapest != highest && *cpu_of(report.results[highest]) - *cpu_of(report.results[cheapest]) >= worth_telling) {
    text += fmt::format("; {} needs less CPU ({:.0f} instead of {:.0f} %)", coordinates_of(report, cheapest),
                        *cpu_of(report.results[cheapest]) * 100, *cpu_of(report.results[highest]) * 100);
  }
  return wrapped(text + ".", 2, layout);
}

/// Numbers of the sweep of which `highest` has the last one tried, and no point of `others` another one: more may be
/// better. In a sentence; empty if there are none.
std::string at_an_end(const Report& report, std::size_t highest, const std::vector<std::size_t>& others) {
  const std::vector<std::string> names = short_names(report.sweep_paths);
  std::string ends;
  for (std::size_t axis = 0; axis < names.size(); ++axis) {
    const auto value = [&](std::size_t point) { return report.points[point].coordinates[axis].second; };
    const std::string last = value(report.points.size() - 1);
    const bool is_number = !last.empty() && last.front() >= '0' && last.front() <= '9';
    std::set<std::string> tried;
    for (std::size_t point = 0; point < report.points.size(); ++point) tried.insert(value(point));
    constexpr std::size_t is_a_series = 3;
    const bool only_last =
        value(highest) == last && std::ranges::all_of(others, [&](std::size_t other) { return value(other) == last; });
    if (is_number && tried.size() >= is_a_series && only_last)
      ends += (ends.empty() ? "" : ", ") + names[axis] + " " + last;
  }
  return ends.empty() ? ends : " The sweep ends there: " + ends + ".";
}

}  // namespace

std::string sweep_conclusion(const Report& report, Layout layout) {
  const auto& results = report.results;
  const auto half_interval = [&](const model::RunResult& result) {
    return rate_of(report, result) * result.throughput_ci95.per_second / result.throughput.per_second;
  };
  const auto first =
      std::ranges::max_element(results, {}, [&](const model::RunResult& result) { return rate_of(report, result); });
  if (results.size() < 2 || first->throughput.per_second <= 0) return {};
  const auto highest = static_cast<std::size_t>(first - results.begin());
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (i == highest || results[i].throughput.per_second <= 0) continue;
    const bool apart =
        rate_of(report, results[i]) + half_interval(results[i]) < rate_of(report, *first) - half_interval(*first);
    if (!apart) others.push_back(i);
  }
  const std::string rate = moves_blocks(report) ? number_text(to_mebibytes(first->bandwidth), 4) + " MiB/s"
                                                : number_text(first->throughput.millions(), 4) + " M/s";
  const std::string sentence = fmt::format("Highest: {} with {}.{} {}", rate, coordinates_of(report, highest),
                                           at_an_end(report, highest, others), first->bottleneck.sentence);
  return "\n" + wrapped(sentence, 2, layout) + as_good_as(report, highest, others, layout);
}

}  // namespace doorbell::cli
