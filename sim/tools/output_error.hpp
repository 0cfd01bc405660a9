// Complaints about what a tool has printed.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "figures/document.hpp"
#include "scenario/error.hpp"

namespace doorbell::tools {

/// A tool's output is not what it should be; the message names file and place, what was expected and what was found.
class OutputError : public scenario::ScenarioError {
 public:
  /// `pointer`: of the value, where the output is JSON.
  OutputError(const std::filesystem::path& file, int line, std::string pointer, std::string expected, std::string found,
              scenario::ErrorCode code = scenario::ErrorCode::bad_output)
      : ScenarioError{{code,
                       {std::make_shared<const std::string>(file.string()), line, 1},
                       std::move(pointer),
                       std::move(expected),
                       std::move(found),
                       {}}} {}
  OutputError(const figures::Mention& place, std::string expected, std::string found,
              scenario::ErrorCode code = scenario::ErrorCode::bad_output)
      : ScenarioError{{code, place.at, place.pointer, std::move(expected), std::move(found), {}}} {}
};

}  // namespace doorbell::tools
