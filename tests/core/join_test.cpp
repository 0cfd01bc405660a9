#include "core/join.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace doorbell::core {
namespace {

using namespace std::chrono_literals;

Task<> wait_for(Calendar& calendar, Time time, std::vector<Time>& ends) {
  co_await delay(calendar, time);
  ends.push_back(calendar.now());
}

TEST(Join, WaitsForTheLast) {
  Calendar calendar;
  std::vector<Time> ends;
  Time joined{-1};
  const auto parent = [](Calendar& clock, std::vector<Time>& seen, Time& end) -> Process {
    Join join{clock};
    join.start(wait_for(clock, 3us, seen));
    join.start(wait_for(clock, 1us, seen));
    join.start(wait_for(clock, 2us, seen));
    co_await join.all();
    end = clock.now();
  };
  start(calendar, parent(calendar, ends, joined));
  calendar.run();
  EXPECT_EQ(ends, (std::vector<Time>{1us, 2us, 3us}));
  EXPECT_EQ(joined, Time{3us});
}

TEST(Join, NothingStartedIsNothingToWaitFor) {
  Calendar calendar;
  bool reached = false;
  const auto parent = [](Calendar& clock, bool& done) -> Process {
    Join join{clock};
    co_await join.all();
    done = true;
  };
  start(calendar, parent(calendar, reached));
  calendar.run();
  EXPECT_TRUE(reached);
}

Task<> fail(Calendar& calendar) {
  co_await delay(calendar, 1ns);
  throw std::runtime_error("broken");
}

TEST(Join, AnExceptionLeavesTheCalendar) {
  Calendar calendar;
  const auto parent = [](Calendar& clock) -> Process {
    Join join{clock};
    join.start(fail(clock));
    co_await join.all();
  };
  start(calendar, parent(calendar));
  EXPECT_THROW(calendar.run(), std::runtime_error);
}

TEST(Join, ATaskThatThrowsHasEnded) {
  Calendar calendar;
  std::vector<Time> ends;
  Time joined{-1};
  const auto parent = [](Calendar& clock, std::vector<Time>& seen, Time& end) -> Process {
    Join join{clock};
    join.start(fail(clock));
    join.start(wait_for(clock, 2us, seen));
    co_await join.all();
    end = clock.now();
  };
  start(calendar, parent(calendar, ends, joined));
  EXPECT_THROW(calendar.run(), std::runtime_error);
  calendar.run();
  EXPECT_EQ(joined, Time{2us});
}

}  // namespace
}  // namespace doorbell::core
