#include "models/remote_memory/record_touches.hpp"

#include <algorithm>
#include <array>

#include "models/memory/page.hpp"

namespace doorbell::model {
namespace {

constexpr std::array<std::string_view, 2> reads_and_updates{"reads", "updates"};

std::int64_t pages_of(std::int64_t bytes) { return (bytes + page_size - 1) / page_size; }

}  // namespace

std::int64_t record_pages(const RecordChoice& store) { return pages_of(simulated_records(store) * store.size.count); }
std::int64_t index_pages(const RecordChoice& store) {
  return pages_of(simulated_records(store) * store.index_entry.count);
}

RecordTouches::RecordTouches(const RecordChoice& store)
    : store_{store}, count_{simulated_records(store)}, record_pages_{record_pages(store)}, places_{count_, store.skew} {
  if (store_.skew > 0) ranks_.emplace(store_.records, store_.skew);
}

std::span<const std::string_view> RecordTouches::kinds() const {
  if (store_.updates <= 0 || store_.updates >= 1) return {};
  return reads_and_updates;
}

std::int64_t RecordTouches::choose(core::RandomStream& random) const {
  if (!ranks_) return static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(count_)));
  const std::int64_t group = (ranks_->draw(random) - 1) / store_.scale;
  return places_.object_of(std::min(group, count_ - 1) + 1);
}

void RecordTouches::touch(std::int64_t record, bool look_up, bool use, std::vector<Touch>& touches) const {
  touches.clear();
  if (store_.index_entry.count > 0) {
    const std::int64_t page = record_pages_ + record * store_.index_entry.count / page_size;
    touches.push_back({static_cast<PageTable::Page>(page), look_up});
  }
  const std::int64_t first = record * store_.size.count;
  const std::int64_t last = first + store_.size.count - 1;
  for (std::int64_t page = first / page_size; page <= last / page_size; ++page) {
    touches.push_back({static_cast<PageTable::Page>(page), use});
  }
}

std::size_t RecordTouches::next(int /*thread*/, core::RandomStream& random, std::vector<Touch>& touches) {
  const std::int64_t record = choose(random);
  const bool update = random.chance(store_.updates);
  touch(record, false, update, touches);
  return update ? 1 : 0;
}

void RecordTouches::insert(std::int64_t number, std::vector<Touch>& touches) const {
  touch(number, true, true, touches);
}

std::vector<double> RecordTouches::touches_by_page() const {
  std::vector<double> rates(static_cast<std::size_t>(pages()));
  const auto scale = static_cast<double>(store_.scale);
  const auto weight_up_to = [&](double rank) { return core::zipf_integral(rank, store_.skew); };
  const double all = weight_up_to(static_cast<double>(store_.records) + 0.5) - weight_up_to(0.5);
  std::vector<Touch> touches;
  for (std::int64_t group = 0; group < count_; ++group) {
    const double first = static_cast<double>(group) * scale + 0.5;
    const double end = group + 1 == count_ ? static_cast<double>(store_.records) + 0.5 : first + scale;
    const double share = ranks_ ? (weight_up_to(end) - weight_up_to(first)) / all : 1 / static_cast<double>(count_);
    touch(ranks_ ? places_.object_of(group + 1) : group, false, false, touches);
    for (const Touch& each : touches) rates[static_cast<std::size_t>(each.page)] += share;
  }
  return rates;
}

}  // namespace doorbell::model
