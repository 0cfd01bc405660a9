#include "models/common/fault_drift.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>

#include "core/confidence.hpp"
#include "models/common/measured_rate.hpp"

namespace doorbell::model {
namespace {

std::string in_words(double faults) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g", faults);
  return text.data();
}

}  // namespace

bool FaultDrift::Part::is_apart(const Part& other) const {
  constexpr double deviations = 2;
  return std::abs(mean - other.mean) > deviations * std::sqrt(variance + other.variance);
}

bool FaultDrift::Part::is_far(const Part& other) const {
  constexpr double notable = 0.05;
  return std::abs(mean - other.mean) >= notable * std::max(mean, other.mean);
}

void FaultDrift::observe(std::uint64_t operations, std::uint64_t faults_so_far) {
  slices_.push_back({static_cast<double>(operations), static_cast<double>(faults_so_far - faults_)});
  faults_ = faults_so_far;
}

FaultDrift::Half FaultDrift::half_of(std::span<const Slice> slices) {
  const auto count = static_cast<double>(slices.size());
  double all_operations = 0;
  double all_faults = 0;
  for (const Slice& slice : slices) {
    all_operations += slice.operations;
    all_faults += slice.faults;
  }
  if (all_operations == 0) return {};
  // A slice with more operations has more faults: what varies is how far it is from its share of them.
  const double each = all_faults / all_operations;
  std::vector<double> operations;
  std::vector<double> beyond;
  for (const Slice& slice : slices) {
    operations.push_back(slice.operations);
    beyond.push_back(slice.faults - each * slice.operations);
  }
  const double mean = all_operations / count;
  return {.operations = {mean, core::variance_by_neighbours(operations)},
          .faults = {each, core::variance_by_neighbours(beyond) / (mean * mean)}};
}

void FaultDrift::account_for(std::string_view whose, RunResult& result) const {
  const std::size_t half = slices_.size() / 2;
  if (faults_ == 0 || half < 2 || is_hardly_known(result)) return;
  const Half first = half_of(std::span{slices_}.first(half));
  const Half last = half_of(std::span{slices_}.last(half));
  // Where faults cost nothing that is short, they may change as they like.
  const bool explains = (first.faults.mean > last.faults.mean) == (first.operations.mean < last.operations.mean);
  if (!explains || !first.faults.is_apart(last.faults) || !first.operations.is_apart(last.operations)) return;

  std::vector<double> operations;
  for (const Slice& slice : slices_) operations.push_back(slice.operations);
  const core::ConfidenceInterval interval = core::interval_by_neighbours(operations);
  const double one = 1 / to_seconds(result.simulated);
  result.throughput_ci95 = {std::max(result.throughput.per_second * interval.half_width / interval.mean, one)};

  if (!first.faults.is_far(last.faults) || !first.operations.is_far(last.operations)) return;
  std::array<char, 32> change{};
  std::snprintf(change.data(), change.size(), "%+.0f %%", 100 * (last.operations.mean / first.operations.mean - 1));
  result.warnings.push_back("the rate of " + std::string{whose} + " still drifts: " + change.data() +
                            " from the first to the last half of the measured time, as page faults of each operation "
                            "went from " +
                            in_words(first.faults.mean) + " to " + in_words(last.faults.mean) +
                            "; its interval is only that of this time, and a longer warm-up would tell more");
}

}  // namespace doorbell::model
