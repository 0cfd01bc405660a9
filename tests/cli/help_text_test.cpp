#include "cli/help_text.hpp"

#include <gtest/gtest.h>

#include "cli/narrow.hpp"

namespace doorbell::cli {
namespace {

const std::string made =
    "Simulate a scenario and print throughput, latency and the bottleneck, of which this line says too much\n"
    "Usage: doorbell run [OPTIONS] FILE\n\n"
    "Options:\n"
    "  --set PATH=VALUE            Override a parameter, also one that is swept: programs.worker.threads=6\n"
    "  --format TEXT:{text,json,csv}\n"
    "                              text, json or csv\n";

TEST(HelpText, IsAsNarrowAsOtherProse) {
  const std::string text = help_text(made, {});
  testing::expect_narrow(text);
  EXPECT_NE(text.find("  --set PATH=VALUE            Override a parameter, also one that is swept:\n"
                      "                              programs.worker.threads=6\n"),
            std::string::npos)
      << text;
}

TEST(HelpText, FitsANarrowTerminal) {
  const std::string text = help_text(made, testing::terminal(40));
  testing::expect_narrow(text, 40);
  EXPECT_NE(text.find("swept:\n    programs"), std::string::npos) << text;
}

TEST(HelpText, KeepsItsLines) {
  EXPECT_EQ(help_text("Usage: doorbell\n\nOptions:\n  -h    Help\n", {}),
            "Usage: doorbell\n\nOptions:\n  -h    Help\n");
}

}  // namespace
}  // namespace doorbell::cli
