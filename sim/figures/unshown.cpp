#include "figures/unshown.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "figures/claim.hpp"
#include "scenario/error.hpp"

namespace doorbell::figures {
namespace {

/// Figures may share a reference, each with some of its series.
struct SharedReference {
  const Figure* first = nullptr;
  std::vector<std::string> series;
};

std::set<std::string> used_series(const Figure& figure) {
  std::set<std::string> used;
  for (const Panel& panel : figure.panels) {
    used.insert(panel.series.begin(), panel.series.end());
    for (const Bar& bar : panel.bars) used.insert(bar.series);
  }
  for (const Claim& claim : figure.claims) {
    used.merge(series_named_in(claim.expression));
    used.merge(series_named_in(claim.holds_if));
  }
  for (const ReferencePoint& point : figure.reference) used.insert(point.series);
  if (figure.external) {
    for (const ExternalSeries& series : figure.external->series) used.insert(series.series);
  }
  return used;
}

}  // namespace

std::vector<std::string> rows_without_series(const std::vector<Figure>& figures) {
  std::map<std::filesystem::path, SharedReference> references;
  for (const Figure& figure : figures) {
    if (figure.reference_file.empty()) continue;
    SharedReference& shared = references[figure.reference_file];
    if (shared.first == nullptr) shared.first = &figure;
    for (const Series& series : figure.series) shared.series.push_back(series.name);
  }
  std::vector<std::string> sentences;
  for (const auto& [file, shared] : references) {
    std::map<std::string, std::vector<const ReferencePoint*>> rows;
    for (const ReferencePoint& point : shared.first->reference) {
      const bool is_known = std::ranges::find(shared.series, point.series) != shared.series.end();
      if (!is_known && point.use != Use::none) rows[point.series].push_back(&point);
    }
    for (const auto& [series, points] : rows) {
      const std::string nearest = scenario::nearest(series, shared.series);
      sentences.push_back(fmt::format(
          "{}:{}: {} of series {} belong{} to no series{}", points.front()->at.file_name(), points.front()->at.line,
          points.size() == 1 ? "1 row" : fmt::format("{} rows", points.size()), scenario::in_quotes(series),
          points.size() == 1 ? "s" : "", nearest.empty() ? "" : "; nearest: " + scenario::in_quotes(nearest)));
    }
  }
  return sentences;
}

std::vector<std::string> series_without_use(const std::vector<Figure>& figures) {
  std::vector<std::string> sentences;
  for (const Figure& figure : figures) {
    const std::set<std::string> used = used_series(figure);
    for (const Series& series : figure.series) {
      if (used.contains(series.name)) continue;
      sentences.push_back(fmt::format("{}:{}: series {} is in no panel, no claim and no reference",
                                      series.name_at.at.file_name(), series.name_at.at.line,
                                      scenario::in_quotes(series.name)));
    }
  }
  return sentences;
}

}  // namespace doorbell::figures
