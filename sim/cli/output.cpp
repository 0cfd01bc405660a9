#include "cli/output.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <iostream>
#include <system_error>

#include "cli/session.hpp"

namespace doorbell::cli {

void print(std::string_view text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!written) throw figures::WriteError{"to standard output", errno};
}

void require_other_file(std::string_view option, const std::optional<std::filesystem::path>& file,
                        std::string_view before, const std::optional<std::filesystem::path>& file_before) {
  if (!file || !file_before || file->empty() || file_before->empty()) return;
  std::error_code error;
  // What is no file takes one after the other; so does standard output, even where it leads to a file.
  if (*file == "-" || *file_before == "-") return;
  const bool is_there = std::filesystem::exists(*file, error);
  if (file->native().starts_with("/dev/") || (is_there && !std::filesystem::is_regular_file(*file, error))) return;
  const auto real = [&error](const std::filesystem::path& name) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(name), error);
  };
  if (real(*file) != real(*file_before)) return;
  throw UsageError{scenario::ErrorCode::options_together,
                   fmt::format("{} {}: expected another file than that of {}", option, file->string(), before)};
}

Output::Output(const std::optional<std::filesystem::path>& file, std::string_view option) {
  if (!file || *file == "-") return;
  try {
    file_.emplace(*file);
  } catch (const figures::PlaceError& error) {
    throw UsageError{scenario::ErrorCode::no_place,
                     fmt::format("{} {}: {}", option, file->empty() ? "\"\"" : file->string(), error.what())};
  }
}

void Output::write(std::string_view text) {
  if (!file_) {
    print(text);
    return;
  }
  file_->stream() << text;
  file_->finish();
}

Layout Output::layout() const { return file_ ? Layout{} : layout_of_standard_output(); }

std::ostream& Output::stream() { return file_ ? file_->stream() : std::cout; }

void Output::finish() {
  if (file_) {
    file_->finish();
  } else if (!std::cout.flush()) {
    throw figures::WriteError{"to standard output", errno};
  }
}

}  // namespace doorbell::cli
