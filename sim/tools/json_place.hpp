// Where values stand in JSON: the library that reads a tool's output does not say it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "figures/document.hpp"
#include "scenario/pointer.hpp"

namespace doorbell::tools {

/// Text with one JSON document or several, and perhaps something between them. Asking for a place costs a walk through
/// the document.
class JsonPlaces {
 public:
  /// The text must outlive this.
  JsonPlaces(std::string_view text, const std::filesystem::path& file);

  /// Of a byte; of the last one when it lies beyond.
  [[nodiscard]] scenario::Location at(std::size_t offset);
  /// Of the value at `pointer` in the document that begins at `begin`, or of the nearest one around it that is there.
  /// The document must be one that could be read.
  [[nodiscard]] scenario::Location of(std::size_t begin, const scenario::Pointer& pointer);

 private:
  std::string_view text_;
  std::shared_ptr<const std::string> file_;
  std::size_t offset_ = 0;
  int line_ = 1;
  int column_ = 1;
};

}  // namespace doorbell::tools
