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
  expect_refused_at(scenario("[]", ""), nothing_to_cross, "/transfers/streams/reads/stages");
  expect_refused_at(scenario(R"([{"route": []}])", ""), nothing_to_cross, "/transfers/streams/reads/stages/0/route");
  expect_refused_at(scenario(R"([{"route": ["lnk"]}])", ""), unknown_resource,
                    "/transfers/streams/reads/stages/0/route/0");
  expect_refused_at(scenario(R"([{"route": ["link"]}])", R"(, "measure": "writes")"), unknown_resource,
                    "/transfers/measure");
}

}  // namespace
}  // namespace doorbell::scenario::testing
