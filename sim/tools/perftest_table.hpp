// Tables that the tools of perftest print.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "tools/output_line.hpp"
#include "tools/perftest.hpp"

namespace doorbell::tools {

/// A number from 0 that is all of `text`.
[[nodiscard]] std::optional<double> perftest_number(std::string_view text);

class PerftestTable {
 public:
  [[nodiscard]] static bool is_heading(const OutputLine& line) { return line.says("#bytes"); }

  /// Throws OutputError for a heading that has not what a test of this kind measures, or another unit.
  PerftestTable(const OutputLine& heading, bool of_latencies);

  /// Whether the tool prints means and no medians, which it does for tests that ran for a time (-D).
  [[nodiscard]] bool has_means() const { return means_; }

  /// The row on this line; none where it is no row, as warnings stand between rows, too. Throws OutputError for cells
  /// that are missing, are no numbers or contradict each other.
  [[nodiscard]] std::optional<PerftestRow> row(const OutputLine& line) const;

 private:
  enum class Column { size, iterations, peak, average, rate, least, most, typical, mean, deviation, percentile, other };
  struct Heading;
  struct Cells;
  static const std::vector<Heading>& headings();

  void read_columns(const OutputLine& heading);
  [[nodiscard]] bool has(Column column) const;
  [[nodiscard]] Cells cells_of(const OutputLine& line, const std::vector<std::string_view>& words) const;
  [[nodiscard]] Time typical_of(const OutputLine& line, const Cells& cells) const;
  [[nodiscard]] Rate rate_of(const OutputLine& line, const Cells& cells, Bytes size) const;

  std::vector<Column> columns_;
  double unit_ = perftest_megabyte;  ///< Bytes per second that a printed bandwidth of 1 means.
  bool latency_;
  bool means_ = false;
};

}  // namespace doorbell::tools
