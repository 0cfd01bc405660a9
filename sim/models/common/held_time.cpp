#include "models/common/held_time.hpp"

#include <algorithm>

namespace doorbell::model {

double HeldTime::seconds() const {
  double all = 0;
  // What is taken off may have been added before a warm-up ended.
  for (const Spent& spent : stages_) all += std::max(0.0, spent.seconds);
  return all;
}

void HeldTime::add_scaled(const HeldTime& inner, double factor) {
  if (inner.stages_.size() > stages_.size()) stages_.resize(inner.stages_.size());
  for (Stage stage = 0; stage < inner.stages_.size(); ++stage) {
    stages_[stage].seconds += factor * inner.stages_[stage].seconds;
    stages_[stage].saved += factor * inner.stages_[stage].saved;
  }
}

void HeldTime::add_at_most(const HeldTime& inner, double most) {
  HeldTime limited = inner;
  for (Spent& spent : limited.stages_) spent.saved = std::min(spent.saved, std::max(0.0, most));
  add(limited);
}

std::vector<HeldFor> HeldTime::shares(const std::vector<Utilisation>& names) const {
  std::vector<HeldFor> shares;
  const double all = seconds();
  for (Stage stage = 0; stage < stages_.size(); ++stage) {
    const auto& [spent, saved] = stages_[stage];
    if (spent <= 0) continue;
    const Utilisation& name = names.at(stage);
    const auto known = std::ranges::find(shares, name.resource, &HeldFor::resource);
    if (known == shares.end()) {
      shares.push_back({name.resource, name.limit, spent / all, name.busy, saved / all});
    } else {
      known->share += spent / all;
      known->gain += saved / all;
    }
  }
  std::ranges::stable_sort(shares, std::ranges::greater{}, &HeldFor::share);
  return shares;
}

}  // namespace doorbell::model
