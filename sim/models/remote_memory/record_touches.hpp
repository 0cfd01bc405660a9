// Records of a store that are read and updated, and the index by which they are found.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/zipf.hpp"
#include "models/memory/popularity.hpp"
#include "models/remote_memory/application.hpp"
#include "models/remote_memory/touched_pages.hpp"

namespace doorbell::model {

/// Where some are more popular than others, the last one, of the least popular, also stands for what is left over.
[[nodiscard]] inline std::int64_t simulated_records(const RecordChoice& store) { return store.records / store.scale; }
/// Pages that these take, and those of their index.
[[nodiscard]] std::int64_t record_pages(const RecordChoice& store);
[[nodiscard]] std::int64_t index_pages(const RecordChoice& store);

/// Records lie one behind the other in the order in which they were inserted, and so do their entries in the index;
/// popular ones are anywhere. An operation looks its record up and touches all of its pages.
class RecordTouches final : public TouchedPages {
 public:
  explicit RecordTouches(const RecordChoice& store);

  [[nodiscard]] std::int64_t pages() const override { return record_pages_ + index_pages(store_); }
  [[nodiscard]] std::span<const std::string_view> kinds() const override;
  [[nodiscard]] std::size_t next(int thread, core::RandomStream& random, std::vector<Touch>& touches) override;
  [[nodiscard]] std::int64_t inserts() const override { return count_; }
  void insert(std::int64_t number, std::vector<Touch>& touches) const override;

  /// Touches of each page in one operation, on average.
  [[nodiscard]] std::vector<double> touches_by_page() const;

 private:
  [[nodiscard]] std::int64_t choose(core::RandomStream& random) const;
  /// `look_up`, `use`: whether the index and the record are modified.
  void touch(std::int64_t record, bool look_up, bool use, std::vector<Touch>& touches) const;

  RecordChoice store_;
  std::int64_t count_;  // simulated
  std::int64_t record_pages_;
  std::optional<core::Zipf> ranks_;  // of records that are not equally popular
  Popularity places_;                // of simulated ones
};

}  // namespace doorbell::model
