// Pages that are chosen at random or one after the other.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/memory/popularity.hpp"
#include "models/remote_memory/application.hpp"
#include "models/remote_memory/touched_pages.hpp"

namespace doorbell::model {

class PageTouches final : public TouchedPages {
 public:
  PageTouches(const PageChoice& choice, int threads);

  [[nodiscard]] std::int64_t pages() const override { return choice_.pages; }
  [[nodiscard]] std::size_t next(int thread, core::RandomStream& random, std::vector<Touch>& touches) override;

 private:
  [[nodiscard]] std::int64_t choose(int thread, core::RandomStream& random);

  PageChoice choice_;
  int threads_;
  std::optional<Popularity> popularity_;  // of pages that are not equally popular
  std::vector<std::int64_t> position_;    // of threads that walk
};

}  // namespace doorbell::model
