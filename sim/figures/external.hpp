// Measurements that other people published and that are not part of this project: read from where a user keeps them.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "figures/reference.hpp"

namespace doorbell::figures {

/// Rows of a table that make one series: those whose cells are as `where` says, column by column.
struct ExternalSeries {
  std::string series;
  std::vector<std::pair<std::string, std::string>> where = {};  ///< Column, cell.
  std::string x;                                                ///< Column.
  double scale = 1;                                             ///< x is the cell times this.
  double from = 0;                                              ///< Rows with a smaller x are left out.
  std::string file = {};                                        ///< Instead of the table's, of the same form; or empty.
  std::string value = {};        ///< Column of what was measured, instead of the table's; or empty.
  std::vector<double> fit = {};  ///< Points that take part in a fit, by x.
};

/// A CSV with a header line, or, where `columns` names them, lines of cells with blanks between them; `#` starts a
/// comment line.
struct ExternalTable {
  std::string file;  ///< Below the folder of external data.
  std::vector<std::string> columns = {};
  std::string available;  ///< Where it can be had.
  std::string metric;
  std::string unit;
  Use use = Use::validation;
  std::string value;     ///< Column of what was measured.
  double scale = 1;      ///< `unit` is the cell times this.
  std::string low = {};  ///< Columns of its spread, or empty.
  std::string high = {};
  std::vector<ExternalSeries> series;
};

/// Why there are no measured points when the table is not at hand, and how to have them.
[[nodiscard]] std::string left_out_sentence(const ExternalTable& table);

/// The measured points of a table in `folder`. Rows that repeat a measurement (same series, same x) are one point:
/// their mean, and half of the distance between the lowest and the highest as its uncertainty; the first of them is
/// where it stands. Throws ScenarioError at line and cell: no such column or two of them, a cell that is not a number,
/// a spread that ends below its beginning or leaves out its value, a series without rows, or a point to fit that was
/// not measured.
[[nodiscard]] std::vector<ReferencePoint> read_external(const ExternalTable& table,
                                                        const std::filesystem::path& folder);

}  // namespace doorbell::figures
