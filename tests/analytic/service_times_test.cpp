#include "analytic/service_times.hpp"

#include <gtest/gtest.h>

#include <optional>

#include "core/zipf.hpp"
#include "models/fixture.hpp"

namespace doorbell::analytic {
namespace {

using namespace model;
using namespace std::chrono_literals;

TEST(ServiceTimes, LocksAreAsManyAsTheAddressesCanTell) {
  // Kalia et al. 2016, section 5.4: 4096 buckets by the low 12 bits leave 64 at a stride of 64 B and 512 at 8 B.
  EXPECT_EQ(lock_servers(region(1 << 20, 64), 12), 64);
  EXPECT_EQ(lock_servers(region(1 << 20, 8), 12), 512);
  EXPECT_EQ(lock_servers(region(1 << 20, 4096), 12), 1) << "aligned to pages they are one lock";
  EXPECT_EQ(lock_servers(region(10, 8), 12), 10) << "no more than there are words";
  EXPECT_EQ(lock_servers(region(1 << 20, 8), 0), 1);
  EXPECT_EQ(lock_servers(std::nullopt, 12), 1);
}

TEST(ServiceTimes, TheHottestWordsLockLimitsWhoAllWantIt) {
  Region skewed = region(1000, 8);
  skewed.skew = 0.99;
  const double share = core::Zipf{1000, 0.99}.first();
  EXPECT_DOUBLE_EQ(lock_servers(skewed, 12), 1 / share);
  skewed.skew = 0.01;
  EXPECT_LE(lock_servers(skewed, 12), 512);
}

TEST(ServiceTimes, FetchesBringWholeCalls) {
  NicParameters nic = connect_ib().nic;
  nic.max_fetch = 16;
  EXPECT_EQ(wqes_per_fetch(nic, 4, 128), 16);
  EXPECT_EQ(wqes_per_fetch(nic, 5, 128), 15);
  EXPECT_EQ(wqes_per_fetch(nic, 32, 128), 32) << "a list of one doorbell is still one";
  EXPECT_EQ(wqes_per_fetch(nic, 4, 8), 8) << "no more than the send queue holds";
}

TEST(ServiceTimes, ALineIsTransferredFromWhoeverHadIt) {
  const SharedLineParameters line{.local = 10ns, .transfer = 50ns, .cross_ring = 30ns, .ring_cores = 8};
  EXPECT_EQ(shared_line_time(line, 1, 14), 10ns);
  EXPECT_EQ(shared_line_time(line, 8, 14), 60ns) << "all on one ring";
  // Two of nine cores in turn: the ninth is one of them with probability 2 / 9.
  EXPECT_NEAR(to_nanoseconds(shared_line_time(line, 9, 14)), 60 + 30 * 2.0 / 9, 1e-3);
  // The ninth is the second hardware thread of the first core: two of 72 pairs are at home there, in either order.
  EXPECT_NEAR(to_nanoseconds(shared_line_time(line, 9, 8)), 10 + 50 * (1 - 2.0 / 72), 1e-3);
}

TEST(ServiceTimes, QueuesThatThreadsShareAreUnderALock) {
  using namespace model;
  const auto lock_of = [](int threads, int queues) {
    const QueuePairs pairs = queue_pairs(Transport::ud);
    Program server = program(pairs, {collect(Channel::completion_queue), answer(8)}, threads);
    server.completion.shared_queues = queues;
    const Scenario scenario =
        scenario_of(connect_ib(), program(pairs, {post_window(Verb::send, 8, 1), await(1)}), std::move(server));
    const Flow flow{scenario};
    return queue_lock_time(flow.programs()[flow.index_of("server")]);
  };
  EXPECT_EQ(lock_of(6, 0), 0ns);
  EXPECT_EQ(lock_of(6, 6), 0ns);
  EXPECT_EQ(lock_of(6, 2), shared_line_time(connect_ib().shared_line, 3, 14));
  EXPECT_EQ(lock_of(14, 1), shared_line_time(connect_ib().shared_line, 14, 14));
}

}  // namespace
}  // namespace doorbell::analytic
