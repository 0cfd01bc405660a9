#include "cli/request_csv.hpp"

#include <fmt/format.h>

#include <iterator>

#include "figures/csv_field.hpp"

namespace doorbell::cli {

std::string request_csv(const Report& report) {
  std::string text;
  for (const auto& [path, value] : report.points.front().coordinates) text += figures::csv_field(path) + ",";
  text += "started (ns),operation,offset (B),size (B),latency (ns)\n";
  for (std::size_t i = 0; i < report.points.size(); ++i) {
    std::string coordinates;
    for (const auto& [path, value] : report.points[i].coordinates) coordinates += figures::csv_field(value) + ",";
    for (const model::ServedRequest& request : report.results[i].requests) {
      fmt::format_to(std::back_inserter(text), "{}{},{},{},{},{}\n", coordinates, to_nanoseconds(request.started),
                     request.write ? "write" : "read", request.offset.count, request.size.count,
                     to_nanoseconds(request.latency));
    }
  }
  return text;
}

}  // namespace doorbell::cli
