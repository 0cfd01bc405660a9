#include "tools/pciebench.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <numeric>
#include <optional>
#include <sstream>
#include <string_view>

#include "scenario/error.hpp"
#include "tools/output_file.hpp"

namespace doorbell::tools {
namespace {

using model::DmaWork;
using model::Warmth;

struct Test {
  std::string_view name;
  bool latency;
  bool commands;
  DmaWork work;
};
constexpr std::array<Test, 7> pciebench_tests{{
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

/// Above all sizes, rates and times in a table, and safe to calculate with.
constexpr double largest_in_pciebench = 1e12;

class PcieBenchReader {
 public:
  explicit PcieBenchReader(const std::filesystem::path& file) : file_{file}, input_{open_output(file)} {}

  PcieBenchOutput read() {
    std::string text;
    while (std::getline(input_, text)) {
      ++line_;
      std::istringstream words{text};
      words_.clear();
      for (std::string word; words >> word;) words_.push_back(word);
      if (!words_.empty() && !words_.front().starts_with('#')) read_row();
    }
    if (output_.results.empty() && output_.left_out.empty()) fail("rows of pcie-bench's tables", "none");
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
    gigabits = 11,      // of a bandwidth test
    median_cycles = 9,  // of a latency test, as are the others
    p999_cycles = 13,   // behind the least, the greatest and the 95 %
    mean_nanoseconds = 15,
    median_nanoseconds = 16,
    max_nanoseconds = 18,
    p95_nanoseconds = 19,
    p999_nanoseconds = 20,
  };

  [[noreturn]] void fail(const std::string& expected, const std::string& found) const {
    throw OutputError{fmt::format("{}:{}: expected {}, found {}", file_.string(), line_, expected, found)};
  }

  void read_row() {
    const Test* test = nullptr;
    for (const Test& known : pciebench_tests) {
      if (words_[test_name] == known.name) test = &known;
    }
    if (test == nullptr) {
      fail("a test of pcie-bench (BW_DMA_RD and its relatives)", scenario::in_quotes(words_[test_name]));
    }
    const std::size_t columns = test->latency ? latency_columns : bandwidth_columns;
    if (words_.size() != columns) fail(fmt::format("{} columns", columns), fmt::format("{}", words_.size()));

    PcieBenchResult result;
    PcieBenchSetup& setup = result.setup;
    setup.latency = test->latency;
    setup.commands = test->commands;
    setup.work = test->work;
    setup.pattern = one_of<model::AddressPattern>(
        pattern, {{"Rand", model::AddressPattern::random}, {"Seq", model::AddressPattern::sequential}});
    setup.window = Bytes{count(window, 1)};
    setup.size = Bytes{count(size, 1)};
    const std::int64_t offset = count(host_offset, 0);
    setup.offset = Bytes{offset};
    if (setup.latency) {
      result.median = from_seconds(positive(median_nanoseconds) * 1e-9);
      result.mean = from_seconds(positive(mean_nanoseconds) * 1e-9);
      result.tick = tick();
      result.has_outliers = has_outliers(result);
    } else {
      result.bandwidth = Bandwidth{positive(gigabits) * 1e9 / 8};
    }

    if (words_[cache] == "DThrash") {
      ++output_.left_out["with a last-level cache that the device has filled with other data (DThrash)"];
    } else if (count(device_offset, 0) != 0) {
      ++output_.left_out["with an offset in the device's memory (DO)"];
    } else if (offset >= model::cache_line.count) {
      ++output_.left_out["with an offset of a cache line or more (HO)"];
    } else {
      setup.cached =
          one_of<Warmth>(cache, {{"Cold", Warmth::cold}, {"HWarm", Warmth::host}, {"DWarm", Warmth::device}});
      output_.results.push_back(result);
    }
  }

  template <class Value>
  [[nodiscard]] Value one_of(Column column, std::initializer_list<std::pair<std::string_view, Value>> known) const {
    std::string names;
    for (const auto& [name, value] : known) {
      if (words_[column] == name) return value;
      names += (names.empty() ? "" : " or ") + std::string{name};
    }
    fail(names, scenario::in_quotes(words_[column]));
  }

  [[nodiscard]] double number(std::size_t column) const {
    const std::string& word = words_[column];
    double value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || end != word.data() + word.size() || !(value >= 0 && value <= largest_in_pciebench)) {
      fail(fmt::format("a number in column {}", column + 1), scenario::in_quotes(word));
    }
    return value;
  }
  [[nodiscard]] double positive(std::size_t column) const {
    const double value = number(column);
    constexpr double least = 1e-3;
    if (value < least) fail(fmt::format("more than nothing in column {}", column + 1), words_[column]);
    return value;
  }
  /// Large windows are printed as "1572864.0".
  [[nodiscard]] std::int64_t count(std::size_t column, std::int64_t least) const {
    const double value = number(column);
    if (value < static_cast<double>(least) || std::floor(value) != value) {
      fail(fmt::format("a whole number of at least {} in column {}", least, column + 1),
           scenario::in_quotes(words_[column]));
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

  std::filesystem::path file_;
  std::ifstream input_;
  int line_ = 0;
  std::vector<std::string> words_;
  PcieBenchOutput output_;
};

}  // namespace

PcieBenchOutput read_pciebench(const std::filesystem::path& file) { return PcieBenchReader{file}.read(); }

}  // namespace doorbell::tools
