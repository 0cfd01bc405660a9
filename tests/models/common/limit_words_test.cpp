#include "models/common/limit_words.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

namespace doorbell::model {
namespace {

TEST(LimitWords, EveryLimitHasANameAndAnExplanationOfItsOwn) {
  std::set<std::string_view> names;
  std::set<std::string_view> sentences;
  int count = 0;
  for (; !name_of(static_cast<Limit>(count)).empty(); ++count) {
    const auto limit = static_cast<Limit>(count);
    names.insert(name_of(limit));
    sentences.insert(explanation(limit));
  }
  EXPECT_EQ(count, static_cast<int>(Limit::scheduler) + 1);
  // Cores that poll, or wait for a line that they share, have no time left either; a port is one of the ports, threads
  // of connections, or those that others wait for, evenly asked or not, or a single one, are threads, and a window is
  // full for whatever reason.
  constexpr std::size_t others = 2 + 1 + 4 + 5;
  EXPECT_EQ(names.size(), static_cast<std::size_t>(count) - others);
  EXPECT_EQ(sentences.size(), static_cast<std::size_t>(count));
}

}  // namespace
}  // namespace doorbell::model
