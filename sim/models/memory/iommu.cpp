#include "models/memory/iommu.hpp"

#include <algorithm>
#include <utility>

namespace doorbell::model {

Iommu::Iommu(core::Calendar& calendar, const IommuParameters& parameters, Bytes page, std::uint64_t seed,
             core::Priority priority)
    : calendar_{calendar},
      priority_{priority},
      page_{page},
      walk_{parameters.walk},
      walkers_{parameters.walkers},
      idle_{parameters.walkers},
      completion_queue_{parameters.completion_queue},
      kept_{parameters.entries, seed, "IO-TLB"} {}

void Iommu::translate(std::int64_t address, Bytes size, const Continuation& known) {
  const std::int64_t last = (address + size.count - 1) / page_.count;
  const std::uint32_t slot = requests_.add({0, known});
  for (std::int64_t at = address / page_.count; at <= last; ++at) {
    const auto page = static_cast<std::uint64_t>(at);
    const auto walk = unknown_.find(page);
    if (walk == unknown_.end() && kept_.holds(page)) continue;
    ++requests_[slot].unknown;
    if (walk != unknown_.end()) {
      walk->second.push_back(slot);
      continue;
    }
    unknown_.emplace(page, std::vector{slot});
    kept_.keep(page);
    ++misses_;
    if (idle_ > 0) {
      begin(page);
    } else {
      waiting_.push(page);
    }
  }
  if (requests_[slot].unknown > 0) return;
  requests_.free(slot);
  known();
}

void Iommu::begin(std::uint64_t page) {
  --idle_;
  walking_.add(calendar_.now(), 1);
  constexpr int entries_per_line = 8;  // of 8 B, in the page table
  Time time = walk_;
  if (refresh_ != nullptr) time += refresh_->wait(static_cast<std::int64_t>(page / entries_per_line), calendar_.now());
  calendar_.at<&Iommu::found>(calendar_.now() + time, priority_, *this, page);
}

void Iommu::found(std::uint64_t page) {
  Time through = calendar_.now();
  if (completions_ != nullptr) through = std::clamp(completions_->busy_until(), through, through + longest_wait_);
  calendar_.at<&Iommu::end>(through, priority_, *this, page);
}

void Iommu::end(std::uint64_t page) {
  const std::vector<std::uint32_t> served = std::move(unknown_.extract(page).mapped());
  ++idle_;
  walking_.add(calendar_.now(), -1);
  if (!waiting_.empty()) begin(waiting_.pop());
  for (const std::uint32_t slot : served) {
    if (--requests_[slot].unknown > 0) continue;
    requests_.free(slot);
    const Continuation known = requests_[slot].known;
    known();
  }
}

}  // namespace doorbell::model
