#include "cli/path_text.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>
#include <vector>

#include "cli/sequence_diagram.hpp"
#include "cli/text.hpp"

namespace doorbell::cli {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string_view tlp_name(model::TlpKind kind) {
  switch (kind) {
    case model::TlpKind::memory_write: return "MWr";
    case model::TlpKind::memory_read: return "MRd";
    case model::TlpKind::completion: return "CplD";
  }
  return "";
}

/// With step and place in one column.
Rows without_places(const Rows& rows) {
  Rows merged;
  for (const std::vector<std::string>& row : rows) {
    merged.push_back({fmt::format("{} {}: {}", row[0], row[1], row[2]), row[3], row[4], row[5]});
  }
  merged.front().front() = "step";
  return merged;
}

}  // namespace

std::string path_text(const model::VerbPath& path, Layout layout) {
  constexpr std::size_t step_column = 2;
  Rows rows{{"side", "resource", "step", "TLPs", "bytes", "per op"}};
  for (const model::PathStep& step : path.steps) {
    std::string tlps;
    std::string bytes = fmt::format("{:.1f} ns", to_nanoseconds(step.service + step.latency));
    if (step.tlps) {
      tlps = fmt::format("{} {}", step.tlps->tlps, tlp_name(step.tlps->kind));
      bytes = fmt::format("{} B", step.tlps->wire.count);
    } else if (step.network > Bytes{0}) {
      bytes = fmt::format("{} B", step.network.count);
    }
    rows.push_back({step.side == model::Side::requester ? "requester" : "responder",
                    std::string{model::name_of(step.resource)}, std::string{step.label}, std::move(tlps),
                    std::move(bytes), fmt::format("{:.3g}", path.per_operation(step.per))});
  }
  std::string text = wrapped(title_of(path.operation), 2, layout);
  Rows shortened = rows;
  shorten_column(shortened, step_column, layout);
  if (table_fits(shortened, layout)) return text + table(shortened, layout);
  for (const std::string& lines : lines_of_rows(without_places(rows), layout)) text += lines;
  return text;
}

}  // namespace doorbell::cli
