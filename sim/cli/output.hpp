// Where a subcommand writes: standard output, or a file that is there whole or not at all.
#pragma once

#include <filesystem>
#include <optional>
#include <ostream>
#include <string_view>

#include "cli/layout.hpp"
#include "figures/whole_file.hpp"

namespace doorbell::cli {

/// Prints on standard output, at once. Throws figures::WriteError.
void print(std::string_view text);

/// Throws UsageError when both options of the command line name the same file, of which the second would take the
/// place.
void require_other_file(std::string_view option, const std::optional<std::filesystem::path>& file,
                        std::string_view before, const std::optional<std::filesystem::path>& file_before);

class Output {
 public:
  /// Without a file, or with "-": standard output. With one, which `option` of the command line named, opens it at
  /// once, so that a wrong path is known before a long run. Throws UsageError when that is not possible.
  explicit Output(const std::optional<std::filesystem::path>& file, std::string_view option = "--out");

  /// For the people who read it there.
  [[nodiscard]] Layout layout() const;

  /// Writes all. Throws figures::WriteError when that is not possible.
  void write(std::string_view text);

  /// For what is too long to be held in memory; the file gets it with finish().
  [[nodiscard]] std::ostream& stream();
  /// Throws figures::WriteError when something could not be written.
  void finish();

 private:
  std::optional<figures::WholeFile> file_;
};

}  // namespace doorbell::cli
