// Where a subcommand writes: standard output, or a file that is there whole or not at all.
#pragma once

#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>

namespace doorbell::cli {

class Output {
 public:
  /// Without a file: standard output. With one, which `option` of the command line named, opens a temporary file beside
  /// it at once, so that a wrong path is known before a long run. Throws UsageError when that is not possible.
  explicit Output(std::optional<std::filesystem::path> file, std::string_view option = "--out");
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  /// Writes all and gives the file its name. Throws std::runtime_error when the text could not be written.
  void write(std::string_view text);

  /// For what is too long to be held in memory: the temporary file, which gets its name from finish().
  [[nodiscard]] std::ostream& stream();
  /// Throws std::runtime_error when something could not be written.
  void finish();

 private:
  std::optional<std::filesystem::path> file_;
  std::filesystem::path temporary_;
  std::ofstream stream_;
};

}  // namespace doorbell::cli
