#include "models/common/load.hpp"

#include <gtest/gtest.h>

#include "models/common/measured_rate.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

class Counted final : public Load {
 public:
  explicit Counted(OperationKinds kinds = {}) : Load{kinds} {}
  void start() override {}
  using Load::count;
};

TEST(Load, CountsOperationsOfEachKindAndAll) {
  Counted load{reads_and_writes};
  load.count(1us, 4_KiB);
  load.count(3us, 4_KiB, 0);
  load.count(8us, 4_KiB, 1);
  EXPECT_EQ(load.operations(), 3U);
  EXPECT_EQ(load.bytes(), 12_KiB);
  EXPECT_EQ(load.latency().mean(), 4us);
  ASSERT_EQ(load.kinds().size(), 2U);
  EXPECT_EQ(load.kinds()[0].name, "reads");
  EXPECT_EQ(load.kinds()[0].latency.count(), 2U);
  EXPECT_EQ(load.kinds()[0].latency.mean(), 2us);
  EXPECT_EQ(load.kinds()[1].name, "writes");
  EXPECT_EQ(load.kinds()[1].latency.mean(), 8us);
}

TEST(Load, WhoseOperationsAreAlikeHasNoKinds) {
  Counted load;
  load.count(1us, 4_KiB, 1);  // as a load does that could have mixed them
  EXPECT_TRUE(load.kinds().empty());
  EXPECT_EQ(load.operations(), 1U);
}

TEST(Load, TheWarmUpIsForgottenOfEveryKind) {
  Counted load{reads_and_writes};
  load.count(1us, 4_KiB, 0);
  load.count(1us, 4_KiB, 1);
  load.measure(1ms);
  load.count(5us, 4_KiB, 1);
  EXPECT_EQ(load.kinds()[0].latency.count(), 0U);
  EXPECT_EQ(load.kinds()[1].latency.count(), 1U);
  EXPECT_EQ(load.kinds()[1].latency.mean(), 5us);
}

TEST(Load, AMixHasBothKinds) {
  EXPECT_EQ(kinds_of_mix(0.001).size(), 2U);
  EXPECT_EQ(kinds_of_mix(0.999).size(), 2U);
  EXPECT_TRUE(kinds_of_mix(0).empty());
  EXPECT_TRUE(kinds_of_mix(1).empty());
}

TEST(Load, RatesOfKindsAreOverTheTimeSimulated) {
  Counted load{reads_and_writes};
  for (int i = 0; i < 3; ++i) load.count(2us, 4_KiB, 0);
  const std::vector<KindSummary> kinds = kinds_of(load, 1ms);
  ASSERT_EQ(kinds.size(), 2U);
  EXPECT_EQ(kinds[0].kind, "reads");
  EXPECT_DOUBLE_EQ(kinds[0].throughput.per_second, 3e3);
  EXPECT_EQ(kinds[0].latency.mean, 2us);
  EXPECT_EQ(kinds[1].kind, "writes");
  EXPECT_EQ(kinds[1].throughput.per_second, 0);
  EXPECT_EQ(kinds[1].latency.samples, 0U);
}

}  // namespace
}  // namespace doorbell::model
