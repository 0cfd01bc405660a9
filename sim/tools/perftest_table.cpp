#include "tools/perftest_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <string>

#include "scenario/error.hpp"
#include "scenario/words.hpp"

namespace doorbell::tools {
namespace {

/// Above every size in bytes, bandwidth and time in a table, and safe to calculate with.
constexpr double largest_in_table = 1e12;

/// Bytes per second that a printed bandwidth of 1 means: the tool's MB are of 2^20 B, as newer versions print.
double unit_of_bandwidths(const OutputLine& heading) {
  const std::string_view average = heading.from("BW average[");
  if (average.empty()) return perftest_megabyte;
  const std::string_view bracket = average.substr(average.find('['));
  const std::string_view unit = bracket.substr(0, std::min(bracket.find(']'), bracket.size() - 1) + 1);
  if (unit == "[Gb/sec]") return 1e9 / 8;
  if (unit != "[MB/sec]" && unit != "[MiB/sec]")
    heading.fail_at(unit, "bandwidths in MB/sec, MiB/sec or Gb/sec", std::string{unit});
  return perftest_megabyte;
}

/// A negative size is a mistake, and no warning.
bool begins_row(std::string_view word) {
  const bool is_negative = word.size() > 1 && word.front() == '-' && word[1] >= '0' && word[1] <= '9';
  return is_negative || perftest_number(word);
}

}  // namespace

/// As perftest prints it; bandwidths without their unit.
struct PerftestTable::Heading {
  std::string_view text;
  Column column;
};

/// Those of a row that have a meaning here.
struct PerftestTable::Cells {
  struct Cell {
    std::string_view word;
    double value = 0;
  };
  std::map<Column, Cell> of;

  [[nodiscard]] double value(Column column, double without = 0) const {
    const auto cell = of.find(column);
    return cell == of.end() ? without : cell->second.value;
  }
};

const std::vector<PerftestTable::Heading>& PerftestTable::headings() {
  static const std::vector<Heading> all{
      {"#bytes", Column::size},
      {"#iterations", Column::iterations},
      {"BW peak[", Column::peak},
      {"BW average[", Column::average},
      {"MsgRate[Mpps]", Column::rate},
      {"t_min[usec]", Column::least},
      {"t_max[usec]", Column::most},
      {"t_typical[usec]", Column::typical},
      {"t_avg[usec]", Column::mean},
      {"t_stdev[usec]", Column::deviation},
      {"99% percentile[usec]", Column::percentile},
      {"99.9% percentile[usec]", Column::other},
      {"tps average", Column::other},
      {"CPU_Util[%]", Column::other},
  };
  return all;
}

std::optional<double> perftest_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 0 || !std::isfinite(value))
    return std::nullopt;
  return value;
}

PerftestTable::PerftestTable(const OutputLine& heading, bool of_latencies) : latency_{of_latencies} {
  read_columns(heading);
  unit_ = unit_of_bandwidths(heading);
  means_ = latency_ && !has(Column::typical) && has(Column::mean);
  if (means_) std::ranges::replace(columns_, Column::mean, Column::typical);
  if (has(latency_ ? Column::typical : Column::average)) return;
  heading.fail(latency_ ? "a column t_typical[usec]" : "a column BW average", scenario::in_quotes(heading.text));
}

void PerftestTable::read_columns(const OutputLine& heading) {
  std::map<std::size_t, Heading> found;
  for (const Heading& known : headings()) {
    const std::size_t at = heading.text.find(known.text);
    if (at != std::string_view::npos) found.emplace(at, known);
  }
  std::size_t at = 0;  // behind the columns so far
  for (const auto& [begin, known] : found) {
    // A column that is not known, or named twice, would shift those behind it.
    const auto others = scenario::words_of(heading.text.substr(at, begin - at));
    if (!others.empty()) heading.fail_at(others.front(), "a column that perftest prints, each once");
    at = begin + known.text.size();
    if (known.text.ends_with('[')) at = std::min(heading.text.find(']', at), heading.text.size() - 1) + 1;
    columns_.push_back(known.column);
  }
}

bool PerftestTable::has(Column column) const { return std::ranges::find(columns_, column) != columns_.end(); }

PerftestTable::Cells PerftestTable::cells_of(const OutputLine& line, const std::vector<std::string_view>& words) const {
  if (words.size() < columns_.size())
    line.fail_at(line.end(), fmt::format("{} columns", columns_.size()), std::to_string(words.size()));
  Cells cells;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const auto value = perftest_number(words[i]);
    if (!value || *value > largest_in_table)
      line.fail_at(words[i], fmt::format("a number from 0 to {}", largest_in_table));
    cells.of[columns_[i]] = {words[i], *value};
  }
  return cells;
}

Time PerftestTable::typical_of(const OutputLine& line, const Cells& cells) const {
  const Cells::Cell& typical = cells.of.at(Column::typical);
  const double least = cells.value(Column::least, typical.value);
  const double most = cells.value(Column::most, typical.value);
  if (typical.value < least || typical.value > most) {
    line.fail_at(typical.word, fmt::format("a t_typical from {} to {}, the t_min and the t_max", least, most),
                 fmt::format("{}", typical.value));
  }
  const Time time = from_seconds(typical.value * 1e-6);
  if (time == Time{0}) line.fail_at(typical.word, "a result above 0", std::string{typical.word});
  return time;
}

Rate PerftestTable::rate_of(const OutputLine& line, const Cells& cells, Bytes size) const {
  const double bandwidth = cells.value(Column::average) * unit_;
  const Rate printed{cells.value(Column::rate) * 1e6};
  const Rate by_bandwidth{bandwidth / static_cast<double>(size.count)};
  const Rate rounding{0.01 * unit_ / static_cast<double>(size.count) + 1};  // of both, which are printed
  if (printed.per_second > 0 && !agree(printed, by_bandwidth, rounding)) {
    line.fail_at(cells.of.at(Column::rate).word,
                 fmt::format("a MsgRate near {:.4g} Mpps, as the BW average says", by_bandwidth.millions()),
                 fmt::format("{:.4g}", printed.millions()));
  }
  // Six decimals of a rate are more digits than two of a bandwidth, but not for large messages; old versions print no
  // rate.
  const double coarseness_of_rate = 1e-6 * 1e6 / printed.per_second;
  const double coarseness_of_bandwidth = 0.01 * unit_ / bandwidth;
  const Rate rate = coarseness_of_rate <= coarseness_of_bandwidth ? printed : by_bandwidth;
  if (rate.per_second > 0) return rate;
  const std::string_view average = cells.of.at(Column::average).word;
  line.fail_at(average, "a result above 0", std::string{average});
}

std::optional<PerftestRow> PerftestTable::row(const OutputLine& line) const {
  // The heading says [usec] even so; only the list of all times (-U) tells.
  if (line.text == "#, cycles") line.fail_at(line.from("cycles"), "times in microseconds", "cycles (-C)");
  const std::vector<std::string_view> words = scenario::words_of(line.text);
  if (words.empty() || !begins_row(words.front())) return std::nullopt;
  const Cells cells = cells_of(line, words);
  const auto& [word, size] = cells.of.at(Column::size);
  if (size < 1) line.fail_at(word, "a size of at least 1 byte");
  if (std::floor(size) != size) line.fail_at(word, "a size in whole bytes");
  PerftestRow row;
  row.size = Bytes{static_cast<std::int64_t>(size)};
  row.mention = line.mention_of(word);
  row.percentile = from_seconds(cells.value(Column::percentile) * 1e-6);
  if (latency_) {
    row.typical = typical_of(line, cells);
  } else {
    row.rate = rate_of(line, cells, row.size);
  }
  return row;
}

}  // namespace doorbell::tools
