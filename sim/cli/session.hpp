// What the subcommands share with main().
#pragma once

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>

#include "scenario/error.hpp"

namespace doorbell::cli {

/// One call of the command.
struct Session {
  std::optional<std::filesystem::path> data_dir;  ///< --data-dir; pass it to scenario::data_directory().
  int status =
      0;  ///< Exit status: 0 success, 1 failure of Doorbell or of what it was asked to check, 2 mistake of the user.
};

/// A mistake in the use of the command that is no mistake in a file: one line on stderr, exit status 2.
class UsageError : public std::runtime_error {
 public:
  UsageError(scenario::ErrorCode code, const std::string& message) : std::runtime_error{message}, code_{code} {}

  [[nodiscard]] scenario::ErrorCode code() const { return code_; }

 private:
  scenario::ErrorCode code_;
};

}  // namespace doorbell::cli
