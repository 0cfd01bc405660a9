// Reference points: what was measured on the real machines, read from calib/reference/**.csv.
#pragma once

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "figures/document.hpp"
#include "scenario/location.hpp"

namespace doorbell::figures {

/// Where a point stands on the x axis: a number, or a name (a column of a table, a group of bars).
using Position = std::variant<double, std::string>;
[[nodiscard]] std::string to_string(const Position& position);

/// What a reference point may be used for.
enum class Use {
  none,       ///< Published arithmetic, not a measurement.
  fit,        ///< Parameters were fitted on it.
  validation  ///< Nothing was tuned on it.
};
[[nodiscard]] std::string to_string(Use use);

/// Columns of a reference, in their order.
enum class Cell { series, x, metric, unit, value, uncertainty, set, note };

struct ReferencePoint {
  std::string series;
  Position x;
  std::string metric;
  std::string unit;
  double value = 0;        ///< In `unit`.
  double uncertainty = 0;  ///< Half width, in `unit`.
  Use use = Use::none;
  std::string note;
  scenario::Location at = {};     ///< Of its row; of several, the first.
  std::vector<int> columns = {};  ///< By Cell, at which the row says it.

  /// Where it says so.
  [[nodiscard]] scenario::Location place_of(Cell cell) const;
};

/// What a figure asks of its runs is not there; the message names figure and series.
class DefinitionError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Refuses a value below 0, and 0 of what has no relative error then: a rate or a time that was measured is above 0,
/// while a counter may have counted nothing. Throws ScenarioError at the value, with what was found followed by
/// `origin`.
void require_measurable(const ReferencePoint& point, std::string_view origin = {});

/// Reads a CSV with the columns series,x,metric,unit,value,uncertainty,set,note; `#` starts a comment line.
/// `mention`: where another file names it. Throws ScenarioError.
[[nodiscard]] std::vector<ReferencePoint> read_reference(const std::filesystem::path& file,
                                                         const std::optional<Mention>& mention = {});

/// One line of a table.
struct CsvLine {
  scenario::Location at;
  std::vector<std::string> cells;
  std::vector<int> columns = {};  ///< At which the cells begin, and behind them that of the end.

  [[nodiscard]] scenario::Location place_of(std::size_t cell) const;
};

/// Splits one line of CSV: commas separate, double quotes protect, a doubled quote stands for itself. Throws
/// ScenarioError for a quote that does not end on the line.
[[nodiscard]] CsvLine split_csv_line(std::string_view line, const scenario::Location& at);

/// The lines of a CSV file without empty ones and comments (`#`). Throws ScenarioError when it cannot be read, and for
/// lines that are not of UTF-8.
[[nodiscard]] std::vector<CsvLine> read_csv(const std::filesystem::path& file,
                                            const std::optional<Mention>& mention = {});

/// The same of a file whose cells have blanks between them.
[[nodiscard]] std::vector<CsvLine> read_cells(const std::filesystem::path& file);

/// Throws ScenarioError unless the line has `count` cells.
void require_cells(const CsvLine& line, std::size_t count);

/// Throws ScenarioError where a cell has a control character.
void require_shown_as_written(const CsvLine& line);

/// The number in a cell. Throws ScenarioError that expects `expected`, or a number with at most 100 digits before the
/// point.
[[nodiscard]] double number_in(const CsvLine& line, std::size_t cell, const std::string& expected);

/// A finite number that is all of `text`.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);

}  // namespace doorbell::figures
