#include "tools/perftest_json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "scenario/error.hpp"
#include "scenario/pointer.hpp"
#include "tools/json_document.hpp"

namespace doorbell::tools {
namespace {

using model::Transport;
using model::Verb;
using Json = nlohmann::json;
using scenario::Pointer;

class PerftestJsonReader {
 public:
  PerftestJsonReader(std::string_view text, std::size_t& at, JsonPlaces& places)
      : places_{places}, begin_{at}, root_(read_document(text, at, places, what)) {
    const auto is_object = [&](const char* name) { return root_.contains(name) && root_[name].is_object(); };
    if (!root_.is_object() || !is_object("test_info") || !is_object("results")) fail({}, what, "something else");
  }

  PerftestRun read() {
    PerftestRun run;
    run.mention = mention_of({});
    read_test(run.setup);
    read_settings(run);
    run.settings = {mention_of(in_info("Connection_type")), mention_of(in_info("Number_of_qps")),
                    mention_of(in_info("TX_depth")),        mention_of(in_info("Post_List")),
                    mention_of(in_info("CQ_Moderation")),   mention_of(in_info("Max_inline_data"))};
    const Json& results = root_["results"];
    run.setup.means = run.setup.latency && !results.contains("t_typical") && results.contains("t_avg");
    run.rows.push_back(row(run.setup));
    return run;
  }

 private:
  static constexpr const char* what = "what perftest writes with --out_json";

  [[noreturn]] void fail(const Pointer& pointer, const std::string& expected, const std::string& found) const {
    throw OutputError{mention_of(pointer), expected, found};
  }
  [[nodiscard]] figures::Mention mention_of(const Pointer& pointer) const {
    return {places_.of(begin_, pointer), pointer.text()};
  }
  static Pointer in_info(std::string_view name) { return Pointer{} / "test_info" / name; }
  static Pointer in_results(std::string_view name) { return Pointer{} / "results" / name; }

  [[nodiscard]] std::string word(const char* name) const {
    const Json& info = root_["test_info"];
    if (!info.contains(name) || !info[name].is_string()) fail(in_info(name), "a word", "none");
    return info[name].get<std::string>();
  }

  [[nodiscard]] int count(const char* name, int without, int most = 1'000'000'000) const {
    const Json& info = root_["test_info"];
    if (!info.contains(name)) return without;
    const Json& value = info[name];
    const double counted = value.is_number() ? value.get<double>() : -1;
    if (!(counted >= 0 && counted <= most && std::floor(counted) == counted))
      fail(in_info(name), fmt::format("a count of at most {}", most), found_text(value));
    return value.get<int>();
  }

  /// A result of the tool, which prints times in microseconds and rates in millions per second.
  [[nodiscard]] double result(const char* name) const {
    const Json& results = root_["results"];
    const Pointer pointer = in_results(name);
    if (!results.contains(name)) fail(pointer, "a number", "none");
    constexpr double beyond_reason = 1e12;
    const Json& value = results[name];
    if (!value.is_number() || !(value.get<double>() > 0 && value.get<double>() < beyond_reason))
      fail(pointer, fmt::format("a number above 0 and below {}", beyond_reason), found_text(value));
    return value.get<double>();
  }

  void read_test(PerftestSetup& setup) const {
    const std::string test = word("test");
    const auto says = [&](std::string_view words) { return test.find(words) != std::string::npos; };
    setup.latency = says("_Latency_");
    if (!setup.latency && !says("_BW_"))
      fail(in_info("test"), "a bandwidth or latency test", scenario::in_quotes(test));
    if (says("Bidirectional")) fail(in_info("test"), "a test of one direction", scenario::in_quotes(test));
    if (says("Multicast")) fail(in_info("test"), "a test without multicast", scenario::in_quotes(test));
    if (test.starts_with("Send_")) {
      setup.verb = Verb::send;
    } else if (test.starts_with("RDMA_Write_") && !says("imm")) {
      setup.verb = Verb::write;
    } else if (test.starts_with("RDMA_Read_")) {
      setup.verb = Verb::read;
    } else if (test.starts_with("Atomic_")) {
      setup.verb = says("CMP_AND_SWAP") ? Verb::compare_swap : Verb::fetch_add;
    } else {
      fail(in_info("test"), "a test of Send, RDMA_Write, RDMA_Read or Atomic", scenario::in_quotes(test));
    }
  }

  void read_settings(PerftestRun& run) const {
    PerftestSetup& setup = run.setup;
    if (root_["test_info"].contains("Test with events"))
      fail(in_info("Test with events"), "a test that polls", "one with events");
    if (word("Dual_port") != "OFF") fail(in_info("Dual_port"), "a test on one port", scenario::in_quotes("ON"));
    const Json& info = root_["test_info"];
    const char* gpu = info.contains("cuda_device")                    ? "cuda_device"
                      : info.value("Use_ROCm_memory", Json{}) == "ON" ? "Use_ROCm_memory"
                                                                      : nullptr;
    if (gpu != nullptr) fail(in_info(gpu), "buffers in the memory of the host", "those of a GPU");
    setup.doorbells = word("Device").starts_with("mlx4");
    const std::string type = word("Connection_type");
    if (type != "RC" && type != "UC" && type != "UD")
      fail(in_info("Connection_type"), "RC, UC or UD", scenario::in_quotes(type));
    setup.transport = type == "RC" ? Transport::rc : type == "UC" ? Transport::uc : Transport::ud;
    const PerftestLimits limits = perftest_limits();
    if (!root_["test_info"].contains("Number_of_qps")) fail(in_info("Number_of_qps"), "a count", "none");
    setup.queue_pairs = count("Number_of_qps", 1, limits.queue_pairs);
    const int depth = count("TX_depth", 0);
    if (depth == 0) fail(in_info("TX_depth"), "the client's results, which have a TX_depth", "the server's");
    setup.post_list = count("Post_List", 1, limits.post_list);
    if (!setup.latency) {
      setup.depth = depth;
      setup.signal_every = count("CQ_Moderation", 1, limits.signal_every);
      const int most = limits.depth - room_beside_depth(setup);
      if (depth > most) fail(in_info("TX_depth"), fmt::format("a count of at most {}", most), std::to_string(depth));
    }
    setup.max_inline = Bytes{count("Max_inline_data", 0)};
    run.mtu = Bytes{count("Mtu", 0)};
    run.ethernet = root_["test_info"].value("Link_type", Json{}) == "Ethernet";
    run.shared_receive_queue = root_["test_info"].value("Using_SRQ", Json{}) == "ON";
    run.outstanding_reads = count("Outstand_reads", 0);
  }

  [[nodiscard]] PerftestRow row(const PerftestSetup& setup) const {
    PerftestRow row;
    const double size = result("MsgSize");
    if (size < 1 || std::floor(size) != size)
      fail(in_results("MsgSize"), "a size of at least 1 byte, in whole bytes", found_text(root_["results"]["MsgSize"]));
    row.size = Bytes{static_cast<std::int64_t>(size)};
    row.mention = mention_of(in_results("MsgSize"));
    if (setup.latency) {
      const double typical = result(setup.means ? "t_avg" : "t_typical");
      const Json& results = root_["results"];
      if (!setup.means && results.contains("t_min") && results.contains("t_max") &&
          !(result("t_min") <= typical && typical <= result("t_max")))
        fail(in_results("t_typical"),
             fmt::format("a time from {} to {}, t_min and t_max", result("t_min"), result("t_max")),
             fmt::format("{}", typical));
      row.typical = from_seconds(typical * 1e-6);
      if (results.contains("percentile_99")) row.percentile = from_seconds(result("percentile_99") * 1e-6);
    } else {
      row.rate = rate_of(row.size);
    }
    return row;
  }

  /// By the rate or the bandwidth, whichever has more digits, as in tables. The unit of the bandwidth is not said: it
  /// is MiB/s, or Gb/s with --report_gbits.
  [[nodiscard]] Rate rate_of(Bytes size) const {
    const Rate printed{result("MsgRate") * 1e6};
    if (!root_["results"].contains("BW_average")) return printed;
    const double bandwidth = result("BW_average");
    constexpr double bytes_per_gigabit = 1e9 / 8;
    const Rate in_mebibytes{bandwidth * perftest_megabyte / static_cast<double>(size.count)};
    const Rate in_gigabits{bandwidth * bytes_per_gigabit / static_cast<double>(size.count)};
    const auto distance = [&](Rate rate) { return std::abs(rate.per_second - printed.per_second); };
    const Rate by_bandwidth = distance(in_gigabits) < distance(in_mebibytes) ? in_gigabits : in_mebibytes;
    constexpr double rounding = 1;  // Per second: the rate has six decimals of millions.
    if (!agree(printed, by_bandwidth, Rate{rounding})) {
      fail(in_results("MsgRate"), fmt::format("a rate near {:.4g} Mpps, as BW_average says", in_mebibytes.millions()),
           found_text(root_["results"]["MsgRate"]));
    }
    return rounding / printed.per_second <= 0.01 / bandwidth ? printed : by_bandwidth;
  }

  JsonPlaces& places_;
  std::size_t begin_;  // of the document
  Json root_;
};

}  // namespace

PerftestRun read_perftest_json(std::string_view text, std::size_t& at, JsonPlaces& places) {
  return PerftestJsonReader{text, at, places}.read();
}

}  // namespace doorbell::tools
