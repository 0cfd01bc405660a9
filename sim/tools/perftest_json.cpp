#include "tools/perftest_json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "scenario/error.hpp"

namespace doorbell::tools {
namespace {

using model::Transport;
using model::Verb;
using Json = nlohmann::json;

class PerftestJsonReader {
 public:
  PerftestJsonReader(const std::filesystem::path& file, int line, std::istream& input) : file_{file}, line_{line} {
    try {
      input >> root_;
    } catch (const Json::exception&) {
      fail("", "what perftest writes with --out_json", "no complete JSON");
    }
    const auto is_object = [&](const char* name) { return root_.contains(name) && root_[name].is_object(); };
    if (!root_.is_object() || !is_object("test_info") || !is_object("results"))
      fail("", "what perftest writes with --out_json", "something else");
  }

  PerftestRun read() {
    PerftestRun run;
    run.mention = mention_of({});
    read_test(run.setup);
    read_settings(run);
    const Json& results = root_["results"];
    run.setup.means = run.setup.latency && !results.contains("t_typical") && results.contains("t_avg");
    run.rows.push_back(row(run.setup));
    return run;
  }

 private:
  [[noreturn]] void fail(const std::string& pointer, const std::string& expected, const std::string& found) const {
    throw OutputError{file_, line_, pointer, expected, found};
  }

  [[nodiscard]] figures::Mention mention_of(std::string pointer) const {
    figures::Mention mention;
    mention.at.file = std::make_shared<const std::string>(file_.string());
    mention.at.line = line_;
    mention.pointer = std::move(pointer);
    return mention;
  }

  [[nodiscard]] std::string word(const char* name) const {
    const Json& info = root_["test_info"];
    if (!info.contains(name) || !info[name].is_string()) fail(fmt::format("/test_info/{}", name), "a word", "none");
    return info[name].get<std::string>();
  }

  [[nodiscard]] int count(const char* name, int without, int most = 1'000'000'000) const {
    const Json& info = root_["test_info"];
    if (!info.contains(name)) return without;
    const Json& value = info[name];
    constexpr double beyond_reason = 1e9;
    const double counted = value.is_number() ? value.get<double>() : -1;
    if (!(counted >= 0 && counted <= beyond_reason && std::floor(counted) == counted))
      fail(fmt::format("/test_info/{}", name), "a count", value.dump());
    const int number = value.get<int>();
    if (number > most)
      fail(fmt::format("/test_info/{}", name), fmt::format("a count of at most {}", most), value.dump());
    return number;
  }

  /// A result of the tool, which prints times in microseconds and rates in millions per second.
  [[nodiscard]] double result(const char* name) const {
    const Json& results = root_["results"];
    const std::string pointer = fmt::format("/results/{}", name);
    if (!results.contains(name)) fail(pointer, "a number", "none");
    constexpr double beyond_reason = 1e12;
    const Json& value = results[name];
    if (!value.is_number() || !(value.get<double>() > 0 && value.get<double>() < beyond_reason))
      fail(pointer, "a number above 0", value.dump());
    return value.get<double>();
  }

  void read_test(PerftestSetup& setup) const {
    const std::string test = word("test");
    const auto says = [&](std::string_view words) { return test.find(words) != std::string::npos; };
    setup.latency = says("_Latency_");
    if (!setup.latency && !says("_BW_"))
      fail("/test_info/test", "a bandwidth or latency test", scenario::in_quotes(test));
    if (says("Bidirectional")) fail("/test_info/test", "a test of one direction", scenario::in_quotes(test));
    if (says("Multicast")) fail("/test_info/test", "a test without multicast", scenario::in_quotes(test));
    if (test.starts_with("Send_")) {
      setup.verb = Verb::send;
    } else if (test.starts_with("RDMA_Write_") && !says("imm")) {
      setup.verb = Verb::write;
    } else if (test.starts_with("RDMA_Read_")) {
      setup.verb = Verb::read;
    } else if (test.starts_with("Atomic_")) {
      setup.verb = says("CMP_AND_SWAP") ? Verb::compare_swap : Verb::fetch_add;
    } else {
      fail("/test_info/test", "a test of Send, RDMA_Write, RDMA_Read or Atomic", scenario::in_quotes(test));
    }
  }

  void read_settings(PerftestRun& run) const {
    PerftestSetup& setup = run.setup;
    if (root_["test_info"].contains("Test with events")) fail("/test_info", "a test that polls", "one with events");
    if (word("Dual_port") != "OFF") fail("/test_info/Dual_port", "a test on one port", scenario::in_quotes("ON"));
    if (const Json& info = root_["test_info"];
        info.contains("cuda_device") || info.value("Use_ROCm_memory", Json{}) == "ON")
      fail("/test_info", "buffers in the memory of the host", "those of a GPU");
    setup.doorbells = word("Device").starts_with("mlx4");
    const std::string type = word("Connection_type");
    if (type != "RC" && type != "UC" && type != "UD")
      fail("/test_info/Connection_type", "RC, UC or UD", scenario::in_quotes(type));
    setup.transport = type == "RC" ? Transport::rc : type == "UC" ? Transport::uc : Transport::ud;
    const PerftestLimits limits = perftest_limits();
    if (!root_["test_info"].contains("Number_of_qps")) fail("/test_info/Number_of_qps", "a count", "none");
    setup.queue_pairs = count("Number_of_qps", 1, limits.queue_pairs);
    const int depth = count("TX_depth", 0);
    if (depth == 0) fail("/test_info", "the client's results, which have a TX_depth", "the server's");
    setup.post_list = count("Post_List", 1, limits.post_list);
    if (!setup.latency) {
      setup.depth = depth;
      setup.signal_every = count("CQ_Moderation", 1, limits.signal_every);
      static_cast<void>(count("TX_depth", 0, limits.depth - room_beside_depth(setup)));
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
      fail("/results/MsgSize", "a size of at least 1 byte, in whole bytes", root_["results"]["MsgSize"].dump());
    row.size = Bytes{static_cast<std::int64_t>(size)};
    row.mention = mention_of("/results/MsgSize");
    if (setup.latency) {
      const double typical = result(setup.means ? "t_avg" : "t_typical");
      const Json& results = root_["results"];
      if (!setup.means && results.contains("t_min") && results.contains("t_max") &&
          !(result("t_min") <= typical && typical <= result("t_max")))
        fail("/results/t_typical",
             fmt::format("a time from {} to {}, t_min and t_max", result("t_min"), result("t_max")),
             fmt::format("{}", typical));
      row.typical = from_seconds(typical * 1e-6);
      if (results.contains("percentile_99")) row.percentile = from_seconds(result("percentile_99") * 1e-6);
    } else {
      row.rate = Rate{result("MsgRate") * 1e6};
      if (root_["results"].contains("BW_average")) compare(row.rate, row.size);
    }
    return row;
  }

  /// The unit of the bandwidth is not said: it is MiB/s, or Gb/s with --report_gbits.
  void compare(Rate rate, Bytes size) const {
    const double printed = result("BW_average") / static_cast<double>(size.count);
    constexpr double bytes_per_gigabit = 1e9 / 8;
    if (agree(rate, Rate{printed * perftest_megabyte}) || agree(rate, Rate{printed * bytes_per_gigabit})) return;
    fail("/results/MsgRate",
         fmt::format("a rate near {:.4g} Mpps, as BW_average says", printed * perftest_megabyte / 1e6),
         root_["results"]["MsgRate"].dump());
  }

  std::filesystem::path file_;
  int line_ = 1;  // at which the document begins
  Json root_;
};

}  // namespace

PerftestRun read_perftest_json(const std::filesystem::path& file, int line, std::istream& input) {
  return PerftestJsonReader{file, line, input}.read();
}

}  // namespace doorbell::tools
