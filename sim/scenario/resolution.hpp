// A scenario file between reading and running: merged and overridden, with its axes apart.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scenario/inherit.hpp"
#include "scenario/load.hpp"
#include "scenario/overrides.hpp"
#include "scenario/sweep.hpp"
#include "scenario/tree.hpp"

namespace doorbell::scenario {

class Resolution {
 public:
  /// Throws ScenarioError.
  Resolution(const std::filesystem::path& file, const LoadOptions& options);

  [[nodiscard]] std::size_t points() const { return point_count(axes_); }
  [[nodiscard]] const std::vector<Axis>& axes() const { return axes_; }
  /// The complete document of one point.
  [[nodiscard]] Node tree(std::size_t point);
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> coordinates(std::size_t point) const;
  [[nodiscard]] std::string hash() const;

 private:
  void apply_overrides(Node& tree);

  Inheritance inheritance_;
  std::vector<Override> overrides_;
  Node root_;
  std::vector<Axis> axes_;
};

}  // namespace doorbell::scenario
