// A region of slots, in which requests are found one slot after the other.
#include "models/programs/polled_region.hpp"

#include <gtest/gtest.h>

#include <array>

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;

TEST(PolledRegion, GoesRoundFromSlotToSlot) {
  std::array<Message, 3> requests;
  PolledRegion region;
  region.resize(3);
  EXPECT_EQ(region.slots(), 3U);
  EXPECT_EQ(region.earliest(), Time::max());
  for (Message& request : requests) request.visible = 10ns;
  region.write(2, requests[0]);
  region.write(0, requests[1]);
  region.write(0, requests[2]);
  EXPECT_EQ(region.look(10ns), &requests[1]);
  EXPECT_EQ(region.look(10ns), nullptr);
  EXPECT_EQ(region.look(10ns), &requests[0]);
  EXPECT_EQ(region.requests(), 1U);
  // The second request of a slot waits for the next round.
  EXPECT_EQ(region.look(10ns), &requests[2]);
  EXPECT_EQ(region.requests(), 0U);
}

TEST(PolledRegion, WhatCannotBeSeenYetStays) {
  Message request;
  request.visible = 10ns;
  PolledRegion region;
  region.resize(1);
  region.write(0, request);
  EXPECT_EQ(region.earliest(), 10ns);
  EXPECT_EQ(region.look(10ns - Time{1}), nullptr);
  EXPECT_EQ(region.requests(), 1U);
  EXPECT_EQ(region.look(10ns), &request);
}

}  // namespace
}  // namespace doorbell::model
