#include "models/shared_files/lock_manager.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <utility>
#include <vector>

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;

struct Cluster {
  core::Calendar calendar;
  std::vector<std::pair<int, std::int64_t>> revoked;
  LockManager locks{calendar, 100us, [this](int node, std::int64_t file) { return revoke(node, file); }};

  core::Task<> revoke(int node, std::int64_t file) {
    revoked.emplace_back(node, file);
    co_await core::delay(calendar, 10us);
  }
};

core::Process use(Cluster& cluster, int node, bool exclusive, Time& got, Time length = Time{0}) {
  if (exclusive) {
    co_await cluster.locks.own(node, 7);
  } else {
    co_await cluster.locks.share(node, 7);
  }
  got = cluster.calendar.now();
  if (length > Time{0}) co_await core::delay(cluster.calendar, length);
  cluster.locks.release(node, 7);
}

TEST(LockManager, OnlyTheFirstUseCostsAMessage) {
  Cluster cluster;
  Time first{-1};
  Time again{-1};
  core::start(cluster.calendar, use(cluster, 0, false, first));
  cluster.calendar.run();
  core::start(cluster.calendar, use(cluster, 0, false, again));
  cluster.calendar.run();
  EXPECT_EQ(first, Time{100us});
  EXPECT_EQ(again, first);
  EXPECT_EQ(cluster.locks.requests(), 1U);
}

TEST(LockManager, ReadersShare) {
  Cluster cluster;
  Time a{-1};
  Time b{-1};
  core::start(cluster.calendar, use(cluster, 0, false, a));
  core::start(cluster.calendar, use(cluster, 1, false, b));
  cluster.calendar.run();
  EXPECT_TRUE(cluster.revoked.empty());
  EXPECT_EQ(b, Time{200us});  // one change of a lock at a time
}

TEST(LockManager, TellsMessagesFromWhatHoldersHadToDo) {
  Cluster cluster;
  Time first{-1};
  Time second{-1};
  core::start(cluster.calendar, use(cluster, 0, true, first));
  core::start(cluster.calendar, use(cluster, 1, true, second));
  cluster.calendar.run();
  EXPECT_EQ(cluster.locks.changes().messages, Time{300us});  // one for each, and one to the first holder
  EXPECT_EQ(cluster.locks.changes().revoking, Time{10us});
  EXPECT_EQ(second, cluster.locks.changes().messages + cluster.locks.changes().revoking);
}

TEST(LockManager, TellsCallsThatHadToEndFromWhatFollowsThem) {
  Cluster cluster;
  Time first{-1};
  Time second{-1};
  core::start(cluster.calendar, use(cluster, 0, true, first, 1ms));
  core::start(cluster.calendar, use(cluster, 1, true, second));
  cluster.calendar.run();
  // The call ends after 1100 us; each message takes 100 us: the first one's, the second one's, and that to the holder.
  EXPECT_EQ(cluster.locks.changes().uses, Time{800us});
  EXPECT_EQ(cluster.locks.changes().revoking, Time{10us});
  EXPECT_EQ(second, first + Time{1010us});
}

TEST(LockManager, CallsEndBeforeTheirLockIsTakenAway) {
  Cluster cluster;
  Time first{-1};
  Time second{-1};
  Time other{-1};
  Time again{-1};
  core::start(cluster.calendar, use(cluster, 0, true, first, 1ms));
  core::start(cluster.calendar, use(cluster, 0, true, second, 2ms));
  cluster.calendar.run_until(150us);
  core::start(cluster.calendar, use(cluster, 1, true, other, 1ms));
  cluster.calendar.run_until(200us);
  core::start(cluster.calendar, use(cluster, 0, true, again));
  cluster.calendar.run();
  EXPECT_EQ(first, Time{100us});
  EXPECT_EQ(second, Time{100us}) << "of one machine several may use it";
  EXPECT_EQ(other, Time{2100us} + Time{10us});
  // Who comes while it changes hands waits for the next change, whose messages go while the holder uses it.
  EXPECT_EQ(again, other + Time{1ms} + Time{10us});
}

TEST(LockManager, OnlyWhatIsInUseCanBeReleased) {
  Cluster cluster;
  EXPECT_THROW(cluster.locks.release(0, 7), std::logic_error);
  cluster.locks.grant(0, 7);
  EXPECT_THROW(cluster.locks.release(0, 7), std::logic_error);
}

TEST(LockManager, CountsSinceTheWarmUp) {
  Cluster cluster;
  Time time{-1};
  for (const int node : {0, 1}) {
    core::start(cluster.calendar, use(cluster, node, true, time));
    cluster.calendar.run();
  }
  EXPECT_EQ(cluster.locks.requests(), 2U);
  cluster.locks.reset_statistics();
  EXPECT_EQ(cluster.locks.requests(), 0U);
  EXPECT_EQ(cluster.locks.revocations(), 0U);
}

TEST(LockManager, AWriterTakesItFromAllOthers) {
  Cluster cluster;
  Time time{-1};
  for (const int node : {0, 1, 2}) {
    core::start(cluster.calendar, use(cluster, node, false, time));
    cluster.calendar.run();
  }
  core::start(cluster.calendar, use(cluster, 1, true, time));
  cluster.calendar.run();
  EXPECT_EQ(cluster.revoked, (std::vector<std::pair<int, std::int64_t>>{{0, 7}, {2, 7}}));
  EXPECT_EQ(time, Time{300us} + Time{100us} + Time{110us});
  // It may read and write on without asking; another reader takes it back.
  const std::uint64_t before = cluster.locks.requests();
  core::start(cluster.calendar, use(cluster, 1, false, time));
  core::start(cluster.calendar, use(cluster, 1, true, time));
  cluster.calendar.run();
  EXPECT_EQ(cluster.locks.requests(), before);
  core::start(cluster.calendar, use(cluster, 0, false, time));
  cluster.calendar.run();
  EXPECT_EQ(cluster.revoked.back().first, 1);
  EXPECT_EQ(cluster.locks.revocations(), 3U);
}

TEST(LockManager, TheOnlyHolderMayWriteWithoutAsking) {
  Cluster cluster;
  Time time{-1};
  core::start(cluster.calendar, use(cluster, 0, false, time));
  cluster.calendar.run();
  core::start(cluster.calendar, use(cluster, 0, true, time));
  cluster.calendar.run();
  EXPECT_EQ(time, Time{100us});
  EXPECT_EQ(cluster.locks.requests(), 1U);
  // It is a writer now: another reader must take the lock away, or it would read what is old.
  core::start(cluster.calendar, use(cluster, 1, false, time));
  cluster.calendar.run();
  EXPECT_EQ(cluster.revoked, (std::vector<std::pair<int, std::int64_t>>{{0, 7}}));
}

TEST(LockManager, AWriterThatReadsIsStillAWriter) {
  Cluster cluster;
  Time time{-1};
  for (const bool exclusive : {true, false}) {
    core::start(cluster.calendar, use(cluster, 1, exclusive, time));
    cluster.calendar.run();
  }
  core::start(cluster.calendar, use(cluster, 0, false, time));
  cluster.calendar.run();
  EXPECT_EQ(cluster.revoked, (std::vector<std::pair<int, std::int64_t>>{{1, 7}}));
}

TEST(LockManager, GrantedLocksCostNothing) {
  Cluster cluster;
  cluster.locks.grant(3, 7);
  Time time{-1};
  core::start(cluster.calendar, use(cluster, 3, false, time));
  cluster.calendar.run();
  EXPECT_EQ(time, Time{0});
}

TEST(LockManager, AReaderThatTookItFromAWriterSharesIt) {
  Cluster cluster;
  Time time{-1};
  for (const int node : {0, 1, 2}) {
    core::start(cluster.calendar, use(cluster, node, node == 0, time));
    cluster.calendar.run();
  }
  EXPECT_EQ(cluster.revoked, (std::vector<std::pair<int, std::int64_t>>{{0, 7}}));
}

}  // namespace
}  // namespace doorbell::model
