#include "analytic/page_faults.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

#include "models/memory/page.hpp"
#include "models/remote_memory/page_table.hpp"
#include "models/remote_memory/record_touches.hpp"

namespace doorbell::analytic {
namespace {

/// Pages that are touched equally often.
struct Group {
  double pages = 0;
  double rate = 0;   ///< Touches of one of them in an operation.
  double dirty = 0;  ///< Share of these that modify it.
};

/// A Zipf distribution; of the rare pages, those whose ranks differ by less than 1 % make a group.
std::vector<Group> groups_of(const model::PagingLoad& load) {
  std::vector<Group> groups;
  double sum = 0;
  for (std::int64_t first = 1; first <= load.pages;) {
    const std::int64_t end = std::min(load.pages + 1, first + 1 + first / 100);
    const double middle = std::sqrt(static_cast<double>(first) * static_cast<double>(end - 1));
    groups.push_back({static_cast<double>(end - first), std::pow(middle, -load.skew), load.dirty});
    sum += groups.back().pages * groups.back().rate;
    first = end;
  }
  for (Group& group : groups) group.rate *= load.touches / sum;
  return groups;
}

/// Pages whose rates differ by less than 1 % make a group; those of the index are only looked at.
std::vector<Group> groups_of(const model::RecordLoad& load) {
  const std::vector<double> rates = model::RecordTouches{load}.touches_by_page();
  const std::int64_t index = model::record_pages(load);
  std::vector<Group> groups;
  for (const bool of_index : {false, true}) {
    std::map<std::int64_t, Group> similar;
    const auto begin = rates.begin() + (of_index ? index : 0);
    const auto end = of_index ? rates.end() : rates.begin() + index;
    for (auto rate = begin; rate != end; ++rate) {
      if (*rate <= 0) continue;
      Group& group = similar[std::llround(std::log(*rate) * 100)];
      group.pages += 1;
      group.rate += *rate;
    }
    for (auto& [key, group] : similar) {
      group.rate /= group.pages;
      group.dirty = of_index ? 0 : load.updates;
      groups.push_back(group);
    }
  }
  return groups;
}

/// How long pages that nobody uses stay, in operations: in the list of inactive ones, and in that of active ones.
struct Stay {
  double inactive = 0;
  double active = 0;
};

/// A page that was missing is used as it comes, so it becomes active once, and again for as often as it is used while
/// it is inactive. What it spends in either list, from one time that it is missing to the next.
Stay residence(const Group& group, const Stay& stay) {
  const double rounds = std::exp(std::min(group.rate * stay.inactive, 500.0));
  return {stay.inactive * (1 + rounds), stay.active * rounds};
}

/// That no touch modifies a page, from one time that it is missing to the next.
double stays_clean(const Group& group, const Stay& stay) {
  const auto without = [](double touches) { return std::exp(-touches); };  // none of so many expected
  const double idle = without(group.rate * stay.inactive);
  if (idle <= 0) return 0;  // never missing
  const double modifying = group.rate * group.dirty;
  const double round = modifying * (stay.inactive + stay.active);
  // Once through both lists, and again whenever it is used, but not modified, while it is inactive.
  return (1 - group.dirty) * without(round) * idle / (idle * without(modifying * stay.active) - std::expm1(-round));
}

/// Pages that are resident at any time, of both lists.
Stay resident(const std::vector<Group>& groups, const Stay& stay) {
  Stay pages;
  for (const Group& group : groups) {
    const Stay one = residence(group, stay);
    const double cycle = one.inactive + one.active + 1 / group.rate;
    pages.inactive += group.pages * one.inactive / cycle;
    pages.active += group.pages * one.active / cycle;
  }
  return pages;
}

/// The largest value up to which `below` is true.
template <class Below> double bisect(Below below) {
  double low = 0;
  double high = 1;
  while (below(high)) high *= 2;
  constexpr int halvings = 50;
  for (int i = 0; i < halvings; ++i) {
    const double middle = (low + high) / 2;
    (below(middle) ? low : high) = middle;
  }
  return high;
}

Stay stay_of(const std::vector<Group>& groups, double frames, int active_ratio) {
  const auto with = [&](double inactive) {
    const double active = bisect([&](double time) {
      const Stay pages = resident(groups, {inactive, time});
      return pages.active < pages.inactive * active_ratio;
    });
    return Stay{inactive, active};
  };
  return with(bisect([&](double time) {
    const Stay pages = resident(groups, with(time));
    return pages.inactive + pages.active < frames;
  }));
}

PageTraffic traffic_of(const std::vector<Group>& groups, const model::MemoryLimit& limit, std::int64_t pages) {
  const auto frames = static_cast<double>(frames_of(limit, pages));
  // Of a very skewed store some pages are so rarely touched that their rate rounds to nothing.
  double touched = 0;
  for (const Group& group : groups) touched += group.pages;
  if (frames >= touched) return {};
  const Stay stay = stay_of(groups, frames, limit.active_ratio);
  PageTraffic traffic;
  for (const Group& group : groups) {
    const Stay one = residence(group, stay);
    const double missed = 1 / (1 + group.rate * (one.inactive + one.active));
    const double faults = group.pages * group.rate * missed;
    traffic.faults += faults;
    traffic.pages_written += faults * (1 - stays_clean(group, stay));
  }
  traffic.pages_read = traffic.faults;
  return traffic;
}

/// Of the pages beside the one that is needed, those are read that are not there. Modified ones leave their places on
/// the device, and what is written lies anywhere there: at least as densely as if by chance.
double read_by_fault(const model::MemoryLimit& limit, std::int64_t pages, bool modified) {
  const double absent = 1 - static_cast<double>(frames_of(limit, pages)) / static_cast<double>(pages);
  const double density = modified ? absent / static_cast<double>(model::slots_per_page) : absent;
  return 1 + (limit.readahead - 1) * density;
}

int most_pages_of_one(const model::RecordLoad& load) {
  const std::int64_t size = load.size.count;
  const bool in_step = model::page_size % size == 0 || size % model::page_size == 0;
  return static_cast<int>((size - 1) / model::page_size + (in_step ? 1 : 2));
}

}  // namespace

PageTraffic page_traffic(const model::PagingLoad& load) {
  if (frames_of(load, load.pages) >= load.pages) return {};
  if (load.order == model::AccessOrder::random) {
    PageTraffic traffic = traffic_of(groups_of(load), load, load.pages);
    traffic.pages_read = traffic.faults * read_by_fault(load, load.pages, load.dirty > 0);
    return traffic;
  }
  const double touches = load.touches;
  return {.faults = touches / load.readahead, .pages_read = touches, .pages_written = touches * load.dirty};
}

PageTraffic page_traffic(const model::RecordLoad& load) {
  const std::int64_t pages = record_pages(load) + index_pages(load);
  if (frames_of(load, pages) >= pages) return {};
  PageTraffic traffic = traffic_of(groups_of(load), load, pages);
  const double missing = traffic.faults;
  // The pages of a record lie side by side, and may come together.
  traffic.faults /= std::min(load.readahead, most_pages_of_one(load));
  traffic.pages_read = std::max(missing, traffic.faults * read_by_fault(load, pages, true));
  return traffic;
}

double walkers_that_fit(const model::MemoryLimit& limit, const model::PageChoice& choice, int threads) {
  const std::int64_t frames = frames_of(limit, choice.pages);
  if (choice.order != model::AccessOrder::sequential || frames >= choice.pages) return 0;
  const std::int64_t shorter = choice.pages / threads;
  const std::int64_t longer_parts = choice.pages % threads;
  const std::int64_t in_shorter = std::min(frames, shorter * (threads - longer_parts));
  double fit = 0;
  if (in_shorter > 0) fit += static_cast<double>(in_shorter) / static_cast<double>(shorter);
  fit += static_cast<double>(frames - in_shorter) / static_cast<double>(shorter + 1);
  return fit < 1 ? 0 : fit;
}

}  // namespace doorbell::analytic
