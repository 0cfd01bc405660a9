#include "scenario/member_name.hpp"

#include <gtest/gtest.h>

#include "models/scenario.hpp"

namespace doorbell::scenario {
namespace {

TEST(MemberName, IsTheNameInFiles) {
  model::PostStep step;
  EXPECT_EQ(member_name(step, step.inlined), "inline");
  EXPECT_EQ(member_name(step, step.region), "region");
  EXPECT_EQ(member_name(step, step.to), "to");
}

TEST(MemberName, TheFirstMemberIsNotTakenForItsStructure) {
  model::Program program;
  // The first member has the address of the structure itself.
  EXPECT_EQ(member_name(program, program.machine), "machine");
}

TEST(MemberName, IsEmptyForWhatIsNotDescribed) {
  model::PostStep step;
  const int stranger = 0;
  EXPECT_EQ(member_name(step, stranger), "");
}

}  // namespace
}  // namespace doorbell::scenario
