#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "command.hpp"

namespace doorbell::cli {
namespace {

using namespace testing;

TEST(UnknownWords, OptionsAreRefusedWithTheNearestOne) {
  const std::string says = "doorbell: DB701 no option \"--formt\"; did you mean \"--format\"?";
  // Wherever it stands, and before what is missing.
  expect_users_mistake(doorbell({"run", "--formt", "json", first_example}), says);
  expect_users_mistake(doorbell({"run", first_example, "--formt=json"}), says);
  expect_users_mistake(doorbell({"run", "--formt"}), says);
  expect_users_mistake(doorbell({"run", first_example, "-format", "json"}), "did you mean \"--format\"?");
  expect_users_mistake(doorbell({"import", "perftest", "out.txt", "--hadware", "nic.json"}),
                       "no option \"--hadware\"; did you mean \"--hardware\"?");
  expect_users_mistake(doorbell({"--vrsion"}), "no option \"--vrsion\"; did you mean \"--version\"?");
  expect_users_mistake(doorbell({"run", first_example, "--data-dri", "x"}), "did you mean \"--data-dir\"?");
}

TEST(UnknownWords, WhatIsNotNearAnythingIsRefusedAlone) {
  EXPECT_EQ(doorbell({"run", first_example, "--frobnicate"}).err, "doorbell: DB701 no option \"--frobnicate\"\n");
  EXPECT_EQ(doorbell({"run", first_example, "-x"}).err, "doorbell: DB701 no option \"-x\"\n");
  expect_users_mistake(doorbell({"run", first_example, "second.json"}), "not expected: second.json");
}

TEST(UnknownWords, AnOptionOfASubcommandStandsAfterIt) {
  expect_users_mistake(doorbell({"--jobs", "2", "run", first_example}),
                       "doorbell: DB701 --jobs: expected after the subcommand run");
}

TEST(UnknownWords, SubcommandsAreRefusedWithTheNearestOne) {
  const std::string says = "doorbell: DB701 no subcommand \"rnu\"; did you mean \"run\"?";
  expect_users_mistake(doorbell({"rnu", first_example, "--format", "json"}), says);
  expect_users_mistake(doorbell({"--data-dir", source_dir, "rnu"}), says);
  expect_users_mistake(doorbell({"import", "perftst", "out.txt"}), "no subcommand \"perftst\"; did you mean");
  EXPECT_EQ(doorbell({"frobnicate"}).err, "doorbell: DB701 no subcommand \"frobnicate\"\n");
}

}  // namespace
}  // namespace doorbell::cli
