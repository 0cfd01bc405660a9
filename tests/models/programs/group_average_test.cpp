#include "models/programs/group_average.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "models/common/resource_name.hpp"

namespace doorbell::model {
namespace {

std::vector<Utilisation> rows_of(const std::vector<double>& machines) {
  GroupAverage average;
  for (const double busy : machines) average.add(busy);
  std::vector<Utilisation> rows;
  average.report("server/NIC", Limit::nic, rows);
  return rows;
}

TEST(GroupAverage, IsTheMeanOverMachinesWhateverPartsTheyUse) {
  Average many;
  for (int i = 0; i < 9; ++i) many.add(0.2);
  Average one;
  one.add(1);
  GroupAverage average;
  average.add(many);
  average.add(one);
  average.add(Average{});  // of a machine that uses none
  EXPECT_DOUBLE_EQ(average.value(), 0.4);
  EXPECT_DOUBLE_EQ(average.most(), 1);
}

TEST(GroupAverage, AMachineThatIsFarBusierHasARowOfItsOwn) {
  const std::vector<Utilisation> rows = rows_of({0.96, 0, 0, 0});
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].resource, "server/NIC");
  EXPECT_DOUBLE_EQ(rows[0].busy, 0.24);
  EXPECT_EQ(rows[1].resource, "server/NIC (busiest machine)");
  EXPECT_DOUBLE_EQ(rows[1].busy, 0.96);
  EXPECT_EQ(rows[1].limit, Limit::nic);
  EXPECT_NE(rows[1].remark.find("24 %"), std::string::npos);
  EXPECT_TRUE(is_resource(rows[1].resource, rows[0].resource));
  EXPECT_FALSE(is_resource(rows[0].resource, rows[1].resource));
}

TEST(GroupAverage, MachinesThatAreAboutAsBusyHaveNone) {
  EXPECT_EQ(rows_of({1}).size(), 1U);
  EXPECT_EQ(rows_of({0.99, 0.95, 0.9, 0.92}).size(), 1U);
  EXPECT_EQ(rows_of({0.7, 0.4}).size(), 1U) << "neither limits";
  EXPECT_EQ(rows_of({0.4, 0, 0, 0}).size(), 1U);
  EXPECT_EQ(rows_of({0.9, 0.5}).size(), 2U) << "one limits, and its mean would not";
}

}  // namespace
}  // namespace doorbell::model
