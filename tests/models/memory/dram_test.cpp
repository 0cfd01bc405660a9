#include "models/memory/dram.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "models/dma_device.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

/// Memory, and when each of its lines was there or taken.
class Lines {
 public:
  explicit Lines(const DramParameters& parameters) : memory{calendar, parameters, {}} {}

  void read(std::int64_t line) { memory.read(line, next()); }
  void write(std::int64_t line) { memory.write(line, next()); }
  const std::vector<Time>& run() {
    calendar.run();
    return done;
  }

  core::Calendar calendar;
  Dram memory;
  std::vector<Time> done;
  std::vector<std::uint64_t> order;

 private:
  Continuation next() {
    done.push_back(Time{-1});
    return {[](void* self, std::uint64_t number) {
              Lines& lines = *static_cast<Lines*>(self);
              lines.done[number] = lines.calendar.now();
              lines.order.push_back(number);
            },
            this, done.size() - 1};
  }
};

TEST(Dram, ALineTakesItsRowAndTheBus) {
  Lines lines{one_channel()};
  lines.read(0);
  EXPECT_EQ(lines.run()[0], 28ns);
  EXPECT_EQ(lines.memory.rows_opened(), 1U);
}

TEST(Dram, LinesOfARowFollowEachOtherOnTheBus) {
  Lines lines{one_channel()};
  for (int i = 0; i < 4; ++i) lines.read(i);
  EXPECT_EQ(lines.run(), (std::vector<Time>{28ns, 31ns, 34ns, 37ns}));
  EXPECT_EQ(lines.memory.rows_opened(), 1U);
}

TEST(Dram, RowsOfSeveralBanksAreOpenedSideBySide) {
  Lines lines{one_channel()};
  lines.read(0);
  lines.read(16);  // the next row of 1 KiB, in another bank
  EXPECT_EQ(lines.run(), (std::vector<Time>{28ns, 31ns}));
  EXPECT_EQ(lines.memory.rows_opened(), 2U);
}

TEST(Dram, RowsOfOneBankFollowEachOther) {
  DramParameters parameters = one_channel();
  parameters.banks = 1;
  Lines lines{parameters};
  lines.read(0);
  lines.read(16);
  EXPECT_EQ(lines.run(), (std::vector<Time>{28ns, 28ns + 15ns + 28ns})) << "the first has to be closed";
}

TEST(Dram, ABankOpensARowOncePerCycle) {
  DramParameters parameters = one_channel();
  parameters.banks = 1;
  parameters.row_cycle = 60ns;
  Lines lines{parameters};
  lines.read(0);
  lines.read(16);
  EXPECT_EQ(lines.run(), (std::vector<Time>{28ns, 60ns + 28ns}));
}

TEST(Dram, ARowThatHasBeenWrittenRecoversBeforeItIsClosed) {
  DramParameters parameters = one_channel();
  parameters.banks = 1;
  parameters.drain_at = 1;
  parameters.drain_to = 0;
  parameters.write_recovery = 40ns;
  Lines lines{parameters};
  lines.write(0);
  lines.calendar.run_until(60ns);
  lines.read(16);
  EXPECT_EQ(lines.run()[1], 10ns + 28ns + 40ns + 15ns + 28ns);
  EXPECT_EQ(lines.memory.rows_opened(), 2U);
  EXPECT_EQ(lines.memory.rows_opened_to_read(), 1U);
}

TEST(Dram, NeighbouringLinesAlternateBetweenGroupsOfBanks) {
  DramParameters parameters = one_channel();
  parameters.banks = 2;
  parameters.bank_groups = 2;
  Lines lines{parameters};
  // A row of each group holds every other line of 2 KiB: another row is needed only beyond.
  for (int i = 0; i < 32; ++i) lines.read(i);
  lines.run();
  EXPECT_EQ(lines.memory.rows_opened(), 2U);
  lines.read(32);
  lines.run();
  EXPECT_EQ(lines.memory.rows_opened(), 3U);
}

TEST(Dram, OnlyTheOldestRequestsAreChosenFrom) {
  DramParameters parameters = one_channel();
  parameters.banks = 1;
  parameters.window = 1;
  Lines lines{parameters};
  for (const int line : {0, 16, 1}) lines.read(line);
  lines.run();
  EXPECT_EQ(lines.order, (std::vector<std::uint64_t>{0, 1, 2}));
}

TEST(Dram, AnOpenRowIsServedFirst) {
  DramParameters parameters = one_channel();
  parameters.banks = 1;
  Lines lines{parameters};
  lines.read(0);
  lines.read(16);
  lines.read(1);
  lines.run();
  EXPECT_EQ(lines.order, (std::vector<std::uint64_t>{0, 2, 1}));
}

TEST(Dram, TheOldestRequestIsPassedByAWindowOfOthersAndNoMore) {
  DramParameters parameters = one_channel();
  parameters.banks = 1;
  for (const int window : {2, 16}) {
    parameters.window = window;
    Lines lines{parameters};
    lines.read(0);
    lines.read(16);
    for (int i = 0; i < 100; ++i) lines.read(i % 16);
    lines.run();
    EXPECT_EQ(lines.order[static_cast<std::size_t>(1 + window)], 1U);
  }
}

TEST(Dram, ChannelsServeSideBySide) {
  DramParameters parameters = one_channel();
  parameters.channels = 2;
  Lines lines{parameters};
  for (int i = 0; i < 8; ++i) lines.read(i);
  Time last{0};
  for (const Time time : lines.run()) last = std::max(last, time);
  EXPECT_EQ(last, 25ns + 4 * 3ns);
}

TEST(Dram, LinesThatFollowEachOtherMeetEveryChannelOnce) {
  for (int channels = 1; channels <= 8; ++channels) {
    DramParameters parameters = one_channel();
    parameters.channels = channels;
    for (std::int64_t begin = 0; begin < 4096; begin += 64) {
      Lines lines{parameters};
      for (int i = 0; i < channels; ++i) lines.read(begin * channels + i);
      for (const Time done : lines.run()) EXPECT_EQ(done, 28ns) << channels << " channels, line " << begin * channels;
    }
  }
}

TEST(Dram, AWriteHasEndedWhenItIsTaken) {
  Lines lines{one_channel()};
  for (int i = 0; i < 4; ++i) lines.write(i);
  const std::vector<Time>& done = lines.run();
  for (const Time time : done) EXPECT_EQ(time, 0ns);
}

TEST(Dram, AFullControllerTakesAWriteForEachThatItHasWritten) {
  Lines lines{one_channel()};
  for (int i = 0; i < 6; ++i) lines.write(i);
  const std::vector<Time>& done = lines.run();
  EXPECT_EQ(done[3], 0ns);
  EXPECT_EQ(done[4], 10ns + 25ns) << "the bus turns round, a row is opened, and the first write begins";
  EXPECT_EQ(done[5], 38ns);
}

TEST(Dram, AQueueIsFullUntilTheFirstOfItsWritesBegins) {
  Lines lines{one_channel()};
  for (int i = 0; i < 4; ++i) lines.write(i);
  lines.calendar.run_until(70ns);
  EXPECT_DOUBLE_EQ(lines.memory.full(70ns), 0.5);
}

TEST(Dram, ReadsThatWaitComeBeforeABurstOfWrites) {
  Lines lines{one_channel()};
  for (int i = 0; i < 3; ++i) lines.write(i);
  lines.read(3);
  EXPECT_EQ(lines.run()[3], 28ns);
}

TEST(Dram, WithoutReadsItWritesWhatIsMoreThanKeptForABurst) {
  for (const int writes : {1, 2, 3, 4}) {
    Lines lines{one_channel()};
    for (int i = 0; i < writes; ++i) lines.write(i);
    lines.run();
    EXPECT_EQ(lines.memory.lines_written() > 0, writes > one_channel().drain_to) << writes;
  }
}

TEST(Dram, ReadsThatComeLaterWaitForItsEnd) {
  Lines lines{one_channel()};
  for (int i = 0; i < 3; ++i) lines.write(i);
  lines.calendar.run_until(5ns);
  lines.read(3);
  // Turned to writing, two written (down to one), turned back, read from the row that is open.
  EXPECT_EQ(lines.run()[3], 10ns + 25ns + 6ns + 10ns + 3ns);
}

TEST(Dram, ABurstIsWhatWaitedAsTheBusTurned) {
  DramParameters parameters = one_channel();
  parameters.write_queue = 64;
  parameters.drain_to = 0;
  Lines lines{parameters};
  for (int i = 0; i < 8; ++i) lines.write(i);
  lines.calendar.run_until(5ns);
  for (int i = 0; i < 20; ++i) lines.write(i % 16);
  lines.read(3);
  EXPECT_EQ(lines.run()[28], 10ns + 25ns + 8 * 3ns + 10ns + 3ns);
}

TEST(Dram, ReadsThatComeWhenABurstIsDueWaitForItsEnd) {
  DramParameters parameters = one_channel();
  parameters.write_queue = 64;
  Lines lines{parameters};
  for (int i = 0; i < 8; ++i) lines.write(i);
  for (int i = 0; i < 5; ++i) lines.read(i);
  lines.calendar.run_until(5ns);
  for (int i = 5; i < 11; ++i) lines.read(i);
  const std::vector<Time>& done = lines.run();
  EXPECT_EQ(done[8 + 4], 25ns + 5 * 3ns);
  // Seven of the eight are written, one is kept.
  EXPECT_EQ(done[8 + 5], done[8 + 4] + 10ns + 7 * 3ns + 10ns + 3ns);
}

DramParameters closing() {
  DramParameters parameters = one_channel();
  parameters.banks = 1;
  parameters.row_closing = {.idle = 100ns, .step = 10ns, .window = 2, .mistakes = 1};
  return parameters;
}

TEST(Dram, ARowStaysOpenForItsTime) {
  Lines lines{closing()};
  lines.read(0);
  lines.calendar.run_until(128ns - Time{1});
  lines.read(1);
  EXPECT_EQ(lines.run()[1], 131ns - Time{1});
  EXPECT_EQ(lines.memory.rows_opened(), 1U);
}

TEST(Dram, ARowIsNotClosedBeforeTheLineForWhichItWasOpened) {
  DramParameters parameters = closing();
  parameters.banks = 4;
  parameters.row_closing->idle = Time{0};
  Lines lines{parameters};
  // Rows of different banks, which are ready at the same time and are read one after the other.
  for (int i = 0; i < 8; ++i) lines.read(16 * i);
  lines.run();
  EXPECT_EQ(lines.memory.rows_opened(), 8U);
}

TEST(Dram, ARowThatIsNotUsedIsClosed) {
  Lines lines{closing()};
  lines.read(0);
  lines.calendar.run_until(128ns);
  lines.read(1);
  EXPECT_EQ(lines.run()[1], 128ns + 15ns + 28ns) << "closed, opened, read";
  EXPECT_EQ(lines.memory.rows_opened(), 2U);
}

TEST(Dram, WhereARowHasBeenClosedAnotherOneIsOpenedSooner) {
  Lines lines{closing()};
  lines.read(0);
  lines.calendar.run_until(200ns);
  lines.read(16);
  EXPECT_EQ(lines.run()[1], 228ns);
}

TEST(Dram, ARowThatHasBeenWrittenIsNotClosedBeforeItHasRecovered) {
  DramParameters parameters = closing();
  parameters.drain_at = 1;
  parameters.drain_to = 0;
  parameters.write_recovery = 200ns;
  Lines lines{parameters};
  lines.write(0);  // written at 38 ns
  lines.calendar.run_until(243ns);
  lines.read(16);
  EXPECT_EQ(lines.run()[1], 38ns + 200ns + 15ns + 28ns);
}

TEST(Dram, RowsThatWereClosedTooEarlyStayOpenLonger) {
  Lines lines{closing()};
  lines.read(0);
  lines.calendar.run_until(128ns);
  lines.read(1);  // until 171 ns
  lines.calendar.run_until(171ns + 105ns);
  lines.read(2);
  EXPECT_EQ(lines.run()[2], 171ns + 105ns + 3ns);
}

TEST(Dram, RowsThatWereClosedTooLateStayOpenForLess) {
  Lines lines{closing()};
  lines.read(0);
  lines.calendar.run_until(50ns);
  lines.read(16);  // until 93 ns
  lines.calendar.run_until(93ns + 95ns);
  lines.read(17);
  EXPECT_EQ(lines.run()[2], 93ns + 95ns + 10ns + 28ns) << "closed 90 ns after its last line";
}

DramParameters refreshing() {
  DramParameters parameters = one_channel();
  parameters.refresh_interval = 1us;
  parameters.refresh = 300ns;
  return parameters;
}

TEST(Dram, ARefreshClosesAllRows) {
  Lines lines{refreshing()};
  lines.read(0);
  lines.run();
  lines.calendar.run_until(1us);
  lines.read(1);
  EXPECT_EQ(lines.run()[1], 1us + 300ns + 28ns);
}

TEST(Dram, AChannelWithoutRequestsRefreshesItselfMeanwhile) {
  Lines lines{refreshing()};
  lines.read(0);
  lines.run();
  lines.calendar.run_until(3us + 200ns);
  lines.read(1);
  lines.run();
  lines.calendar.run_until(5us + 500ns);
  lines.read(2);
  const auto done = lines.run();
  EXPECT_EQ(done[1], 3us + 300ns + 28ns) << "the third one, in the middle";
  EXPECT_EQ(done[2], 5us + 500ns + 28ns) << "after the fifth, which has closed the row";
}

TEST(Dram, MeasuringForgetsWhatWasBefore) {
  Lines lines{one_channel()};
  for (const int line : {0, 16}) lines.read(line);
  for (int i = 0; i < 4; ++i) lines.write(32 + i);
  lines.run();
  EXPECT_GT(lines.memory.rows_opened(), lines.memory.rows_opened_to_read());
  EXPECT_EQ(lines.memory.rows_opened_to_read(), 2U);
  lines.memory.measure(lines.calendar.now());
  EXPECT_EQ(lines.memory.rows_opened(), 0U);
  EXPECT_EQ(lines.memory.rows_opened_to_read(), 0U);
  EXPECT_EQ(lines.memory.lines_read(), 0U);
  EXPECT_EQ(lines.memory.lines_written(), 0U);
  lines.calendar.run_until(1us);
  EXPECT_EQ(lines.memory.moving(1us), 0);
  EXPECT_EQ(lines.memory.working(1us), 0);
  EXPECT_EQ(lines.memory.full(1us), 0);
}

TEST(Dram, EveryLineIsServedOnce) {
  DramParameters parameters = one_channel();
  parameters.channels = 2;
  Lines lines{parameters};
  for (int i = 0; i < 500; ++i) {
    lines.read(i * 37LL % 4096);
    lines.write(i * 91LL % 4096);
  }
  const std::vector<Time>& done = lines.run();
  EXPECT_EQ(lines.memory.lines_read(), 500U);
  EXPECT_EQ(lines.order.size(), 1000U);
  for (const Time time : done) EXPECT_GE(time, 0ns);
  // What is not written stays with the controllers.
  EXPECT_GE(lines.memory.lines_written() + 8, 500U);
  EXPECT_LE(lines.memory.moving(lines.calendar.now()), 1.0);
  EXPECT_LE(lines.memory.moving(lines.calendar.now()), lines.memory.working(lines.calendar.now()) + 1e-9);
}

TEST(Dram, FallsBehindWhereMoreWaitsThanARowTakesToOpen) {
  const auto behind = [](int reads) {
    Lines lines{one_channel()};
    for (int i = 0; i < reads; ++i) lines.read(i);
    return lines.memory.behind(lines.run().back());
  };
  // Closing a row and opening another takes as long as 13 lines.
  EXPECT_EQ(behind(13), 0);
  EXPECT_GT(behind(16), 0.3) << "while the first row opens";
}

TEST(Dram, FallsBehindWhileWritesWaitForRoom) {
  Lines lines{one_channel()};
  for (int i = 0; i < 4; ++i) lines.write(i);
  EXPECT_EQ(lines.memory.behind(1ns), 0);
  lines.write(4);
  EXPECT_EQ(lines.memory.behind(10ns), 1);
}

}  // namespace
}  // namespace doorbell::model
