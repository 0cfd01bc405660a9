// Scenarios about streams of data.
#include <gtest/gtest.h>

#include "bad_input.hpp"
#include "models/fabric/transfers.hpp"

namespace doorbell::scenario::testing {
namespace {

using enum ErrorCode;

class TransferFiles : public ::testing::Test {
 protected:
  [[nodiscard]] std::filesystem::path scenario(const std::string& stages, const std::string& more = {}) const {
    return workspace.write("transfers.json",
                           R"({"transfers": {"resources": {"link": {"bandwidth": "1 GB/s", "count": 2}},
      "streams": {"reads": {"size": "1 MiB", "stages": )" +
                               stages + "}}" + more + "}}");
  }

  Workspace workspace;
};

TEST_F(TransferFiles, AreRead) {
  const auto points = load(scenario(R"([{"route": ["link"], "latency": "5 us"}])", R"(, "measure": "reads")"));
  ASSERT_TRUE(std::holds_alternative<model::TransferScenario>(points[0].scenario.instead));
  const model::TransferScenario& transfers = std::get<model::TransferScenario>(points[0].scenario.instead);
  EXPECT_EQ(transfers.resources[0].second.count, 2);
  EXPECT_EQ(transfers.streams[0].second.stages[0].route, (std::vector<std::string>{"link"}));
  EXPECT_EQ(transfers.measure, "reads");
}

TEST_F(TransferFiles, RefuseWhatCannotBe) {
  const auto code = [&](const std::string& stages, const std::string& more, const std::string& pointer) {
    const ScenarioError error = complaint_of(scenario(stages, more));
    EXPECT_EQ(error.pointer(), pointer) << error.what();
    expect_one_line(error);
    return error.code();
  };
  EXPECT_EQ(code("[]", "", "/transfers/streams/reads/stages"), nothing_to_cross);
  EXPECT_EQ(code(R"([{"route": []}])", "", "/transfers/streams/reads/stages/0/route"), nothing_to_cross);
  EXPECT_EQ(code(R"([{"route": ["lnk"]}])", "", "/transfers/streams/reads/stages/0/route/0"), unknown_resource);
  EXPECT_EQ(code(R"([{"route": ["link"]}])", R"(, "measure": "writes")", "/transfers/measure"), unknown_resource);
}

}  // namespace
}  // namespace doorbell::scenario::testing
