// The calendar against a std::multimap, which is too slow to be wrong.
#include "core/calendar.hpp"
#include "core/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace doorbell::core {
namespace {

using namespace doorbell::literals;

using Key = std::tuple<Time, std::uint32_t>;  // a multimap keeps equal keys in order of insertion

struct Reference {
  std::multimap<Key, std::pair<std::uint64_t, EventId>> events;
};

class Fuzz : public testing::TestWithParam<std::uint64_t> {};

// Nanoseconds, microseconds, milliseconds and seconds mixed, many ties, and numbers of pending events that drift
// through all sizes at which the calendar changes its structure.
Time some_delay(RandomStream& random) {
  switch (random.below(8)) {
    case 0: return Time{0};
    case 1: return 5_ns * static_cast<std::int64_t>(random.below(4));
    case 2: return random.uniform(Time{0}, 1_us);
    case 3: return random.uniform(Time{0}, 1_ms);
    case 4: return random.uniform(Time{0}, 1000_ms);
    case 5: return 1_ms;
    default: return random.exponential(50_ns);
  }
}

TEST_P(Fuzz, RunsTheSameEventsInTheSameOrder) {
  RandomStream random(GetParam(), "calendar fuzz");
  Calendar calendar;
  Reference reference;
  std::vector<std::uint64_t> seen;
  std::vector<std::uint64_t> expected;
  std::vector<std::pair<EventId, Key>> issued;
  const Handler record = [](void* log, std::uint64_t value) {
    static_cast<std::vector<std::uint64_t>*>(log)->push_back(value);
  };
  std::uint64_t name = 0;
  std::uint64_t target = 10;
  // Every other seed changes quickly between few events and some more.
  const bool flutters = GetParam() % 2 == 1;
  for (int action = 0; action < 60000; ++action) {
    if (action % (flutters ? 50 : 3000) == 0) target = std::uint64_t{1} << random.below(flutters ? 6 : 14);
    const bool grow = reference.events.size() < target ? random.chance(0.8) : random.chance(0.2);
    if (grow) {
      const Time when = calendar.now() + some_delay(random);
      const auto rank = static_cast<std::uint32_t>(random.below(3));
      const EventId id = calendar.at(when, Priority{rank}, record, &seen, name);
      reference.events.insert({Key{when, rank}, {name, id}});
      issued.emplace_back(id, Key{when, rank});
      ++name;
    } else if (random.chance(0.3) && !issued.empty()) {
      const auto& [id, key] = issued[random.below(issued.size())];
      bool known = false;
      const auto [begin, end] = reference.events.equal_range(key);
      for (auto event = begin; event != end; ++event) {
        if (event->second.second != id) continue;
        reference.events.erase(event);
        known = true;
        break;
      }
      ASSERT_EQ(calendar.cancel(id), known) << "action " << action;
    } else if (random.chance(0.02)) {
      const Time end = calendar.now() + some_delay(random);
      while (!reference.events.empty() && std::get<0>(reference.events.begin()->first) <= end) {
        expected.push_back(reference.events.begin()->second.first);
        reference.events.erase(reference.events.begin());
      }
      calendar.run_until(end);
      ASSERT_EQ(calendar.now(), end);
    } else if (!reference.events.empty()) {
      const Time when = std::get<0>(reference.events.begin()->first);
      expected.push_back(reference.events.begin()->second.first);
      reference.events.erase(reference.events.begin());
      ASSERT_TRUE(calendar.step());
      ASSERT_EQ(calendar.now(), when);
    }
    ASSERT_EQ(calendar.pending(), reference.events.size()) << "action " << action;
    ASSERT_EQ(seen.size(), expected.size()) << "action " << action;
    if (!seen.empty()) {
      ASSERT_EQ(seen.back(), expected.back()) << "action " << action;
    }
  }
  ASSERT_EQ(seen, expected);
  EXPECT_EQ(calendar.executed(), expected.size());
}

INSTANTIATE_TEST_SUITE_P(Seeds, Fuzz, testing::Range<std::uint64_t>(0, 12));

// A pair of events that lie close together is all that is pending when the calendar leaves its wheel; the first brings
// a burst around the second, which makes it enter the wheel again. When it leaves depends on how many events went
// before.
TEST(CalendarStructure, ABurstFindsItsPlaceAroundTheEventThatWaitedAlone) {
  struct Load {
    Calendar& calendar;
    std::vector<Time> due;
    std::vector<Time> ran;

    void record(std::uint64_t when) { ran.emplace_back(static_cast<std::int64_t>(when)); }
    void plan(Time when) {
      due.push_back(when);
      calendar.at<&Load::record>(when, {}, *this, static_cast<std::uint64_t>(when.count()));
    }
    void burst(std::uint64_t apart) {
      for (std::uint64_t i = 1; i <= 20; ++i) plan(calendar.now() + Time{static_cast<std::int64_t>(i * apart)});
    }
  };
  for (int alone = 450; alone < 650; ++alone) {
    Calendar calendar;
    Load load{calendar, {}, {}};
    load.burst(1000);
    load.plan(100_ns);
    calendar.run_until(99_ns);
    for (int i = 1; i < alone; ++i) {
      load.plan(100_ns + 10_ns * i);  // never without an event, which would end the wheel, too
      calendar.step();
    }
    calendar.at<&Load::burst>(100_ns + 10_ns * alone, {}, load, 10);
    load.plan(100_ns + 10_ns * alone + Time{125});
    calendar.run();
    std::sort(load.due.begin(), load.due.end());
    ASSERT_EQ(load.ran, load.due) << "after " << alone << " events alone";
  }
}

// Retransmission timers: far away, and nearly always cancelled.
TEST(CalendarMemory, StaysBoundedWhenFarTimersAreCancelled) {
  struct Sender {
    Calendar& calendar;
    std::uint32_t largest_slot = 0;
    EventId timer;
    void expire(std::uint64_t) { FAIL() << "a cancelled timer ran"; }
    void send(std::uint64_t left) {
      calendar.cancel(timer);
      if (left == 0) return;
      timer = calendar.after<&Sender::expire>(1000_ms, {}, *this);
      largest_slot = std::max(largest_slot, timer.slot);
      calendar.after<&Sender::send>(10_ns, {}, *this, left - 1);
    }
  };
  for (const std::size_t senders : {1U, 100U}) {
    Calendar calendar;
    std::vector<Sender> all(senders, Sender{calendar, 0, {}});
    for (Sender& sender : all) calendar.after<&Sender::send>(1_ns, {}, sender, 200'000 / senders);
    calendar.run();
    for (const Sender& sender : all) EXPECT_LT(sender.largest_slot, 4096U);
  }
}

}  // namespace
}  // namespace doorbell::core
