#include "core/token_pool.hpp"

#include "core/process.hpp"
#include "core/random.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace doorbell::core {
namespace {

using namespace doorbell::literals;

Process take(Calendar& calendar, TokenPool& pool, std::int64_t tokens, Time time, std::string& log, char name) {
  co_await pool.acquire(tokens);
  log += name;
  co_await delay(calendar, time);
  pool.release(tokens);
}

TEST(TokenPool, ServesStrictlyInOrderOfArrival) {
  Calendar calendar;
  TokenPool pool(calendar, 4);
  std::string log;
  start(calendar, take(calendar, pool, 3, 10_ns, log, 'a'));
  start(calendar, take(calendar, pool, 4, 10_ns, log, 'b'));
  start(calendar, take(calendar, pool, 1, 10_ns, log, 'c'));  // would fit beside a, but b came first
  calendar.run_until(10_ns - 1_ps);
  EXPECT_EQ(log, "a");
  calendar.run_until(10_ns);
  EXPECT_EQ(log, "ab");
  calendar.run();
  EXPECT_EQ(log, "abc");
  EXPECT_EQ(pool.free(), 4);
}

TEST(TokenPool, IsContendedWhileSomebodyWaits) {
  Calendar calendar;
  TokenPool pool(calendar, 1);
  std::string log;
  for (const char name : {'a', 'b', 'c'}) start(calendar, take(calendar, pool, 1, 10_ns, log, name));
  calendar.run();
  EXPECT_EQ(log, "abc");
  EXPECT_DOUBLE_EQ(pool.contended().mean(40_ns), 0.5);  // b waits for 10 ns, c for 20
}

TEST(TokenPool, AReleaseMayServeSeveral) {
  Calendar calendar;
  TokenPool pool(calendar, 2);
  std::string log;
  start(calendar, take(calendar, pool, 2, 5_ns, log, 'a'));
  start(calendar, take(calendar, pool, 1, 5_ns, log, 'b'));
  start(calendar, take(calendar, pool, 1, 5_ns, log, 'c'));
  calendar.run_until(5_ns);
  EXPECT_EQ(log, "abc");
  EXPECT_EQ(pool.free(), 0);
}

TEST(TokenPool, NobodySlipsInBetweenAReleaseAndTheWokenWaiter) {
  Calendar calendar;
  TokenPool pool(calendar, 1);
  std::string log;
  start(calendar, take(calendar, pool, 1, 5_ns, log, 'a'));
  start(calendar, take(calendar, pool, 1, 5_ns, log, 'b'));
  calendar.run_until(5_ns - 1_ps);
  ASSERT_TRUE(calendar.step());  // a releases; b is woken but has not run
  EXPECT_EQ(log, "a");
  EXPECT_FALSE(pool.try_acquire());
}

TEST(TokenPool, RefusesWhatCannotBe) {
  Calendar calendar;
  TokenPool pool(calendar, 2);
  EXPECT_THROW((void)pool.try_acquire(3), std::invalid_argument);
  EXPECT_THROW((void)pool.try_acquire(-1), std::invalid_argument);
  EXPECT_THROW(pool.release(1), std::logic_error);
  EXPECT_THROW(TokenPool(calendar, -1), std::invalid_argument);
  ASSERT_TRUE(pool.try_acquire(2));
  EXPECT_FALSE(pool.try_acquire(1));
  EXPECT_EQ(pool.free(), 0);
}

Process churn(Calendar& calendar, TokenPool& pool, RandomStream& random, std::int64_t& held, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    const auto tokens = static_cast<std::int64_t>(random.below(5));
    co_await pool.acquire(tokens);
    held += tokens;
    EXPECT_LE(held, pool.capacity());
    EXPECT_GE(pool.free(), 0);
    EXPECT_LE(held + pool.free(), pool.capacity()) << "the rest is granted to waiters that have not run yet";
    co_await delay(calendar, random.exponential(20_ns));
    held -= tokens;
    pool.release(tokens);
    co_await delay(calendar, random.exponential(20_ns));
  }
}

TEST(TokenPool, ConservesTokens) {
  Calendar calendar;
  TokenPool pool(calendar, 7);
  RandomStream random(1, "churn");
  std::int64_t held = 0;
  for (int i = 0; i < 20; ++i) start(calendar, churn(calendar, pool, random, held, 300));
  calendar.run();
  EXPECT_EQ(held, 0);
  EXPECT_EQ(pool.free(), 7);
  EXPECT_FALSE(pool.has_waiters());
  EXPECT_EQ(pool.in_use().level(), 0);
  EXPECT_EQ(pool.in_use().maximum(), 7);
}

}  // namespace
}  // namespace doorbell::core
