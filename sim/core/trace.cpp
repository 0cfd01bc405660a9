#include "core/trace.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ostream>
#include <string>

namespace doorbell::core {

TraceWriter::TraceWriter(std::ostream& out) : out_{out} { out_ << "["; }

TraceWriter::~TraceWriter() { out_ << "\n]\n"; }

void TraceWriter::write_string(std::string_view text) {
  out_ << '"';
  for (const char character : text) {
    if (character == '"' || character == '\\') {
      out_ << '\\' << character;
    } else if (static_cast<unsigned char>(character) < 0x20) {
      std::array<char, 8> escaped{};
      std::snprintf(escaped.data(), escaped.size(), "\\u%04x", static_cast<unsigned>(character));
      out_ << escaped.data();
    } else {
      out_ << character;
    }
  }
  out_ << '"';
}

void TraceWriter::write_time(std::string_view key, Time time) {
  constexpr std::int64_t picoseconds = 1'000'000;
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), "%s%lld.%06lld", time < Time{0} ? "-" : "",
                std::abs(static_cast<long long>(time.count() / picoseconds)),
                std::abs(static_cast<long long>(time.count() % picoseconds)));
  out_ << ",\"" << key << "\":" << text.data();
}

void TraceWriter::begin_record(std::string_view phase, std::uint32_t track, std::string_view name) {
  out_ << (first_ ? "\n" : ",\n") << R"({"ph":")" << phase << R"(","pid":)" << std::to_string(group_of_[track - 1] + 1)
       << R"(,"tid":)" << std::to_string(track) << R"(,"name":)";
  first_ = false;
  write_string(name);
}

std::uint32_t TraceWriter::add_track(std::string_view group, std::string_view name) {
  const auto known = std::find(groups_.begin(), groups_.end(), group);
  group_of_.push_back(static_cast<std::size_t>(known - groups_.begin()));
  const auto track = static_cast<std::uint32_t>(group_of_.size());
  if (known == groups_.end()) {
    groups_.emplace_back(group);
    begin_record("M", track, "process_name");
    out_ << R"(,"args":{"name":)";
    write_string(group);
    out_ << "}}";
  }
  begin_record("M", track, "thread_name");
  out_ << R"(,"args":{"name":)";
  write_string(name);
  out_ << "}}";
  // Viewers sort tracks by this number; without it, by when each first shows something.
  begin_record("M", track, "thread_sort_index");
  out_ << R"(,"args":{"sort_index":)" << std::to_string(track) << "}}";
  return track;
}

void TraceWriter::limit(Time from, Time until) {
  from_ = from;
  until_ = until;
}

void TraceWriter::flush() { out_.flush(); }

void TraceWriter::span(std::uint32_t track, std::string_view name, Time begin, Time end) {
  if (end < from_ || begin >= until_) return;
  begin_record("X", track, name);
  write_time("ts", begin);
  write_time("dur", end - begin);
  out_ << "}";
}

void TraceWriter::instant(std::uint32_t track, std::string_view name, Time when) {
  if (when < from_ || when >= until_) return;
  begin_record("i", track, name);
  write_time("ts", when);
  out_ << R"(,"s":"t"})";
}

void TraceWriter::counter(std::uint32_t track, std::string_view name, Time when, std::int64_t value) {
  if (when < from_ || when >= until_) return;
  begin_record("C", track, name);
  write_time("ts", when);
  out_ << R"(,"args":{"value":)" << std::to_string(value) << "}}";
}

}  // namespace doorbell::core
