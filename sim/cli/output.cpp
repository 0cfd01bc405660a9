#include "cli/output.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <utility>

#include "cli/session.hpp"

namespace doorbell::cli {

Output::Output(std::optional<std::filesystem::path> file, std::string_view option) : file_{std::move(file)} {
  if (!file_) return;
  if (std::filesystem::is_directory(*file_))
    throw UsageError{fmt::format("{} {}: it is a folder", option, file_->string())};
  std::filesystem::path temporary = *file_;
  temporary += fmt::format(".{}.tmp", ::getpid());
  stream_.open(temporary, std::ios::binary);
  if (!stream_) throw UsageError{fmt::format("{} {}: cannot write there", option, file_->string())};
  temporary_ = std::move(temporary);
}

Output::~Output() {
  std::error_code ignored;
  if (!temporary_.empty()) std::filesystem::remove(temporary_, ignored);
}

void Output::write(std::string_view text) {
  if (!file_) {
    const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
    if (!written) throw std::runtime_error{"cannot write to standard output"};
    return;
  }
  stream_ << text;
  finish();
}

std::ostream& Output::stream() { return stream_; }

void Output::finish() {
  stream_.close();
  if (!stream_) throw std::runtime_error{fmt::format("cannot write {}", temporary_.string())};
  std::filesystem::rename(temporary_, *file_);
  temporary_.clear();
}

}  // namespace doorbell::cli
