// Where values stand in JSON: the library that reads a tool's output does not say it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "figures/document.hpp"
#include "scenario/pointer.hpp"

namespace doorbell::tools {

/// Text with one JSON document or several, and perhaps something between them. However many places are asked for, each
/// object and array is walked through at most once, with what is in it.
class JsonPlaces {
 public:
  /// A place, without the file.
  struct Spot {
    int line = 1;
    int column = 1;
  };

  /// The text must outlive this.
  JsonPlaces(std::string_view text, const std::filesystem::path& file);

  /// Of a byte; of the last one when it lies beyond.
  [[nodiscard]] scenario::Location at(std::size_t offset) const;
  /// Of the value at `pointer` in the document that begins at `begin`, or of the nearest one around it that is there.
  /// The document must be one that could be read. Of members of one name the last counts, as it does for the library.
  [[nodiscard]] scenario::Location of(std::size_t begin, const scenario::Pointer& pointer);

  /// Bytes that have been walked through to find values so far.
  [[nodiscard]] std::size_t walked() const { return walked_; }

 private:
  /// Where the values begin that an object or an array holds.
  struct Children {
    std::map<std::string, std::size_t, std::less<>> members;
    std::vector<std::size_t> items;
  };
  [[nodiscard]] const Children& children_of(std::size_t container);

  std::string_view text_;
  std::shared_ptr<const std::string> file_;
  std::vector<Spot> milestones_;           // of every so many bytes
  std::map<std::size_t, Children> known_;  // by where the object or array begins
  std::size_t walked_ = 0;
};

}  // namespace doorbell::tools
