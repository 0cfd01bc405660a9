#include "models/memory/row_closing.hpp"

#include <gtest/gtest.h>

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;

class ARowClosing : public ::testing::Test {
 protected:
  void lines(int count) {
    for (int i = 0; i < count; ++i) closing_.line();
  }
  void early(int count) {
    for (int i = 0; i < count; ++i) closing_.too_early();
  }
  void late(int count) {
    for (int i = 0; i < count; ++i) closing_.too_late();
  }

  RowClosing closing_{{.idle = 100ns, .step = 10ns, .window = 64, .mistakes = 6}};
};

TEST_F(ARowClosing, StaysAsItIsWithoutMistakes) {
  lines(1000);
  EXPECT_EQ(closing_.idle(), 100ns);
}

TEST_F(ARowClosing, ComesLaterWhenRowsAreOpenedAgain) {
  early(6);
  lines(63);
  EXPECT_EQ(closing_.idle(), 100ns) << "the window is not over";
  lines(1);
  EXPECT_EQ(closing_.idle(), 110ns);
}

TEST_F(ARowClosing, ComesEarlierWhenRowsAreInTheWay) {
  late(6);
  lines(64);
  EXPECT_EQ(closing_.idle(), 90ns);
}

TEST_F(ARowClosing, PutsUpWithFewMistakes) {
  early(5);
  late(5);
  lines(64);
  EXPECT_EQ(closing_.idle(), 100ns);
}

TEST_F(ARowClosing, ForgetsTheMistakesOfTheWindowBefore) {
  for (int window = 0; window < 2; ++window) {
    early(5);
    late(5);
    lines(64);
    EXPECT_EQ(closing_.idle(), 100ns);
  }
  early(6);
  lines(64);
  EXPECT_EQ(closing_.idle(), 110ns);
  late(6);
  lines(64);
  EXPECT_EQ(closing_.idle(), 100ns);
}

TEST_F(ARowClosing, IsTornBetweenMistakesOfBothKinds) {
  early(6);
  late(6);
  lines(64);
  EXPECT_EQ(closing_.idle(), 100ns);
}

TEST_F(ARowClosing, NeverComesAtOnce) {
  for (int i = 0; i < 100; ++i) {
    late(6);
    lines(64);
  }
  EXPECT_EQ(closing_.idle(), 10ns);
}

}  // namespace
}  // namespace doorbell::model
