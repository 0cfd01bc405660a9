#include "tools/pciebench.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <iterator>
#include <numeric>
#include <optional>
#include <string_view>

#include "scenario/error.hpp"
#include "scenario/words.hpp"
#include "tools/output_file.hpp"
#include "tools/output_line.hpp"

namespace doorbell::tools {
namespace {

using model::DmaWork;
using model::Warmth;

struct PcieBenchTest {
  std::string_view name;
  bool latency;
  bool commands;
  DmaWork work;
};
constexpr std::array<PcieBenchTest, 7> pciebench_tests{{
    {"BW_DMA_RD", false, false, DmaWork::read},
    {"BW_DMA_WR", false, false, DmaWork::write},
    {"BW_DMA_RW", false, false, DmaWork::alternating},
    {"LAT_DMA_RD", true, false, DmaWork::read},
    {"LAT_DMA_WRRD", true, false, DmaWork::write_then_read},
    {"LAT_CMD_RD", true, true, DmaWork::read},
    {"LAT_CMD_WRRD", true, true, DmaWork::write_then_read},
}};

constexpr std::size_t bandwidth_columns = 13;
constexpr std::size_t latency_columns = 23;
/// The tool says GB/s, but means Gb/s.
constexpr std::string_view bandwidth_heading_words =
    "# Test PAT Cache HO DO WinSZ SZ Time(cyc) Time Bytes Trans BW (GB/s) Trans/s";
constexpr std::string_view latency_heading_words =
    "# Test PAT Cache HO DO WinSZ SZ TAvg Avg Med Min Max 95% 99.9% TAvg(ns) Avg(ns) Med(ns) Min(ns) Max(ns) 95%(ns) "
    "99.9%(ns) #outliers #samples";

/// Above all sizes, rates and times in a table, and safe to calculate with.
constexpr double largest_in_pciebench = 1e12;

class PcieBenchReader {
 public:
  explicit PcieBenchReader(const std::filesystem::path& file) : text_{read_output(file)}, lines_{text_, file} {}

  PcieBenchOutput read() {
    while (lines_.next()) {
      words_ = scenario::words_of(line().text);
      if (words_.empty()) continue;
      if (words_.front().starts_with('#')) {
        read_comment();
      } else {
        read_row();
      }
    }
    if (output_.results.empty() && output_.left_out.empty()) line().fail("rows of pcie-bench's tables", "none");
    return std::move(output_);
  }

 private:
  /// Of a word in its row. All tables begin alike.
  enum Column : std::size_t {
    test_name,
    pattern,
    cache,
    host_offset,
    device_offset,
    window,
    size,
    gigabits = 11,  // of a bandwidth test
    transactions = 12,
    median_cycles = 9,  // of a latency test, as are the others
    min_cycles = 10,
    max_cycles = 11,
    p95_cycles = 12,
    p999_cycles = 13,
    mean_nanoseconds = 15,
    median_nanoseconds = 16,
    min_nanoseconds = 17,
    max_nanoseconds = 18,
    p95_nanoseconds = 19,
    p999_nanoseconds = 20,
  };

  [[nodiscard]] const OutputLine& line() const { return lines_.line(); }
  [[noreturn]] void fail_at(std::size_t column, const std::string& expected) const {
    line().fail_at(words_[column], expected);
  }

  /// Columns in another order or unit would be read as something else.
  void read_comment() {
    if (std::ranges::find(words_, "WinSZ") == words_.end()) return;
    heading_ = fmt::format("{}", fmt::join(words_, " "));
    if (heading_ == bandwidth_heading_words || heading_ == latency_heading_words) return;
    // Of the one that it is more like, where it first differs.
    std::size_t same = 0;
    for (const std::string_view known : {bandwidth_heading_words, latency_heading_words}) {
      const std::vector<std::string_view> right = scenario::words_of(known);
      const auto difference = std::ranges::mismatch(words_, right).in1;
      same = std::max(same, static_cast<std::size_t>(difference - words_.begin()));
    }
    line().fail_at(same < words_.size() ? words_[same] : line().end(), "a heading of pcie-bench's tables",
                   scenario::in_quotes(heading_));
  }

  [[nodiscard]] const PcieBenchTest& test_of_row() const {
    const auto* const test = std::ranges::find(pciebench_tests, words_[test_name], &PcieBenchTest::name);
    if (test == pciebench_tests.end()) fail_at(test_name, "a test of pcie-bench (BW_DMA_RD and its relatives)");
    const std::size_t columns = test->latency ? latency_columns : bandwidth_columns;
    if (words_.size() != columns) {
      line().fail_at(words_.size() > columns ? words_[columns] : line().end(), fmt::format("{} columns", columns),
                     fmt::format("{}", words_.size()));
    }
    if (heading_ != (test->latency ? latency_heading_words : bandwidth_heading_words)) {
      line().fail(
          fmt::format("the heading of a table of {} before {}", test->latency ? "latencies" : "bandwidths", test->name),
          heading_.empty() ? "none" : "the other one");
    }
    return *test;
  }

  void read_row() {
    const PcieBenchTest& test = test_of_row();
    PcieBenchResult result;
    PcieBenchSetup& setup = result.setup;
    setup.latency = test.latency;
    setup.commands = test.commands;
    setup.work = test.work;
    setup.pattern = one_of<model::AddressPattern>(
        pattern, {{"Rand", model::AddressPattern::random}, {"Seq", model::AddressPattern::sequential}});
    setup.window = Bytes{count(window, 1)};
    setup.size = Bytes{count(size, 1)};
    setup.offset = Bytes{count(host_offset, 0)};
    if (setup.latency) {
      read_times(result);
    } else {
      result.bandwidth = Bandwidth{positive(gigabits) * 1e9 / 8};
      require_agreement();
    }
    if (const auto special = beyond_scenarios()) {
      ++output_.left_out[std::string{*special}];
      if (!output_.first_left_out) output_.first_left_out = {line().mention(), std::string{*special}};
      return;
    }
    setup.cached = one_of<Warmth>(cache, {{"Cold", Warmth::cold}, {"HWarm", Warmth::host}, {"DWarm", Warmth::device}});
    result.mentions = {cell(test_name), cell(pattern), cell(cache), cell(host_offset), cell(window), cell(size)};
    output_.results.push_back(std::move(result));
  }

  void read_times(PcieBenchResult& result) const {
    require_order({min_cycles, median_cycles, p95_cycles, p999_cycles, max_cycles});
    require_order({min_nanoseconds, median_nanoseconds, p95_nanoseconds, p999_nanoseconds, max_nanoseconds});
    result.median = from_seconds(positive(median_nanoseconds) * 1e-9);
    result.mean = from_seconds(positive(mean_nanoseconds) * 1e-9);
    result.tick = tick();
    result.has_outliers = has_outliers(result);
  }

  /// What no scenario has, where the row is of that.
  [[nodiscard]] std::optional<std::string_view> beyond_scenarios() const {
    if (words_[cache] == "DThrash")
      return "with a last-level cache that the device has filled with other data (DThrash)";
    if (count(device_offset, 0) != 0) return "with an offset in the device's memory (DO)";
    if (count(host_offset, 0) >= model::cache_line.count) return "with an offset of a cache line or more (HO)";
    return std::nullopt;
  }

  [[nodiscard]] figures::Mention cell(Column column) const { return line().mention_of(words_[column]); }

  /// Of bandwidth and rate, which the tool computes from the same time.
  void require_agreement() const {
    constexpr double tolerated = 0.05;
    constexpr double rounding = 0.0005;
    const double by_rate = number(transactions) * number(size) * 8e-9;
    if (std::abs(number(gigabits) - by_rate) <= tolerated * by_rate + rounding) return;
    fail_at(gigabits, fmt::format("a bandwidth near {:.3f} Gb/s, as size and Trans/s say", by_rate));
  }

  /// Of columns that hold the parts of one distribution, from the least to the greatest.
  void require_order(std::initializer_list<Column> columns) const {
    const auto falls = std::ranges::adjacent_find(
        columns, [this](Column before, Column after) { return number(before) > number(after); });
    if (falls == columns.end()) return;
    const Column less = *std::next(falls);
    fail_at(less, fmt::format("at least {} in column {}, as in column {}", words_[*falls], less + 1, *falls + 1));
  }

  template <class Value>
  [[nodiscard]] Value one_of(Column column, std::initializer_list<std::pair<std::string_view, Value>> known) const {
    std::string names;
    for (const auto& [name, value] : known) {
      if (words_[column] == name) return value;
      names += (names.empty() ? "" : " or ") + std::string{name};
    }
    fail_at(column, names);
  }

  [[nodiscard]] double number(std::size_t column) const {
    const std::string_view word = words_[column];
    double value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || end != word.data() + word.size() || !(value >= 0 && value <= largest_in_pciebench)) {
      fail_at(column, fmt::format("a number from 0 to {} in column {}", largest_in_pciebench, column + 1));
    }
    return value;
  }
  [[nodiscard]] double positive(std::size_t column) const {
    const double value = number(column);
    constexpr double least = 1e-3;
    if (value < least) fail_at(column, fmt::format("more than nothing in column {}", column + 1));
    return value;
  }
  /// Large windows are printed as "1572864.0".
  [[nodiscard]] std::int64_t count(std::size_t column, std::int64_t least) const {
    const double value = number(column);
    if (value < static_cast<double>(least) || std::floor(value) != value) {
      fail_at(column, fmt::format("a whole number of at least {} in column {}", least, column + 1));
    }
    return static_cast<std::int64_t>(value);
  }

  /// Whether a few requests may outweigh the others in the mean. A mixture of two kinds, some of which wait for a page
  /// walk or a refresh, has a long tail and no outliers.
  [[nodiscard]] bool has_outliers(const PcieBenchResult& result) const {
    constexpr double far = 3;  // times the median
    const Time slowest = from_seconds(number(p999_nanoseconds) * 1e-9);
    const Time weight = from_seconds((number(max_nanoseconds) - number(p999_nanoseconds)) * 1e-9 / 1000);
    return result.mean > from_seconds(number(p95_nanoseconds) * 1e-9) + result.tick || weight > result.tick ||
           to_seconds(slowest) > far * to_seconds(result.median);
  }

  /// All times are multiples of it.
  [[nodiscard]] Time tick() const {
    std::int64_t cycles = 0;
    for (std::size_t column = median_cycles; column <= p999_cycles; ++column)
      cycles = std::gcd(cycles, count(column, 1));
    return from_seconds(positive(median_nanoseconds) * 1e-9 * static_cast<double>(cycles) / number(median_cycles));
  }

  std::string text_;
  OutputLines lines_;
  std::string heading_;  // of the table, with single blanks
  std::vector<std::string_view> words_;
  PcieBenchOutput output_;
};

}  // namespace

PcieBenchOutput read_pciebench(const std::filesystem::path& file) { return PcieBenchReader{file}.read(); }

}  // namespace doorbell::tools
