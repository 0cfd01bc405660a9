// What happened when, for a human to look at.
#pragma once

#include "core/quantity.hpp"

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace doorbell::core {

/// Writes the Trace Event Format of Chrome ("JSON Array Format"), which ui.perfetto.dev and chrome://tracing open.
/// Times are written in microseconds with six decimals, hence exactly. One file per simulation and thread.
class TraceWriter {
 public:
  /// `out` must outlive the writer, which closes the array but not the stream.
  explicit TraceWriter(std::ostream& out);
  ~TraceWriter();
  TraceWriter(const TraceWriter&) = delete;
  TraceWriter& operator=(const TraceWriter&) = delete;

  /// Leaves out what does not touch [from, until).
  void limit(Time from, Time until);
  /// Hands everything to the stream, as before a fork.
  void flush();

  /// A new track (a core, a PCIe direction, a disk) below `group` (a machine). Returns its number.
  std::uint32_t add_track(std::string_view group, std::string_view name);

  void span(std::uint32_t track, std::string_view name, Time begin, Time end);
  void instant(std::uint32_t track, std::string_view name, Time when);
  void counter(std::uint32_t track, std::string_view name, Time when, std::int64_t value);

 private:
  void begin_record(std::string_view phase, std::uint32_t track, std::string_view name);
  void write_time(std::string_view key, Time time);
  void write_string(std::string_view text);

  std::ostream& out_;
  std::vector<std::string> groups_;
  std::vector<std::size_t> group_of_;  // by track, counted from 1
  Time from_ = Time::min();
  Time until_ = Time::max();
  bool first_ = true;
};

/// A component's hook. With no writer, the default, a call costs one predictable branch; arguments should therefore be
/// names that need not be composed.
class TraceTrack {
 public:
  TraceTrack() = default;
  /// `writer` may be null and must outlive the track.
  TraceTrack(TraceWriter* writer, std::string_view group, std::string_view name)
      : writer_{writer}, track_{writer == nullptr ? 0 : writer->add_track(group, name)} {}

  [[nodiscard]] bool on() const { return writer_ != nullptr; }

  /// Something lasted from `begin` to `end`; spans of one track may nest but not overlap.
  void span(std::string_view name, Time begin, Time end) const {
    if (writer_ != nullptr) [[unlikely]]
      writer_->span(track_, name, begin, end);
  }
  void instant(std::string_view name, Time when) const {
    if (writer_ != nullptr) [[unlikely]]
      writer_->instant(track_, name, when);
  }
  void counter(std::string_view name, Time when, std::int64_t value) const {
    if (writer_ != nullptr) [[unlikely]]
      writer_->counter(track_, name, when, value);
  }

 private:
  TraceWriter* writer_ = nullptr;
  std::uint32_t track_ = 0;
};

}  // namespace doorbell::core
