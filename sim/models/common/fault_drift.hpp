// Whether an application under a memory limit still warms up while it is measured.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "models/common/result.hpp"

namespace doorbell::model {

/// What is in memory when measuring begins may not be what stays there: then faults become rarer, or more frequent, for
/// as long as pages change places, and the interval of a run that is shorter than this does not see where it leads.
class FaultDrift {
 public:
  /// The end of a slice of the measured time: operations in it, and page faults since the warm-up.
  void observe(std::uint64_t operations, std::uint64_t faults_so_far);
  /// When an operation had other faults in the last half of the slices than in the first, and the rate of operations
  /// followed, both beyond chance, the interval of `result` becomes that of the measured time: without the drift, which
  /// comes again with every seed. A warning says so when both changed by 5 %. `whose`: of the operations.
  void account_for(std::string_view whose, RunResult& result) const;

 private:
  struct Slice {
    double operations = 0;
    double faults = 0;
  };
  /// A mean over slices.
  struct Part {
    double mean = 0;
    double variance = 0;                                   ///< Of the mean.
    [[nodiscard]] bool is_apart(const Part& other) const;  ///< Beyond chance.
    [[nodiscard]] bool is_far(const Part& other) const;    ///< By so much that it matters.
  };
  struct Half {
    Part operations;  ///< Of a slice.
    Part faults;      ///< Of an operation.
  };
  [[nodiscard]] static Half half_of(std::span<const Slice> slices);

  std::vector<Slice> slices_;
  std::uint64_t faults_ = 0;
};

}  // namespace doorbell::model
