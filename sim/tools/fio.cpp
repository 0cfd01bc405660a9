#include "tools/fio.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "scenario/error.hpp"
#include "scenario/pointer.hpp"
#include "tools/fio_options.hpp"
#include "tools/json_document.hpp"
#include "tools/json_place.hpp"
#include "tools/output_file.hpp"

namespace doorbell::tools {
namespace {

using Json = nlohmann::json;
using scenario::Pointer;

constexpr std::array<std::string_view, 6> synchronous{"sync", "psync", "vsync", "pvsync", "pvsync2", "mmap"};

constexpr std::string_view version_key = "\"fio version\"";

class FioReader {
 public:
  explicit FioReader(const std::filesystem::path& file) : text_{read_output(file)}, places_{text_, file} {}

  FioOutput read() {
    // Warnings of fio may stand before the JSON and after it, and one run may follow another.
    bool found = false;
    for (std::size_t at = next_document(0); at != std::string::npos; at = next_document(at)) {
      add_document(document(at));
      found = true;
    }
    if (!found) fail({}, "the output of fio with --output-format=json", "something else");
    if (results_.empty()) fail(Pointer{} / "jobs", "at least one job", "none");
    for (Group& group : results_) {
      FioResult& result = group.result;
      // Clones are reported as one, with group_reporting, or one by one.
      if (group.entries % result.job.clones != 0 && group.entries != 1) {
        throw OutputError{result.mentions.job, fmt::format("{} clones of a job", result.job.clones),
                          std::to_string(group.entries)};
      }
      if (group.entries > 1) {
        result.job.clones = group.entries;
        result.read_median = result.write_median = Time{0};
      }
      output_.results.push_back(result);
    }
    return std::move(output_);
  }

 private:
  /// In the document that is being read; one of several is told apart.
  [[nodiscard]] figures::Mention mention(const Pointer& pointer) {
    std::string text = pointer.text();
    if (is_one_of_several_) text += fmt::format("{}(run {})", text.empty() ? "" : " ", run_);
    return {places_.of(begin_, pointer), text};
  }
  [[noreturn]] void fail(const Pointer& pointer, const std::string& expected, const std::string& found) {
    throw OutputError{mention(pointer), expected, found};
  }

  /// Where an option is that has one of these names; the job itself where it has none of them.
  [[nodiscard]] Pointer place_of(std::string_view option, std::string_view other = {}) const {
    for (const std::string_view name : {option, other}) {
      if (options_->is_own(name)) return job_ / "job options" / name;
      if (options_->find(name)) return Pointer{} / "global options" / name;
    }
    return job_;
  }
  [[noreturn]] void fail_option(std::string_view option, const std::string& expected, const std::string& found) {
    fail(place_of(option, other_name(option)), expected, found);
  }
  static std::string_view other_name(std::string_view option) {
    return option == "bs" ? "blocksize" : option == "rw" ? "readwrite" : std::string_view{};
  }

  /// Where the first run behind `at` begins, if there is one. It begins a line, perhaps after blanks, or follows what
  /// fio shows of its progress, where '\r' ends the lines.
  [[nodiscard]] std::size_t next_document(std::size_t at) {
    std::size_t next = at;
    bool begins_line = true;
    for (; next < text_.size() && !(begins_line && text_[next] == '{'); ++next) {
      const char c = text_[next];
      begins_line = c == '\n' || c == '\r' || (begins_line && (c == ' ' || c == '\t'));
    }
    // A run must not get lost without a word.
    const std::size_t lost = text_.find(version_key, at);
    if (lost < next) {
      throw OutputError{{places_.at(lost), std::string{}}, "runs that begin a line", "one behind other text"};
    }
    return next < text_.size() ? next : std::string::npos;
  }

  /// Moves `at` behind it.
  [[nodiscard]] Json document(std::size_t& at) {
    begin_ = at;
    ++run_;
    return read_document(text_, at, places_, "the output of fio with --output-format=json");
  }

  /// The member of that name, which may be left out.
  [[nodiscard]] const Json& options_in(const Json& around, const Pointer& pointer, const char* name) {
    static const Json none = Json::object();
    const auto options = around.find(name);
    if (!around.is_object() || options == around.end()) return none;
    // Arrays may be long, and nested deeper than the stack is.
    if (!options->is_object()) {
      fail(pointer / name, "an object of options", found_text(*options));
    }
    return *options;
  }

  void add_document(const Json& root) {
    if (!root.contains("fio version") || !root.contains("jobs") || !root["jobs"].is_array()) {
      fail({}, "the output of fio with --output-format=json", "something else");
    }
    const Json& common = options_in(root, {}, "global options");
    first_ = results_.size();
    for (std::size_t i = 0; i < root["jobs"].size(); ++i) {
      const Json& job = root["jobs"][i];
      job_ = Pointer{} / "jobs" / i;
      const FioOptions options{options_in(job, job_, "job options"), common};
      options_ = &options;
      try {
        add(job, options);
      } catch (const Json::exception&) {
        fail(job_, "a job of fio with \"read\", \"write\" and their numbers", "something else");
      }
    }
  }

  void add(const Json& job, const FioOptions& options) {
    const auto error = job.find("error");
    if (error != job.end() && *error != 0) fail(job_ / "error", "0", found_text(*error));
    FioResult result;
    result.job = job_of(options);
    for (const std::string& name : options.unknown()) output_.unknown_options.insert(name);
    result.direct = options.find("direct").value_or("0") == "1" || options.find("buffered").value_or("1") == "0";
    const double read = bandwidth_of(job, "read", result.job.read_percent > 0);
    const double written = bandwidth_of(job, "write", result.job.read_percent < 100);
    const double bytes = read + written;
    constexpr double beyond_reason = 1e15;
    if (!(bytes > 0 && bytes < beyond_reason)) {
      const char* direction = result.job.read_percent > 0 ? "read" : "write";
      fail(job_ / direction / "bw_bytes", fmt::format("a bandwidth above 0 and below {} B/s", beyond_reason),
           fmt::format("{}", bytes));
    }
    result.bandwidth = Bandwidth{bytes};
    if (result.job.read_percent > 0) result.read_median = median_of(job, "read");
    if (result.job.read_percent < 100) result.write_median = median_of(job, "write");
    result.mentions = {mention(job_), mention(place_of("bs", other_name("bs"))), mention(place_of("iodepth")),
                       mention(place_of("numjobs"))};
    const int number = group_of(job);
    // A job begins a new group when it waits for those before it, or when it is told to.
    const bool waits = options.find("stonewall") || options.find("wait_for_previous") || !options.find("new_group");
    const auto named = job.find("jobname");
    const std::string name = named != job.end() && named->is_string() ? named->get<std::string>() : "";
    const auto awaited = options.find("wait_for");
    if (results_.size() == first_ || (results_.back().number != number && waits) ||
        (awaited && results_.back().names.contains(*awaited))) {
      results_.push_back({result, number, 1, {name}});
      return;
    }
    Group& group = results_.back();
    group.names.insert(name);
    if (group.result.job != result.job)
      fail(job_, "jobs one after the other (stonewall), or equal ones", "a job that ran beside another one");
    group.result.bandwidth.bytes_per_second += bytes;
    ++group.entries;
  }

  [[nodiscard]] double number_in(const Json& around, const Pointer& pointer, const char* name) {
    const Json& value = around.at(name);
    if (!value.is_number()) fail(pointer / name, "a number", found_text(value));
    return value.get<double>();
  }

  [[nodiscard]] int group_of(const Json& job) {
    const auto group = job.find("groupid");
    if (group == job.end()) return 0;
    constexpr std::int64_t most = 1'000'000'000;
    const bool is_count = group->is_number_unsigned() && group->get<std::uint64_t>() <= most;
    if (!is_count) fail(job_ / "groupid", fmt::format("a count of at most {}", most), found_text(*group));
    return group->get<int>();
  }

  [[nodiscard]] double bandwidth_of(const Json& job, const char* direction, bool meant) {
    const Json& moved = job.at(direction);
    if (!moved.contains("bw_bytes")) fail(job_ / direction, "\"bw_bytes\", which fio 3 prints", "none");
    const double bytes = number_in(moved, job_ / direction, "bw_bytes");
    if (!meant && bytes > 0)
      fail(job_ / direction / "bw_bytes", "nothing, as \"rw\" says", "the bytes of another job (group_reporting)");
    return bytes;
  }

  [[nodiscard]] Time median_of(const Json& job, const char* direction) {
    const Pointer latency_pointer = job_ / direction / "clat_ns";
    const Json& latency = job.at(direction).at("clat_ns");
    if (!latency.is_object()) fail(latency_pointer, "an object of latencies", found_text(latency));
    if (!latency.contains("percentile")) return Time{0};
    const Json& percentiles = latency["percentile"];
    const Pointer pointer = latency_pointer / "percentile";
    if (!percentiles.is_object()) fail(pointer, "an object of percentiles", found_text(percentiles));
    if (!percentiles.contains("50.000000")) return Time{0};
    const double nanoseconds = number_in(percentiles, pointer, "50.000000");
    if (!(nanoseconds >= 0 && nanoseconds < 1e15)) {
      fail(pointer / "50.000000", "a median latency", fmt::format("{}", nanoseconds));
    }
    return from_seconds(nanoseconds * 1e-9);
  }

  [[nodiscard]] FioJob job_of(const FioOptions& options) {
    FioJob job;
    if (const auto option = options.refused())
      fail_option(option->name, "no such option or " + option->harmless, scenario::in_quotes(option->value));
    const std::string base = options.find("kb_base").value_or("1024");
    if (base != "1000" && base != "1024") fail_option("kb_base", "1000 or 1024", scenario::in_quotes(base));
    if (const auto size = options.find("bs", "blocksize")) job.block = size_of("bs", *size, base == "1000");
    job.clones = count_of("numjobs", options.find("numjobs").value_or("1"));
    const std::string engine = options.find("ioengine").value_or("psync");
    if (engine == "null") fail_option("ioengine", "an engine that moves data", scenario::in_quotes(engine));
    const bool waits = std::find(synchronous.begin(), synchronous.end(), engine) != synchronous.end();
    if (!waits) job.depth = count_of("iodepth", options.find("iodepth").value_or("1"));
    // fio has 0 for the depth itself.
    if (const auto low = options.find("iodepth_low"); low && *low != "0" && count_of("iodepth_low", *low) < job.depth)
      fail_option("iodepth_low", fmt::format("the depth, {}", job.depth), scenario::in_quotes(*low));
    std::string mode = options.find("rw", "readwrite").value_or("read");
    if (mode == "readwrite") mode = "rw";
    job.random = mode.starts_with("rand");
    if (job.random && options.find("percentage_random") == "0")
      fail_option("percentage_random", "100 for random requests", scenario::in_quotes("0"));
    const std::string direction = job.random ? mode.substr(4) : mode;
    if (direction == "write") {
      job.read_percent = 0;
    } else if (direction == "rw") {
      const auto writes = options.find("rwmixwrite");
      job.read_percent = writes ? 100 - count_of("rwmixwrite", *writes)
                                : count_of("rwmixread", options.find("rwmixread").value_or("50"));
    } else if (direction != "read") {
      fail_option("rw", "read, write, rw, randread, randwrite or randrw", scenario::in_quotes(mode));
    }
    if (job.read_percent > 100) fail_option("rwmixread", "at most 100", std::to_string(job.read_percent));
    if (job.read_percent < 0) fail_option("rwmixwrite", "at most 100", std::to_string(100 - job.read_percent));
    return job;
  }

  [[nodiscard]] int count_of(const std::string& option, const std::string& text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < (option.starts_with("rwmix") ? 0 : 1)) {
      fail_option(option, "a count", scenario::in_quotes(text));
    }
    return value;
  }

  /// "64k", "4096". With kb_base=1024, which is fio's default, 4k are 4096 B and 4KiB are 4000; with 1000 it is the
  /// other way round, as in IEC 80000-13 (fio's manual, kb_base).
  [[nodiscard]] std::int64_t size_of(const std::string& option, const std::string& text, bool standard) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    std::string unit{end, text.data() + text.size()};
    for (char& c : unit) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (unit.ends_with("b")) unit.pop_back();
    const bool binary = unit.ends_with("i") == standard;
    if (unit.ends_with("i")) unit.pop_back();
    const auto power = std::string_view{"kmg"}.find(unit);
    const bool known = unit.empty() || (unit.size() == 1 && power != std::string_view::npos);
    if (error != std::errc{} || value <= 0 || value > (1 << 30) || !known) {
      fail_option(option, "one block size", scenario::in_quotes(text));
    }
    if (unit.empty()) return value;
    for (std::size_t i = 0; i <= power; ++i) value *= binary ? 1024 : 1000;
    return value;
  }

  std::string text_;
  JsonPlaces places_;
  std::size_t begin_ = 0;  // of the document
  int run_ = 0;            // its number in the file
  bool is_one_of_several_ = text_.find(version_key, text_.find(version_key) + 1) < text_.size();
  Pointer job_;
  const FioOptions* options_ = nullptr;  // of that job
  FioOutput output_;
  /// What ran at the same time.
  struct Group {
    FioResult result;
    int number = 0;
    int entries = 0;
    std::set<std::string> names;
  };
  std::vector<Group> results_;
  std::size_t first_ = 0;  // of this document
};

}  // namespace

FioOutput read_fio(const std::filesystem::path& file) { return FioReader{file}.read(); }

}  // namespace doorbell::tools
