#include "core/batch_means.hpp"

#include <cmath>
#include <span>

namespace doorbell::core {
namespace {

/// Of neighbouring batches; one time in twenty, independent ones show as much by chance.
constexpr double suspicious = 0.3;

}  // namespace

void BatchMeans::close_batch() {
  means_[batches_++] = (sum_ - closed_sum_) / static_cast<double>(batch_size_);
  closed_sum_ = sum_;
  in_batch_ = 0;
  if (batches_ < capacity) return;
  for (std::size_t i = 0; i < capacity / 2; ++i) means_[i] = 0.5 * (means_[2 * i] + means_[2 * i + 1]);
  batches_ = capacity / 2;
  batch_size_ *= 2;
}

BatchMeans::Grouped BatchMeans::grouped() const {
  Grouped result;
  const std::size_t group = batches_ / enough > 0 ? batches_ / enough : 1;
  for (std::size_t i = 0; i + group <= batches_; i += group) {
    double sum = 0;
    for (std::size_t k = 0; k < group; ++k) sum += means_[i + k];
    result.means[result.count++] = sum / static_cast<double>(group);
  }
  return result;
}

ConfidenceInterval BatchMeans::interval() const {
  const Grouped batches = grouped();
  ConfidenceInterval result = confidence_interval(std::span{batches.means}.first(batches.count));
  result.mean = mean();
  if (batches.count < 2) return result;
  const double correlation = batch_correlation();
  if (correlation > suspicious) result.half_width *= std::sqrt((1 + correlation) / (1 - correlation));
  return result;
}

double BatchMeans::batch_correlation() const {
  const Grouped batches = grouped();
  if (batches.count < 2) return 0;
  double centre = 0;
  for (std::size_t i = 0; i < batches.count; ++i) centre += batches.means[i] / static_cast<double>(batches.count);
  double squares = 0;
  double products = 0;
  for (std::size_t i = 0; i < batches.count; ++i) {
    const double deviation = batches.means[i] - centre;
    squares += deviation * deviation;
    if (i + 1 < batches.count) products += deviation * (batches.means[i + 1] - centre);
  }
  return squares > 0 ? products / squares : 0;
}

bool BatchMeans::narrow_enough(double relative) const {
  const ConfidenceInterval now = interval();
  return now.observations >= enough && now.half_width <= relative * std::abs(now.mean);
}

}  // namespace doorbell::core
