#include "scenario/block_trace.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "scenario/document.hpp"
#include "scenario/error.hpp"
#include "scenario/named_file.hpp"
#include "scenario/parse.hpp"
#include "scenario/pointer.hpp"
#include "scenario/words.hpp"

namespace doorbell::scenario {

using namespace model;

namespace {

constexpr std::uintmax_t largest_trace = 512U << 20U;
constexpr std::int64_t trace_sector = 512;
constexpr std::int64_t largest_offset = std::int64_t{1} << 50;
constexpr std::int64_t largest_trace_request = std::int64_t{1} << 30;
constexpr std::int64_t longest_seconds = 1'000'000;
constexpr std::string_view fio_header = "fio version ";

/// A number from 0 to `most`, else -1.
template <class T> T number(std::string_view text, T most) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number = error == std::errc{} && end == text.data() + text.size();
  return is_number && value >= 0 && value <= most ? value : -1;
}

std::string microseconds_of(Time time) {
  return std::to_string(std::chrono::duration_cast<std::chrono::microseconds>(time).count()) + " us";
}

/// One format: what a line adds to the trace. Returns false for a line that is not of the format.
class FioLog {
 public:
  explicit FioLog(int version) : timestamps_{version == 3} {}

  bool take(std::vector<std::string_view> words, std::vector<TraceRequest>& requests) {
    if (timestamps_) {
      // Its manual calls them milliseconds, but microseconds are what fio writes and reads.
      const std::int64_t microseconds = number(words.front(), longest_seconds * 1'000'000);
      if (microseconds < 0) return false;
      before_ = std::exchange(now_, std::chrono::microseconds{microseconds});
      words.erase(words.begin());
    }
    if (words.size() < 2) return false;
    const std::string_view action = words[1];
    if (action == "add" || action == "open" || action == "close") return words.size() == 2;
    if (action == "wait") {
      const std::int64_t microseconds = words.size() >= 3 ? number(words[2], longest_seconds * 1'000'000) : -1;
      if (microseconds >= 0) now_ += std::chrono::microseconds{microseconds};
      return microseconds >= 0 && now_ <= std::chrono::seconds{longest_seconds};
    }
    if (action == "sync" || action == "datasync") return true;
    if (action != "read" && action != "write" && action != "trim") return false;
    const std::int64_t offset = words.size() >= 3 ? number(words[2], largest_offset) : -1;
    const std::int64_t size = words.size() == 4 ? number(words[3], largest_trace_request) : -1;
    if (offset < 0 || size <= 0) return false;
    if (action == "trim") return true;
    place_ = words[0];
    requests.push_back(
        {now_, action == "read" ? BlockOperation::read : BlockOperation::write, Bytes{offset}, Bytes{size}});
    return true;
  }

  /// The time of the line above, where that of this line is earlier: fio writes down one thing after the other.
  [[nodiscard]] std::optional<Time> later_above() const {
    return now_ < before_ ? std::optional{before_} : std::nullopt;
  }
  /// Where the last request went.
  [[nodiscard]] std::string_view place() const { return place_; }

 private:
  bool timestamps_;
  Time before_{0};
  Time now_{0};
  std::string_view place_;
};

class BlkParse {
 public:
  /// device, CPU, sequence, seconds, process, action, kind, sector + sectors [command]
  bool take(const std::vector<std::string_view>& words, std::vector<TraceRequest>& requests) {
    if (in_summary_) return true;
    if (requests.empty() && words.size() >= 4 && words[0] == "Input" && words[1] == "file" && words.back() == "added")
      return true;  // said once for each file that blkparse reads
    if (words.front().find(',') == std::string_view::npos) {
      // "CPU0 (sda):" or "Total (sda):" after the last event.
      in_summary_ = words.front().starts_with("CPU") || words.front() == "Total" || words.front() == "Throughput";
      return in_summary_;
    }
    if (words.size() < 7) return false;
    const auto seconds = number(words[3], static_cast<double>(longest_seconds));
    if (seconds < 0) return false;
    const std::string_view kind = words[6];
    const bool is_read = kind.find('R') != std::string_view::npos;
    const bool is_write = kind.find('W') != std::string_view::npos;
    if (!is_read && !is_write) return true;
    if (words[5] != "Q") {
      later_ = later_ || words[5] == "D" || words[5] == "C";
      return true;
    }
    if (words.size() < 10 || words[8] != "+") return kind.find('F') != std::string_view::npos;  // a flush has no data
    const std::int64_t begin = number(words[7], largest_offset / trace_sector);
    const std::int64_t sectors = number(words[9], largest_trace_request / trace_sector);
    if (begin < 0 || sectors < 0) return false;
    if (sectors == 0) return true;
    place_ = words[0];
    requests.push_back({from_seconds(seconds), is_read ? BlockOperation::read : BlockOperation::write,
                        Bytes{begin * trace_sector}, Bytes{sectors * trace_sector}});
    return true;
  }

  [[nodiscard]] std::string_view place() const { return place_; }
  /// Whether there were requests on their way to the device or back: what is replayed is what came in (Q).
  [[nodiscard]] bool saw_later_events() const { return later_; }

 private:
  bool in_summary_ = false;
  bool later_ = false;
  std::string_view place_;
};

}  // namespace

std::vector<TraceRequest> parse_block_trace(std::string_view text, const std::string& name, Bytes room) {
  const auto file = std::make_shared<const std::string>(name);
  const auto refuse = [&](int line, const std::string& expected, const std::string& found,
                          ErrorCode code = ErrorCode::bad_trace) {
    throw ScenarioError{{code, Location{file, line, 1}, {}, expected, found, {}}};
  };
  std::optional<FioLog> fio;
  BlkParse blkparse;
  std::vector<TraceRequest> requests;
  std::string_view place;
  int line_number = 0;
  bool first = true;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    ++line_number;
    const std::vector<std::string_view> words = words_of(line);
    if (words.empty()) continue;
    if (std::exchange(first, false) && line.starts_with(fio_header)) {
      const int version = words.size() >= 3 ? number(words[2], 3) : -1;
      if (version < 2) refuse(line_number, "an iolog of version 2 or 3", in_quotes(std::string{line}));
      fio.emplace(version);
      continue;
    }
    const bool understood = fio ? fio->take(words, requests) : blkparse.take(words, requests);
    if (!understood) {
      refuse(line_number,
             fio ? "FILE ACTION [OFFSET SIZE] of fio's iolog" : "an event of blkparse, or fio's header first",
             in_quotes(std::string{line.substr(0, 60)}));
    }
    if (const auto above = fio ? fio->later_above() : std::nullopt) {
      refuse(line_number, "a time not before that of the line above, " + microseconds_of(*above),
             in_quotes(std::string{words.front()}));
    }
    const std::string_view now_at = fio ? fio->place() : blkparse.place();
    if (place.empty()) place = now_at;
    if (now_at != place)
      refuse(line_number, "requests to one file or device, " + in_quotes(std::string{place}),
             in_quotes(std::string{now_at}));
    if (requests.empty()) continue;
    const TraceRequest& last = requests.back();
    const auto refuse_last = [&](const std::string& expected, ErrorCode code) {
      refuse(line_number, expected, std::to_string(last.size.count) + " B at " + std::to_string(last.offset.count),
             code);
    };
    if (last.offset + last.size > room) {
      refuse_last("a request within the files, of " + std::to_string(room.count) + " B together", ErrorCode::bad_trace);
    }
    // It is replayed past the page cache.
    if (last.offset.count % trace_sector != 0 || last.size.count % trace_sector != 0)
      refuse_last("a request of whole sectors of 512 B", ErrorCode::broken_sector);
  }
  if (requests.empty()) {
    const bool later = blkparse.saw_later_events();
    refuse(1, later ? "events of action Q (blktrace -a queue)" : "at least one read or write",
           later ? "only later ones of the requests (D, C)" : "none");
  }
  std::stable_sort(requests.begin(), requests.end(),
                   [](const TraceRequest& a, const TraceRequest& b) { return a.when < b.when; });
  const Time begin = requests.front().when;
  for (TraceRequest& request : requests) request.when -= begin;
  return requests;
}

void read_trace_of(SharedFilesScenario& shared, const Node& tree) {
  if (!shared.trace) return;
  const Node& name = *tree.find(keys::shared_files)->find("trace")->find("file");
  const std::filesystem::path folder = std::filesystem::path{name.at.file_name()}.parent_path();
  const std::filesystem::path file = named_file(folder, shared.trace->file);
  const std::string pointer = (Pointer{} / keys::shared_files / "trace" / "file").text();
  const Bytes room = shared.files.size * shared.files.count;
  shared.trace->requests = parse_block_trace(read_text(file, name.at, pointer, largest_trace), file.string(), room);
}

}  // namespace doorbell::scenario
