#include "analytic/demand_rows.hpp"

#include <gtest/gtest.h>

namespace doorbell::analytic {
namespace {

using model::Limit;

OperationClass class_of(const char* name, double visits) {
  OperationClass item;
  item.name = name;
  item.visits = visits;
  return item;
}

TEST(DemandRows, ClassesMeetInRowsOfTheSameName) {
  DemandRows rows;
  rows.begin_class(class_of("first", 2));
  const std::size_t link = rows.row("link", Limit::dma_bandwidth);
  rows.add(link, 1, 3e-9);
  rows.add(link, 4, 1e-9);
  rows.begin_class(class_of("second", 10));
  EXPECT_EQ(rows.row("link", Limit::nic), link);
  rows.add(link, 2, 0.5e-9);
  rows.add(rows.row("tags", Limit::read_tags, false), 8, 7e-9);
  EXPECT_EQ(rows.find("link"), link);
  EXPECT_EQ(rows.find("wire"), rows.size());
  EXPECT_NEAR(rows.total(link), 2 * 4e-9 + 10 * 0.5e-9, 1e-18);
  const DemandMatrix matrix = rows.take();
  ASSERT_EQ(matrix.resources.size(), 2U);
  EXPECT_EQ(matrix.resources[0].limit, Limit::dma_bandwidth) << "as who came first said";
  EXPECT_EQ(matrix.resources[0].servers, 4) << "as many as anybody has";
  EXPECT_TRUE(matrix.resources[0].is_station);
  EXPECT_FALSE(matrix.resources[1].is_station);
  EXPECT_NEAR(matrix.seconds(0, 0), 4e-9, 1e-18);
  EXPECT_NEAR(matrix.seconds(0, 1), 0.5e-9, 1e-18);
  EXPECT_EQ(matrix.seconds(1, 0), 0);
  EXPECT_NEAR(matrix.totals()(1), 70e-9, 1e-18);
}

TEST(DemandRows, AClassThatAsksForNothingIsNone) {
  DemandRows rows;
  rows.begin_class(class_of("asks", 1));
  rows.add(rows.row("link", Limit::dma_bandwidth), 1, 1e-9);
  rows.end_class();
  rows.begin_class(class_of("does not", 1));
  rows.end_class();
  const DemandMatrix matrix = rows.take();
  ASSERT_EQ(matrix.classes.size(), 1U);
  EXPECT_EQ(matrix.classes.front().name, "asks");
  EXPECT_EQ(matrix.seconds.cols(), 1);
}

}  // namespace
}  // namespace doorbell::analytic
