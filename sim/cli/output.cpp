#include "cli/output.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <utility>

#include "cli/session.hpp"

namespace doorbell::cli {

Output::Output(std::optional<std::filesystem::path> file) : file_{std::move(file)} {
  if (!file_) return;
  if (std::filesystem::is_directory(*file_)) throw UsageError{fmt::format("--out {}: it is a folder", file_->string())};
  std::filesystem::path temporary = *file_;
  temporary += fmt::format(".{}.tmp", ::getpid());
  if (!std::ofstream{temporary}) throw UsageError{fmt::format("--out {}: cannot write there", file_->string())};
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
  std::ofstream stream{temporary_, std::ios::binary};
  stream << text << std::flush;
  stream.close();
  if (!stream) throw std::runtime_error{fmt::format("cannot write {}", temporary_.string())};
  std::filesystem::rename(temporary_, *file_);
  temporary_.clear();
}

}  // namespace doorbell::cli
