// Where a subcommand writes: standard output, or a file that is there whole or not at all.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

namespace doorbell::cli {

class Output {
 public:
  /// Without a file: standard output. With one, opens a temporary file beside it at once, so that a wrong path is known
  /// before a long run. Throws UsageError when that is not possible.
  explicit Output(std::optional<std::filesystem::path> file);
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  /// Writes all and gives the file its name. Throws std::runtime_error when the text could not be written.
  void write(std::string_view text);

 private:
  std::optional<std::filesystem::path> file_;
  std::filesystem::path temporary_;
};

}  // namespace doorbell::cli
