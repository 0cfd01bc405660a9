#include "tools/perftest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <memory>
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
  explicit PerftestReader(const std::filesystem::path& file) : file_{file}, input_{read_output(file)} {}

  std::vector<PerftestRun> read() {
    while (next_line()) {
      if (is_json()) {
        end_run(0);
        read_json();
        continue;
      }
      if (const auto excess = beyond_scenarios()) fail(*excess, scenario::in_quotes(text_));
      if (is_title()) {
        end_run(1);
        begin();
      } else if (in_run_) {
        continue_run();
      }
      if (is_rule()) ++rules_;
    }
    end_run(0);
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
    throw OutputError{file_, std::max(line_, 1), std::string{}, expected, found};
  }
  /// At a part of the line.
  [[noreturn]] void fail_at(std::string_view part, const std::string& expected) const {
    throw OutputError{mention_of(part), expected, scenario::in_quotes(part)};
  }
  /// Columns count characters, not bytes.
  [[nodiscard]] figures::Mention mention_of(std::string_view part) const {
    const auto before = std::string_view{text_}.substr(0, static_cast<std::size_t>(part.data() - text_.data()));
    const auto characters = std::ranges::count_if(before, scenario::starts_character);
    return {{name_, std::max(line_, 1), static_cast<int>(characters) + 1}, {}};
  }
  [[nodiscard]] bool says(std::string_view words) const { return text_.find(words) != std::string::npos; }

  bool next_line() {
    line_begins_ = input_.tellg();
    if (!std::getline(input_, text_)) return false;
    if (!text_.empty() && text_.back() == '\r') text_.pop_back();
    ++line_;
    return true;
  }

  [[nodiscard]] bool is_json() const {
    const std::size_t begin = text_.find_first_not_of(" \t");
    return begin != std::string::npos && text_[begin] == '{';
  }

  void read_json() {
    input_.clear();
    input_.seekg(line_begins_);
    begins_.push_back(line_);
    runs_.push_back(read_perftest_json(file_, line_, input_));
    // The next line is what remains of the document's last one.
    const auto read = input_.view().substr(0, static_cast<std::size_t>(std::streamoff{input_.tellg()}));
    const std::string_view document = read.substr(static_cast<std::size_t>(line_begins_));
    line_ += static_cast<int>(std::count(document.begin(), document.end(), '\n')) - 1;
  }

  /// What is expected in place of something that the scenarios do not have, where the line says that it was used. Some
  /// of these lines stand before the title.
  [[nodiscard]] std::optional<std::string> beyond_scenarios() const {
    if (text_.ends_with("OFF")) return std::nullopt;
    for (const std::string_view memory : {"CUDA", "ROCm", "GPU buffer", "use_cuda", "use_rocm"}) {
      if (says(memory)) return "buffers in the memory of the host";
    }
    for (const std::string_view limit : {"Rate limit", "rate limit", "rate_limit"}) {
      if (says(limit)) return "a test without a limit of its rate";
    }
    // Behind other text on its line, it would be passed over.
    if (says("\"test_info\"")) return "JSON that begins a line";
    return std::nullopt;
  }

  [[nodiscard]] bool is_rule() const { return text_.starts_with("----"); }

  /// The tool prints a rule behind each table; of those since the last row, `of_next` belong to what follows.
  void end_run(int of_next) {
    if (in_run_ && rules_ <= of_next && !runs_.back().rows.empty()) runs_.back().open_end = last_row_;
    in_run_ = false;
    columns_.clear();
  }

  [[nodiscard]] bool is_title() const {
    const bool test = text_.ends_with("Test") || says("Test ");
    return test && (says(" BW ") || says(" Latency ")) && text_.starts_with("     ");
  }

  void begin() {
    PerftestRun& run = runs_.emplace_back();
    begins_.push_back(line_);
    run.mention = mention_of(text_);
    PerftestSetup& setup = run.setup;
    in_run_ = true;
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
    has_depth_ = has_pairs_ = has_transport_ = false;
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
    if (!value || *value > 1e9 || std::floor(*value) != *value)
      fail_at(*word, fmt::format("a count after \"{}\"", key));
    return static_cast<int>(*value);
  }

  void read_setting(PerftestRun& run) {
    PerftestSetup& setup = run.setup;
    if (says("Test with events")) fail("a test that polls", "one with events");
    if (value_of("Dual-port").value_or("OFF") != "OFF") fail("a test on one port", "one on two");
    if (const auto device = value_of("Device")) setup.doorbells = device->starts_with("mlx4");
    if (const auto type = value_of("Connection type")) {
      has_transport_ = true;
      read_transport(setup, *type);
    }
    const auto limited = [&](std::string_view key, int most) {
      const auto count = count_of(key);
      if (count && (*count < 1 || *count > most))
        fail(fmt::format("1 to {} after {}", most, scenario::in_quotes(key)), std::to_string(*count));
      return count;
    };
    if (const auto pairs = limited("Number of qps", limits_.queue_pairs)) {
      has_pairs_ = true;
      setup.queue_pairs = *pairs;
    }
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
      fail_at(type, "connection type RC, UC or UD");
    }
  }

  void read_heading(PerftestRun& run) {
    if (!has_depth_ && !run.setup.latency) fail("the client's output, which has a TX depth", "the server's");
    // All versions print both.
    if (!has_pairs_) fail("\"Number of qps\" before the table", "none");
    if (!has_transport_) fail("\"Connection type\" before the table", "none");
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

  [[nodiscard]] std::vector<std::string_view> words_of_line() const {
    constexpr const char* blank = " \t\v\f\r";
    std::vector<std::string_view> words;
    for (std::size_t at = text_.find_first_not_of(blank); at != std::string::npos;) {
      const std::size_t end = std::min(text_.find_first_of(blank, at), text_.size());
      words.push_back(std::string_view{text_}.substr(at, end - at));
      at = text_.find_first_not_of(blank, end);
    }
    return words;
  }

  void read_row(PerftestRun& run) {
    const std::vector<std::string_view> words = words_of_line();
    if (is_rule()) columns_.clear();  // The table has ended.
    // The heading says [usec] even so; only the list of all times (-U) tells.
    if (text_ == "#, cycles") fail("times in microseconds", "cycles (-C)");
    // Warnings stand between rows, too.
    if (words.empty() || !number(words.front())) return;
    if (words.size() < columns_.size()) {
      fail(fmt::format("{} columns", columns_.size()), std::to_string(words.size()));
    }
    PerftestRow row;
    double bandwidth = 0;
    double size = 0;
    std::optional<double> least;
    std::optional<double> most;
    double typical = 0;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const auto value = number(words[i]);
      if (!value || *value > largest_in_table) fail_at(words[i], "a number");
      switch (columns_[i]) {
        case Column::size: size = *value; break;
        case Column::average: bandwidth = *value * unit_; break;
        case Column::rate: row.rate = Rate{*value * 1e6}; break;
        case Column::least: least = value; break;
        case Column::most: most = value; break;
        case Column::typical: typical = *value; break;
        case Column::percentile: row.percentile = from_seconds(*value * 1e-6); break;
        default: break;
      }
    }
    if (size < 1) fail_at(words.front(), "a size of at least 1 byte");
    if (std::floor(size) != size) fail_at(words.front(), "a size in whole bytes");
    row.size = Bytes{static_cast<std::int64_t>(size)};
    row.mention = mention_of(words.front());
    if (typical < least.value_or(typical) || typical > most.value_or(typical))
      fail(fmt::format("a t_typical from {} to {}, the t_min and the t_max", least.value_or(0), most.value_or(0)),
           fmt::format("{}", typical));
    row.typical = from_seconds(typical * 1e-6);
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
    last_row_ = line_;
    rules_ = 0;
  }

  std::filesystem::path file_;
  std::shared_ptr<const std::string> name_ = std::make_shared<const std::string>(file_.string());
  std::istringstream input_;
  std::streamoff line_begins_ = 0;
  std::string text_;
  int line_ = 0;
  std::vector<PerftestRun> runs_;
  std::vector<int> begins_;          // lines of their titles
  std::vector<Column> columns_;      // of the table that is being read
  double unit_ = perftest_megabyte;  // bytes per second that a printed bandwidth of 1 means
  bool in_run_ = false;              // A title came, and no JSON since.
  int last_row_ = 0;                 // line of it
  int rules_ = 0;                    // since the last row
  bool has_depth_ = false;
  bool has_pairs_ = false;
  bool has_transport_ = false;
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

std::vector<PerftestRun> read_perftest(const std::filesystem::path& file) { return PerftestReader{file}.read(); }

}  // namespace doorbell::tools
