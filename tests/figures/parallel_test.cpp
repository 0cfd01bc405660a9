#include "figures/parallel.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>
#include <string>

namespace doorbell::figures {
namespace {

TEST(Parallel, TouchesEveryItemOnceForAnyNumberOfJobs) {
  for (const int jobs : {0, 1, 3, 64}) {
    std::vector<int> items(50, 0);
    for_each_in_parallel(items, jobs, [](int& item) { ++item; });
    EXPECT_THAT(items, testing::Each(1)) << jobs;
  }
}

TEST(Parallel, ThrowsTheExceptionOfTheFirstItemWhateverTheJobs) {
  for (const int jobs : {1, 4}) {
    std::vector<int> items(40);
    std::iota(items.begin(), items.end(), 0);
    try {
      for_each_in_parallel(items, jobs, [](int item) {
        if (item % 10 == 7) throw std::runtime_error{std::to_string(item)};
      });
      FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "7");
    }
  }
}

TEST(Parallel, AnItemThatWasTakenIsDoneThoughALaterOneFails) {
  constexpr int trials = 2000;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<int> items{0, 1, 2, 3};
    try {
      for_each_in_parallel(items, 4, [](int item) { throw std::runtime_error{std::to_string(item)}; });
      FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      ASSERT_STREQ(error.what(), "0");
    }
  }
}

}  // namespace
}  // namespace doorbell::figures
