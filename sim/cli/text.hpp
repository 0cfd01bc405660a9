// Text for people: numbers, bars, wrapped sentences and tables.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/layout.hpp"
#include "core/quantity.hpp"

namespace doorbell::cli {

/// Columns that a UTF-8 text takes, each character counted as one.
[[nodiscard]] std::size_t width(std::string_view text);

/// At most `columns` wide; what is cut off is shown as "...".
[[nodiscard]] std::string shortened(std::string_view text, std::size_t columns);

/// U+00A0, in UTF-8.
inline constexpr std::string_view no_break_space = "\xC2\xA0";

/// The text broken between words into lines of the layout's prose; further lines begin with `indent` spaces.
/// No line breaks at a no-break space, which becomes a usual one. Ends with a line break.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t indent, Layout layout = {});

/// With no-break spaces instead of spaces: a number and its unit, say.
[[nodiscard]] std::string kept_together(std::string text);

/// With so many digits: "12.35", "0.2245"; larger numbers whole, "11560".
[[nodiscard]] std::string number_text(double value, int digits);

/// "12.35 M/s", four digits.
[[nodiscard]] std::string rate_text(Rate rate);

/// "2.000 GB/s", four digits.
[[nodiscard]] std::string bandwidth_text(Bandwidth bandwidth);

[[nodiscard]] constexpr double to_mebibytes(Bandwidth bandwidth) { return bandwidth.bytes_per_second / (1024 * 1024); }

/// "1.900 us", four digits.
[[nodiscard]] std::string time_text(Time time);

/// "1.90 us", so many decimals.
[[nodiscard]] std::string time_text(Time time, int decimals);

/// A bar of `columns` characters, filled in proportion (0 to 1).
[[nodiscard]] std::string bar(double share, std::size_t columns);

/// The shortest ends of the paths, of `segments` parts at least, that still tell them apart and do not begin with the
/// number of a list's item: "threads", or "worker/threads" beside "client/threads".
[[nodiscard]] std::vector<std::string> short_names(const std::vector<std::string>& paths, int segments = 1);

/// Rows of cells, the first of them the heading. Columns are as wide as their widest cell; numbers go to the right.
/// Lines are cut at the layout's width for tables.
[[nodiscard]] std::string table(const std::vector<std::vector<std::string>>& rows, Layout layout = {});

/// The same, a text for each row. Where the table is too wide, first cells for which there is no room are on lines of
/// their own, above the rest of their rows.
[[nodiscard]] std::vector<std::string> lines_of_rows(const std::vector<std::vector<std::string>>& rows, Layout layout);

/// Whether no line of such a table is cut.
[[nodiscard]] bool table_fits(const std::vector<std::vector<std::string>>& rows, Layout layout);

/// Shortens the cells of one column, as far as that helps the table to fit its layout.
void shorten_column(std::vector<std::vector<std::string>>& rows, std::size_t column, Layout layout);

/// Where the last `without` columns of such a table begin.
[[nodiscard]] std::size_t table_width(const std::vector<std::vector<std::string>>& rows, std::size_t without);

}  // namespace doorbell::cli
