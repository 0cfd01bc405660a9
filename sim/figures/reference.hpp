// Reference points: what was measured on the real machines, read from calib/reference/**.csv.
#pragma once

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

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

struct ReferencePoint {
  std::string series;
  Position x;
  std::string metric;
  std::string unit;
  double value = 0;        ///< In `unit`.
  double uncertainty = 0;  ///< Half width, in `unit`.
  Use use = Use::none;
  std::string note;
  std::string place = {};  ///< File and line that say so, or the file alone.
};

/// A data file of ours (a figure definition or a reference) is wrong; the message names file and place.
class DefinitionError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Refuses a value below 0, and 0 of what has no relative error then: a rate or a time that was measured is above 0,
/// while a counter may have counted nothing. Throws DefinitionError naming `point.place`.
void require_measurable(const ReferencePoint& point);

/// Reads a CSV with the columns series,x,metric,unit,value,uncertainty,set,note; `#` starts a comment line.
/// Throws DefinitionError naming file and line.
[[nodiscard]] std::vector<ReferencePoint> read_reference(const std::filesystem::path& file);

/// Splits one line of CSV: commas separate, double quotes protect, a doubled quote stands for itself.
[[nodiscard]] std::vector<std::string> split_csv_line(const std::string& line);

struct CsvLine {
  int number = 0;  ///< In the file, from 1.
  std::vector<std::string> cells;
};
/// The lines of a CSV file without empty ones and comments (`#`). Throws DefinitionError when it cannot be read.
[[nodiscard]] std::vector<CsvLine> read_csv(const std::filesystem::path& file);

/// The same of a file whose cells have blanks between them.
[[nodiscard]] std::vector<CsvLine> read_cells(const std::filesystem::path& file);

/// A finite number that is all of `text`.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);

}  // namespace doorbell::figures
