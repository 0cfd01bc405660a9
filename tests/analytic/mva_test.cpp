#include "analytic/mva.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace doorbell::analytic {
namespace {

using namespace std::chrono_literals;

constexpr Time demand = 1us;

double rate(const std::vector<Station>& stations, Time delay, std::int64_t customers) {
  return mean_value_analysis(stations, delay, customers).throughput.per_second;
}

TEST(Mva, AloneACustomerIsAsFastAsItsParts) {
  EXPECT_NEAR(rate({{2us, 1}, {3us, 1}}, 5us, 1), 1e5, 1e-3);
  EXPECT_NEAR(rate({{2us, 4}, {3us, 7}}, 5us, 1), 1e5, 1e-3) << "more servers do not serve one customer faster";
}

TEST(Mva, BalancedStationsQueueAsInTheTextbook) {
  // K equal stations and N customers: N / (D (N + K - 1)).
  for (const int stations : {1, 2, 5}) {
    for (const int customers : {1, 2, 10, 100}) {
      const double expected = customers / (to_seconds(demand) * (customers + stations - 1));
      const std::vector<Station> all(static_cast<std::size_t>(stations), Station{demand, 1});
      EXPECT_NEAR(rate(all, 0us, customers) / expected, 1, 1e-9) << stations << ", " << customers;
    }
  }
}

TEST(Mva, QueuesOfAStationAreStationsOfTheirOwn) {
  for (const int customers : {1, 5, 40}) {
    const std::vector<Station> apart(4, Station{demand, 1});
    EXPECT_NEAR(rate({{4 * demand, 1, 4}}, 3us, customers) / rate(apart, 3us, customers), 1, 1e-9) << customers;
    const std::vector<Station> pairs(2, Station{2 * demand, 2});
    EXPECT_NEAR(rate({{4 * demand, 2, 2}}, 3us, customers) / rate(pairs, 3us, customers), 1, 1e-9) << customers;
    EXPECT_LE(rate({{4 * demand, 1, 4}}, 3us, customers), rate({{4 * demand, 4}}, 3us, customers) * (1 + 1e-9));
  }
}

TEST(Mva, UnequalStationsAgreeWithTheNormalisingConstants) {
  // Buzen 1973: X(N) = G(N - 1) / G(N), where G is the convolution of the stations' demands to the power n.
  const std::vector<double> seconds{1e-6, 3e-6, 2.5e-6, 0.4e-6};
  const int customers = 12;
  std::vector<double> constants(static_cast<std::size_t>(customers) + 1, 0.0);
  constants[0] = 1;
  std::vector<Station> stations;
  for (const double each : seconds) {
    for (std::size_t n = 1; n < constants.size(); ++n) constants[n] += each * constants[n - 1];
    stations.push_back({from_seconds(each), 1});
  }
  for (int n = 1; n <= customers; ++n) {
    const auto at = static_cast<std::size_t>(n);
    EXPECT_NEAR(rate(stations, 0us, n) * constants[at] / constants[at - 1], 1, 1e-9) << n;
  }
}

TEST(Mva, DelayAndOneServerAreTheMachineRepairmanModel) {
  // M/M/1//N: the probability of an idle server is 1 / sum over k of N! / (N - k)! (D / Z)^k.
  const double ratio = 0.5;
  for (const int customers : {1, 3, 8}) {
    double sum = 0;
    double term = 1;
    for (int k = 0; k <= customers; ++k) {
      sum += term;
      term *= (customers - k) * ratio;
    }
    EXPECT_NEAR(rate({{demand, 1}}, 2us, customers) * to_seconds(demand), 1 - 1 / sum, 1e-9) << customers;
  }
}

TEST(Mva, StaysBelowBothAsymptotesAndReachesThem) {
  const std::vector<Station> stations{{4us, 3}, {1us, 1}, {6us, 8}};
  const Time delay = 7us;
  const double cycle = to_seconds(delay + 11us);
  const double fastest = 3 / 4e-6;
  double last = 0;
  for (std::int64_t customers = 1; customers <= 4096; customers *= 2) {
    const double now = rate(stations, delay, customers);
    EXPECT_LE(now, std::min(static_cast<double>(customers) / cycle, fastest) * (1 + 1e-12)) << customers;
    EXPECT_GE(now, last * (1 - 1e-12)) << customers;
    last = now;
  }
  EXPECT_NEAR(last / fastest, 1, 0.01);
}

TEST(Mva, LittlesLawAndTheUtilisationLawHold) {
  const std::vector<Station> stations{{4us, 2}, {1us, 1}};
  const Time delay = 3us;
  const std::int64_t customers = 9;
  const MeanValues values = mean_value_analysis(stations, delay, customers);
  EXPECT_NEAR(values.throughput.per_second * to_seconds(values.response + delay), static_cast<double>(customers), 1e-4);
  ASSERT_EQ(values.utilisations.size(), stations.size());
  for (std::size_t k = 0; k < stations.size(); ++k) {
    EXPECT_NEAR(values.utilisations[k],
                values.throughput.per_second * to_seconds(stations[k].demand) / stations[k].servers, 1e-9);
  }
}

TEST(Mva, TimeSpentAtTwoStationsAtOnceCountsOnce) {
  // Two stations of 4 us that work on different packets of a message of 5 us.
  const std::vector<Station> stations{{4us, 1}, {4us, 1}};
  EXPECT_NEAR(mean_value_analysis(stations, -3us, 1).throughput.per_second, 1 / 5e-6, 1);
  const double many = mean_value_analysis(stations, -3us, 1000).throughput.per_second;
  EXPECT_NEAR(many, 1 / 4e-6, 0.002 / 4e-6);
}

TEST(Mva, CustomersBeyondSaturationOnlyWait) {
  const std::vector<Station> stations{{1us, 1}, {10us, 1}};
  const std::int64_t customers = 1'000'000'000;
  const MeanValues values = mean_value_analysis(stations, 5us, customers);
  EXPECT_NEAR(values.throughput.per_second, 1e5, 1e-3);
  EXPECT_NEAR(to_seconds(values.response), static_cast<double>(customers) * 1e-5, 1e-2);
}

}  // namespace
}  // namespace doorbell::analytic
