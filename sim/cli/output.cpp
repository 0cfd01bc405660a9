#include "cli/output.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>

#include "cli/session.hpp"

namespace doorbell::cli {

void print(std::string_view text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!written) throw figures::WriteError{"to standard output", errno};
}

Output::Output(const std::optional<std::filesystem::path>& file, std::string_view option) {
  if (!file) return;
  try {
    file_.emplace(*file);
  } catch (const figures::PlaceError& error) {
    throw UsageError{fmt::format("{} {}: {}", option, file->empty() ? "\"\"" : file->string(), error.what())};
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

std::ostream& Output::stream() { return file_->stream(); }

void Output::finish() { file_->finish(); }

}  // namespace doorbell::cli
