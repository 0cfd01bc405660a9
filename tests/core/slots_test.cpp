#include "core/slots.hpp"

#include <gtest/gtest.h>

#include <string>

namespace doorbell::core {
namespace {

TEST(Slots, GiveEachValueAPlaceOfItsOwn) {
  Slots<std::string> slots;
  const auto first = slots.add("first");
  const auto second = slots.add("second");
  EXPECT_NE(first, second);
  EXPECT_EQ(slots[first], "first");
  EXPECT_EQ(slots[second], "second");
}

TEST(Slots, UseFreePlacesAgainTheLastOneFirst) {
  Slots<int> slots;
  const auto first = slots.add(1);
  const auto second = slots.add(2);
  slots.free(first);
  slots.free(second);
  EXPECT_EQ(slots.take(), second);
  EXPECT_EQ(slots[second], 2) << "what takes memory can be used again, too";
  EXPECT_EQ(slots.add(4), first);
  EXPECT_EQ(slots.size(), 2U);
  slots.add(5);
  EXPECT_EQ(slots.size(), 3U);
}

}  // namespace
}  // namespace doorbell::core
