#include "tools/perftest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include "scenario/error.hpp"
#include "scenario/form.hpp"
#include "scenario/words.hpp"
#include "tools/json_place.hpp"
#include "tools/output_file.hpp"
#include "tools/output_line.hpp"
#include "tools/perftest_json.hpp"
#include "tools/perftest_table.hpp"

namespace doorbell::tools {
namespace {

using model::Transport;
using model::Verb;

class PerftestReader {
 public:
  explicit PerftestReader(const std::filesystem::path& file)
      : text_{read_output(file)}, lines_{text_, file}, places_{text_, file} {}

  std::vector<PerftestRun> read() {
    while (lines_.next()) {
      if (is_json()) {
        end_run(0);
        read_json();
        continue;
      }
      refuse_beyond_scenarios();
      if (is_title()) {
        end_run(1);
        begin();
      } else if (in_run_) {
        continue_run();
      }
      if (is_rule()) ++rules_;
    }
    end_run(0);
    if (runs_.empty()) line().fail("the output of a bandwidth or latency test of perftest", "none");
    for (const PerftestRun& run : runs_) {
      if (run.rows.empty()) throw OutputError{run.mention, "results of this test", "none"};
    }
    return std::move(runs_);
  }

 private:
  [[nodiscard]] const OutputLine& line() const { return lines_.line(); }
  [[nodiscard]] bool says(std::string_view words) const { return line().says(words); }
  /// What is expected in place of these words, which the line says.
  [[noreturn]] void refuse(std::string_view words, const std::string& expected, const std::string& found) const {
    line().fail_at(line().from(words), expected, found);
  }

  [[nodiscard]] bool is_json() const {
    const std::size_t begin = line().text.find_first_not_of(" \t");
    return begin != std::string_view::npos && line().text[begin] == '{';
  }

  void read_json() {
    std::size_t at = lines_.offset();
    runs_.push_back(read_perftest_json(text_, at, places_));
    lines_.skip_to(at);
  }

  /// Where the line says that something was used which the scenarios do not have. Some of these lines stand before the
  /// title.
  void refuse_beyond_scenarios() const {
    if (line().text.ends_with("OFF")) return;
    const std::string all = scenario::in_quotes(line().text);
    for (const std::string_view memory : {"CUDA", "ROCm", "GPU buffer", "use_cuda", "use_rocm"}) {
      if (says(memory)) refuse(memory, "buffers in the memory of the host", all);
    }
    for (const std::string_view limit : {"Rate limit", "rate limit", "rate_limit"}) {
      if (says(limit)) refuse(limit, "a test without a limit of its rate", all);
    }
    // Behind other text on its line, it would be passed over.
    if (says("\"test_info\"")) refuse("\"test_info\"", "JSON that begins a line", all);
  }

  [[nodiscard]] bool is_rule() const { return line().text.starts_with("----"); }

  /// The tool prints a rule behind each table; of those since the last row, `of_next` belong to what follows.
  void end_run(int of_next) {
    if (in_run_ && rules_ <= of_next && !runs_.back().rows.empty()) runs_.back().open_end = last_row_;
    in_run_ = false;
    table_.reset();
  }

  [[nodiscard]] bool is_title() const {
    const bool test = line().text.ends_with("Test") || says("Test ");
    return test && (says(" BW ") || says(" Latency ")) && line().text.starts_with("     ");
  }

  void begin() {
    PerftestRun& run = runs_.emplace_back();
    run.mention = line().mention();
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
      line().fail("a test of Send, RDMA_Write, RDMA_Read or Atomic", scenario::in_quotes(line().text));
    }
    if (says("Bidirectional")) refuse("Bidirectional", "a test of one direction", "a bidirectional one");
    if (says("Multicast")) refuse("Multicast", "a test without multicast", "one with it");
    has_pairs_ = has_transport_ = false;
  }

  void continue_run() {
    PerftestRun& run = runs_.back();
    if (PerftestTable::is_heading(line())) {
      require_settings(run);
      table_.emplace(line(), run.setup.latency);
      run.setup.means = table_->has_means();
    } else if (table_) {
      const auto row = table_->row(line());
      if (is_rule()) table_.reset();  // It has ended.
      if (!row) return;
      run.rows.push_back(*row);
      last_row_ = line().number;
      rules_ = 0;
    } else {
      read_setting(run);
    }
  }

  /// The word after "KEY :", if the line has that.
  [[nodiscard]] std::optional<std::string_view> value_of(std::string_view key) const {
    constexpr std::string_view blank = " \t";
    if (!says(key)) return std::nullopt;
    std::string_view rest = line().from(key).substr(key.size());
    rest.remove_prefix(std::min(rest.find_first_not_of(blank), rest.size()));
    if (!rest.starts_with(':')) return std::nullopt;
    const auto words = scenario::words_of(rest.substr(1));
    return words.empty() ? std::nullopt : std::optional{words.front()};
  }

  struct Count {
    figures::Mention mention;
    int value = 0;
  };
  /// The same as a count up to `most`; "4096[B]" is 4096.
  [[nodiscard]] std::optional<Count> count_of(std::string_view key, int least = 0, int most = 1'000'000'000) const {
    const auto word = value_of(key);
    if (!word) return std::nullopt;
    const auto value = perftest_number(word->substr(0, word->find_first_of("[B")));
    if (!value || *value > 1e9 || std::floor(*value) != *value)
      line().fail_at(*word, fmt::format("a count after {}", scenario::in_quotes(key)));
    const int count = static_cast<int>(*value);
    if (count < least || count > most) {
      line().fail_at(*word, fmt::format("{} to {} after {}", least, most, scenario::in_quotes(key)),
                     std::to_string(count));
    }
    return Count{line().mention_of(*word), count};
  }

  void read_setting(PerftestRun& run) {
    PerftestSetup& setup = run.setup;
    constexpr std::string_view events = "Test with events";
    if (says(events)) refuse(events, "a test that polls", "one with events");
    const auto ports = value_of("Dual-port");
    if (ports && *ports != "OFF") line().fail_at(*ports, "a test on one port", "one on two");
    if (const auto device = value_of("Device")) setup.doorbells = device->starts_with("mlx4");
    if (const auto type = value_of("Connection type")) {
      has_transport_ = true;
      run.settings.transport = line().mention_of(*type);
      read_transport(setup, *type);
    }
    if (const auto pairs = count_of("Number of qps", 1, limits_.queue_pairs)) {
      has_pairs_ = true;
      run.settings.queue_pairs = pairs->mention;
      setup.queue_pairs = pairs->value;
    }
    if (const auto depth = count_of("TX depth", 1)) {
      run.settings.depth = depth->mention;
      if (!setup.latency) setup.depth = depth->value;
    }
    if (const auto list = count_of("Post List", 1, limits_.post_list)) {
      run.settings.post_list = list->mention;
      setup.post_list = list->value;
    }
    if (const auto every = count_of("CQ Moderation", 1, limits_.signal_every)) {
      run.settings.signal_every = every->mention;
      setup.signal_every = setup.latency ? 1 : every->value;
    }
    if (const auto size = count_of("Max inline data")) {
      run.settings.max_inline = size->mention;
      setup.max_inline = Bytes{size->value};
    }
    if (const auto mtu = count_of("Mtu")) run.mtu = Bytes{mtu->value};
    if (const auto shared = value_of("Using SRQ")) run.shared_receive_queue = *shared == "ON";
    if (const auto link = value_of("Link type")) run.ethernet = *link == "Ethernet";
    if (const auto reads = count_of("Outstand reads")) run.outstanding_reads = reads->value;
  }

  void read_transport(PerftestSetup& setup, std::string_view type) const {
    if (type == "RC") {
      setup.transport = Transport::rc;
    } else if (type == "UC") {
      setup.transport = Transport::uc;
    } else if (type == "UD") {
      setup.transport = Transport::ud;
    } else {
      line().fail_at(type, "connection type RC, UC or UD");
    }
  }

  /// Those that stand before every table.
  void require_settings(const PerftestRun& run) const {
    const PerftestSetup& setup = run.setup;
    const figures::Mention& depth = run.settings.depth;
    if (!depth.at.file && !setup.latency) line().fail("the client's output, which has a TX depth", "the server's");
    // All versions print both.
    if (!has_pairs_) line().fail("\"Number of qps\" before the table", "none");
    if (!has_transport_) line().fail("\"Connection type\" before the table", "none");
    // Known only now: what else must fit into the send queue may be printed behind the depth.
    const int most = limits_.depth - room_beside_depth(setup);
    if (setup.depth > most)
      throw OutputError{depth, fmt::format("a TX depth of at most {}", most), std::to_string(setup.depth)};
  }

  std::string text_;
  OutputLines lines_;
  JsonPlaces places_;
  std::vector<PerftestRun> runs_;
  std::optional<PerftestTable> table_;  // that is being read
  bool in_run_ = false;                 // A title came, and no JSON since.
  int last_row_ = 0;                    // line of it
  int rules_ = 0;                       // since the last row
  bool has_pairs_ = false;
  bool has_transport_ = false;
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
