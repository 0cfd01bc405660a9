// Numbers on the command line, by what the commands say of wrong ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/numbers.hpp"
#include "command.hpp"

namespace doorbell::cli {
namespace {

using namespace testing;

TEST(Numbers, AreWholeAndInTheirRange) {
  for (const std::string wrong : {"-1", "x", "1.5", "", "1025", "99999999999999999999"}) {
    for (const std::vector<std::string>& call : std::vector<std::vector<std::string>>{{"run", first_example},
                                                                                      {"sensitivity", first_example},
                                                                                      {"reproduce", "kalia16/table4"},
                                                                                      {"calibrate", "x.json"}}) {
      std::vector<std::string> arguments = call;
      arguments.push_back("--jobs=" + wrong);
      if (wrong.empty()) arguments = {call[0], call[1], "--jobs", ""};
      expect_users_mistake(doorbell(arguments),
                           "--jobs: expected a whole number from 0 to 1024, found \"" + wrong + "\"");
    }
  }
  for (const std::string wrong : {"-1", "9007199254740992"}) {
    for (const char* command : {"run", "analyze", "reproduce"}) {
      expect_users_mistake(doorbell({command, first_example, "--seed=" + wrong}),
                           "--seed: expected a whole number from 0 to 9007199254740991, found \"" + wrong + "\"");
    }
  }
  for (const char* command : {"run", "path", "analyze", "explain", "sensitivity"}) {
    expect_users_mistake(doorbell({command, first_example, "--point=-1"}), "--point: expected a whole number from 0");
    expect_users_mistake(doorbell({command, first_example, "--point", "1"}),
                         "--point 1: the scenario has only point 0");
  }
}

TEST(Numbers, NoJobsAreAsManyAsThereAreCores) {
  EXPECT_EQ(jobs_or_cores(3), 3);
  EXPECT_GE(jobs_or_cores(0), 1);
}

TEST(Numbers, ATraceIsNoLongerThanARun) {
  for (const char* wrong : {"1e30s", "2000 s", "-1 us", "0 s"}) {
    expect_users_mistake(
        doorbell({"run", first_example, "--trace", "t.json", "--trace-length", wrong}),
        "--trace-length: expected a time up to 1000 s, such as \"20 us\", found \"" + std::string{wrong} + "\"");
  }
}

}  // namespace
}  // namespace doorbell::cli
