#include "models/pcie/credit_ring.hpp"

#include <gtest/gtest.h>

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

TEST(CreditRing, CreditsAreThereAtFirst) {
  CreditRing credits{2};
  EXPECT_EQ(credits.next(), Time{0});
  credits.take(100ns);
  EXPECT_EQ(credits.next(), Time{0});
}

TEST(CreditRing, TheOneTakenFirstComesBackFirst) {
  CreditRing credits{2};
  credits.take(100ns);
  credits.take(130ns);
  EXPECT_EQ(credits.next(), 100ns);
  credits.take(200ns);
  EXPECT_EQ(credits.next(), 130ns);
}

TEST(CreditRing, LimitsTheRateToCreditsPerRoundTrip) {
  const Time round_trip = 90ns;
  CreditRing credits{3};
  Time last{0};
  for (int i = 0; i < 301; ++i) {
    last = credits.next();
    credits.take(last + round_trip);
  }
  EXPECT_EQ(last, round_trip * 100);
}

}  // namespace
}  // namespace doorbell::model
