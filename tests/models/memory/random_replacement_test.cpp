#include "models/memory/random_replacement.hpp"

#include <gtest/gtest.h>

#include <cstdint>

#include "core/random.hpp"

namespace doorbell::model {
namespace {

TEST(RandomReplacement, KeepsAsManyAsItHasPlacesFor) {
  RandomReplacement cache{3, 1, "x"};
  for (const std::uint64_t key : {5U, 6U, 7U}) cache.keep(key);
  for (const std::uint64_t key : {5U, 6U, 7U}) EXPECT_TRUE(cache.holds(key));
  cache.keep(8);
  EXPECT_TRUE(cache.holds(8));
  EXPECT_EQ(cache.holds(5) + cache.holds(6) + cache.holds(7), 2);
}

TEST(RandomReplacement, OfEntriesInEvenUseItHoldsItsShare) {
  RandomReplacement cache{30, 1, "x"};
  core::RandomStream keys{1, "keys"};
  constexpr int uses = 100000;
  int held = 0;
  for (int i = 0; i < uses; ++i) {
    const std::uint64_t key = keys.below(100);
    if (cache.holds(key)) {
      ++held;
    } else {
      cache.keep(key);
    }
  }
  EXPECT_NEAR(static_cast<double>(held) / uses, 0.3, 0.01);
}

}  // namespace
}  // namespace doorbell::model
