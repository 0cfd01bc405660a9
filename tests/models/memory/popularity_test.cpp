#include "models/memory/popularity.hpp"

#include <gtest/gtest.h>

#include <set>

namespace doorbell::model {
namespace {

TEST(Popularity, EveryRankHasAPlaceOfItsOwn) {
  for (const std::int64_t count : {1, 2, 12, 97, 1000, 4096}) {
    const Popularity popularity{count, 0.99};
    std::set<std::int64_t> places;
    for (std::int64_t rank = 1; rank <= count; ++rank) {
      const std::int64_t place = popularity.object_of(rank);
      EXPECT_GE(place, 0);
      EXPECT_LT(place, count);
      places.insert(place);
    }
    EXPECT_EQ(places.size(), static_cast<std::size_t>(count));
  }
}

TEST(Popularity, PopularObjectsAreNoNeighbours) {
  constexpr std::int64_t count = 1'000'000'000'000;
  const Popularity popularity{count, 0.99};
  for (std::int64_t rank = 1; rank < 50; ++rank) {
    for (std::int64_t other = rank + 1; other <= 50; ++other) {
      const std::int64_t distance = std::abs(popularity.object_of(rank) - popularity.object_of(other));
      EXPECT_GT(std::min(distance, count - distance), count / 200) << rank << " and " << other;
    }
  }
}

TEST(Popularity, TheFirstRankIsChosenMost) {
  const Popularity popularity{1000, 0.99};
  core::RandomStream random{1, "popularity"};
  int first = 0;
  for (int i = 0; i < 20'000; ++i) first += popularity.choose(random) == popularity.object_of(1) ? 1 : 0;
  EXPECT_NEAR(first / 20'000.0, core::Zipf(1000, 0.99).first(), 0.01);
}

}  // namespace
}  // namespace doorbell::model
