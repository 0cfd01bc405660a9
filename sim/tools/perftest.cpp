#include "tools/perftest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <sstream>
#include <string_view>

#include "scenario/error.hpp"
#include "scenario/form.hpp"
#include "tools/output_file.hpp"
#include "tools/perftest_json.hpp"

namespace doorbell::tools {
namespace {

using model::Transport;
using model::Verb;

/// Above every size in bytes, bandwidth and time in a table, and safe to calculate with.
constexpr double largest_in_table = 1e12;

enum class Column { size, iterations, peak, average, rate, least, most, typical, mean, deviation, percentile, other };

/// Headings as perftest prints them; bandwidths without their unit.
constexpr std::array<std::pair<std::string_view, Column>, 14> headings{{
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
}};

std::optional<double> number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 0 || !std::isfinite(value))
    return std::nullopt;
  return value;
}

class PerftestReader {
 public:
  explicit PerftestReader(const std::filesystem::path& file) : file_{file}, input_{open_output(file)} {}

  std::vector<PerftestRun> read() {
    for (; std::getline(input_, text_); ++line_) {
      if (!text_.empty() && text_.back() == '\r') text_.pop_back();
      if (is_title()) {
        begin();
      } else if (!runs_.empty()) {
        continue_run();
      }
    }
    if (runs_.empty()) fail("the output of a bandwidth or latency test of perftest", "none");
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      if (!runs_[i].rows.empty()) continue;
      line_ = begins_[i];
      fail("results of this test", "none");
    }
    return std::move(runs_);
  }

 private:
  [[noreturn]] void fail(const std::string& expected, const std::string& found) const {
    throw OutputError{fmt::format("{}:{}: expected {}, found {}", file_.string(), line_, expected, found)};
  }
  [[nodiscard]] bool says(std::string_view words) const { return text_.find(words) != std::string::npos; }

  [[nodiscard]] bool is_title() const {
    const bool test = text_.ends_with("Test") || says("Test ");
    return test && (says(" BW ") || says(" Latency ")) && text_.starts_with("     ");
  }

  void begin() {
    PerftestRun& run = runs_.emplace_back();
    begins_.push_back(line_);
    PerftestSetup& setup = run.setup;
    columns_.clear();
    setup.latency = says(" Latency ");
    if (says("RDMA_Write ")) {
      setup.verb = Verb::write;
    } else if (says("RDMA_Read ")) {
      setup.verb = Verb::read;
    } else if (says("Send ")) {
      setup.verb = Verb::send;
    } else if (says("Atomic ")) {
      setup.verb = says("CMP_AND_SWAP") ? Verb::compare_swap : Verb::fetch_add;
    } else {
      fail("a test of Send, RDMA_Write, RDMA_Read or Atomic", scenario::in_quotes(text_));
    }
    if (says("Bidirectional")) fail("a test of one direction", "a bidirectional one");
    if (says("Multicast")) fail("a test without multicast", "one with it");
    has_depth_ = false;
  }

  void continue_run() {
    PerftestRun& run = runs_.back();
    if (says("#bytes")) {
      read_heading(run);
    } else if (!columns_.empty()) {
      read_row(run);
    } else {
      read_setting(run);
    }
  }

  /// The word after "KEY :", if the line has that.
  [[nodiscard]] std::optional<std::string_view> value_of(std::string_view key) const {
    const std::size_t at = text_.find(key);
    if (at == std::string::npos) return std::nullopt;
    const std::size_t colon = text_.find_first_not_of(" \t", at + key.size());
    if (colon == std::string::npos || text_[colon] != ':') return std::nullopt;
    const std::size_t begin = text_.find_first_not_of(" \t", colon + 1);
    if (begin == std::string::npos) return std::nullopt;
    return std::string_view{text_}.substr(begin, text_.find_first_of(" \t", begin) - begin);
  }

  /// The same as a count; "4096[B]" is 4096.
  [[nodiscard]] std::optional<int> count_of(std::string_view key) const {
    const auto word = value_of(key);
    if (!word) return std::nullopt;
    const auto value = number(word->substr(0, word->find_first_of("[B")));
    if (!value || *value > 1e9) fail(fmt::format("a count after \"{}\"", key), scenario::in_quotes(*word));
    return static_cast<int>(*value);
  }

  void read_setting(PerftestRun& run) {
    PerftestSetup& setup = run.setup;
    if (says("Test with events")) fail("a test that polls", "one with events");
    if (value_of("Dual-port").value_or("OFF") != "OFF") fail("a test on one port", "one on two");
    if (const auto device = value_of("Device")) setup.doorbells = device->starts_with("mlx4");
    if (const auto type = value_of("Connection type")) read_transport(setup, *type);
    const auto limited = [&](std::string_view key, int most) {
      const auto count = count_of(key);
      if (count && (*count < 1 || *count > most))
        fail(fmt::format("1 to {} after {}", most, scenario::in_quotes(key)), std::to_string(*count));
      return count;
    };
    if (const auto pairs = limited("Number of qps", limits_.queue_pairs)) setup.queue_pairs = *pairs;
    if (const auto depth = count_of("TX depth")) {
      has_depth_ = true;
      depth_line_ = line_;
      if (!setup.latency) setup.depth = *depth;
    }
    if (const auto list = limited("Post List", limits_.post_list)) setup.post_list = *list;
    if (const auto every = limited("CQ Moderation", limits_.signal_every))
      setup.signal_every = setup.latency ? 1 : *every;
    if (const auto size = count_of("Max inline data")) setup.max_inline = Bytes{*size};
    if (const auto mtu = count_of("Mtu")) run.mtu = Bytes{*mtu};
    if (const auto shared = value_of("Using SRQ")) run.shared_receive_queue = *shared == "ON";
    if (const auto link = value_of("Link type")) run.ethernet = *link == "Ethernet";
    if (const auto reads = count_of("Outstand reads")) run.outstanding_reads = *reads;
  }

  void read_transport(PerftestSetup& setup, std::string_view type) const {
    if (type == "RC") {
      setup.transport = Transport::rc;
    } else if (type == "UC") {
      setup.transport = Transport::uc;
    } else if (type == "UD") {
      setup.transport = Transport::ud;
    } else {
      fail("connection type RC, UC or UD", scenario::in_quotes(type));
    }
  }

  void read_heading(PerftestRun& run) {
    if (!has_depth_ && !run.setup.latency) fail("the client's output, which has a TX depth", "the server's");
    // Known only now: what else must fit into the send queue may be printed behind the depth.
    if (const int most = limits_.depth - room_beside_depth(run.setup); run.setup.depth > most) {
      line_ = depth_line_;
      fail(fmt::format("a TX depth of at most {}", most), std::to_string(run.setup.depth));
    }
    std::vector<std::pair<std::size_t, Column>> found;
    for (const auto& [heading, column] : headings) {
      const std::size_t at = text_.find(heading);
      if (at != std::string::npos) found.emplace_back(at, column);
    }
    std::sort(found.begin(), found.end());
    for (const auto& [at, column] : found) columns_.push_back(column);
    unit_ = unit_of_bandwidths();
    const auto has = [&](Column column) {
      return std::find(columns_.begin(), columns_.end(), column) != columns_.end();
    };
    run.setup.means = run.setup.latency && !has(Column::typical) && has(Column::mean);
    if (run.setup.means) std::replace(columns_.begin(), columns_.end(), Column::mean, Column::typical);
    if (!has(run.setup.latency ? Column::typical : Column::average)) {
      fail(run.setup.latency ? "a column t_typical[usec]" : "a column BW average", scenario::in_quotes(text_));
    }
  }

  /// Bytes per second that a printed bandwidth of 1 means: the tool's MB are of 2^20 B, as newer versions print.
  [[nodiscard]] double unit_of_bandwidths() const {
    const std::size_t at = text_.find("BW average[");
    if (at == std::string::npos) return perftest_megabyte;
    const std::size_t begin = text_.find('[', at);
    const std::string unit = text_.substr(begin, text_.find(']', begin) + 1 - begin);
    if (unit == "[Gb/sec]") return 1e9 / 8;
    if (unit != "[MB/sec]" && unit != "[MiB/sec]") fail("bandwidths in MB/sec, MiB/sec or Gb/sec", unit);
    return perftest_megabyte;
  }

  void read_row(PerftestRun& run) {
    std::istringstream cells{text_};
    std::vector<std::string> words;
    for (std::string word; cells >> word;) words.push_back(word);
    if (text_.starts_with("----")) columns_.clear();  // The table has ended.
    // The heading says [usec] even so; only the list of all times (-U) tells.
    if (text_ == "#, cycles") fail("times in microseconds", "cycles (-C)");
    // Warnings stand between rows, too.
    if (words.empty() || !number(words.front())) return;
    if (words.size() < columns_.size()) {
      fail(fmt::format("{} columns", columns_.size()), std::to_string(words.size()));
    }
    PerftestRow row;
    double bandwidth = 0;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const auto value = number(words[i]);
      if (!value || *value > largest_in_table) fail("a number", scenario::in_quotes(words[i]));
      switch (columns_[i]) {
        case Column::size: row.size = Bytes{static_cast<std::int64_t>(*value)}; break;
        case Column::average: bandwidth = *value * unit_; break;
        case Column::rate: row.rate = Rate{*value * 1e6}; break;
        case Column::typical: row.typical = from_seconds(*value * 1e-6); break;
        case Column::percentile: row.percentile = from_seconds(*value * 1e-6); break;
        default: break;
      }
    }
    if (row.size.count <= 0) fail("a size of at least 1 byte", scenario::in_quotes(words.front()));
    const Rate by_bandwidth{bandwidth / static_cast<double>(row.size.count)};
    const Rate rounding{0.01 * unit_ / static_cast<double>(row.size.count) + 1};  // of both, which are printed
    if (row.rate.per_second > 0 && !agree(row.rate, by_bandwidth, rounding)) {
      fail(fmt::format("a MsgRate near {:.4g} Mpps, as the BW average says", by_bandwidth.millions()),
           fmt::format("{:.4g}", row.rate.millions()));
    }
    // Six decimals of a rate are more digits than two of a bandwidth, but not for large messages; old versions print no
    // rate.
    const double coarseness_of_rate = 1e-6 * 1e6 / row.rate.per_second;
    const double coarseness_of_bandwidth = 0.01 * unit_ / bandwidth;
    if (!(coarseness_of_rate <= coarseness_of_bandwidth)) {
      row.rate = by_bandwidth;
    }
    if (run.setup.latency ? row.typical == Time{0} : row.rate.per_second == 0) fail("a result above 0", "0");
    run.rows.push_back(row);
  }

  std::filesystem::path file_;
  std::ifstream input_;
  std::string text_;
  int line_ = 1;
  std::vector<PerftestRun> runs_;
  std::vector<int> begins_;          // lines of their titles
  std::vector<Column> columns_;      // of the table that is being read
  double unit_ = perftest_megabyte;  // bytes per second that a printed bandwidth of 1 means
  bool has_depth_ = false;
  int depth_line_ = 0;
  PerftestLimits limits_ = perftest_limits();
};

/// What the scenario language allows for a member.
template <class T> int largest_in_scenario(std::string_view member) {
  return static_cast<int>(scenario::form_of<T>().find(member)->form.max);
}

}  // namespace

PerftestLimits perftest_limits() {
  return {.queue_pairs = largest_in_scenario<model::QueuePairs>("count"),
          .depth = largest_in_scenario<model::QueuePairs>("depth"),
          .post_list = largest_in_scenario<model::PostStep>("batch"),
          .signal_every = largest_in_scenario<model::PostStep>("signal_every")};
}

int room_beside_depth(const PerftestSetup& setup) { return std::max(setup.post_list, setup.signal_every); }

bool agree(Rate rate, Rate by_bandwidth, Rate rounding) {
  constexpr double tolerated = 0.05;
  return std::abs(rate.per_second - by_bandwidth.per_second) <=
         tolerated * by_bandwidth.per_second + rounding.per_second;
}

std::vector<PerftestRun> read_perftest(const std::filesystem::path& file) {
  std::ifstream input = open_output(file);
  if ((input >> std::ws).peek() == '{') return {read_perftest_json(file, input)};
  return PerftestReader{file}.read();
}

}  // namespace doorbell::tools
