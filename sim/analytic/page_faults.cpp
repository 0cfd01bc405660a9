#include "analytic/page_faults.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace doorbell::analytic {
namespace {

/// Pages that are touched equally often.
struct Group {
  double pages = 0;
  double probability = 0;  ///< That a touch is of one certain of them.
};

/// A Zipf distribution; of the rare pages, those whose ranks differ by less than 1 % make a group.
std::vector<Group> popularity(std::int64_t pages, double skew) {
  std::vector<Group> groups;
  double sum = 0;
  for (std::int64_t first = 1; first <= pages;) {
    const std::int64_t end = std::min(pages + 1, first + 1 + first / 100);
    const double middle = std::sqrt(static_cast<double>(first) * static_cast<double>(end - 1));
    groups.push_back({static_cast<double>(end - first), std::pow(middle, -skew)});
    sum += groups.back().pages * groups.back().probability;
    first = end;
  }
  for (Group& group : groups) group.probability /= sum;
  return groups;
}

/// The time, in touches, after which so many pages in all have been touched again: how long an idle page stays.
double residence(const std::vector<Group>& groups, double resident) {
  const auto touched = [&](double time) {
    double sum = 0;
    for (const Group& group : groups) sum -= group.pages * std::expm1(-group.probability * time);
    return sum;
  };
  double low = 0;
  double high = 1;
  while (touched(high) < resident) high *= 2;
  constexpr int halvings = 60;
  for (int i = 0; i < halvings; ++i) {
    const double middle = (low + high) / 2;
    (touched(middle) < resident ? low : high) = middle;
  }
  return high;
}

}  // namespace

PageTraffic page_traffic(const model::PagingLoad& load) {
  if (load.resident >= 1) return {};
  if (load.order == model::AccessOrder::sequential) {
    return {.faults = 1.0 / load.readahead, .pages_read = 1, .pages_written = load.dirty};
  }
  const std::vector<Group> groups = popularity(load.pages, load.skew);
  const double time = residence(groups, load.resident * static_cast<double>(load.pages));
  PageTraffic traffic;
  for (const Group& group : groups) {
    const double missed = std::exp(-group.probability * time);
    const double faults = group.pages * group.probability * missed;
    if (faults <= 0) continue;
    // A page that came is touched once, and again with probability 1 - missed before it has to go.
    const double clean = (1 - load.dirty) * missed / (missed + (1 - missed) * load.dirty);
    traffic.faults += faults;
    traffic.pages_written += faults * (1 - clean);
  }
  traffic.pages_read = traffic.faults;
  return traffic;
}

}  // namespace doorbell::analytic
