#include "cli/result_json.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sample_report.hpp"

namespace doorbell::cli {
namespace {

using namespace testing;
using nlohmann::json;

TEST(ResultJson, HoldsTheWholeResult) {
  const json document = json::parse(result_json(sample_sweep()));
  EXPECT_TRUE(document.at("doorbell").is_string());
  EXPECT_EQ(document.at("scenario"), (json{{"title", "Sequencer"}, {"hash", "0123456789abcdef"}}));
  EXPECT_EQ(document.at("seed"), 7);
  ASSERT_EQ(document.at("points").size(), 2U);
  const json& point = document.at("points").at(1);
  EXPECT_EQ(point.at("coordinates"), (json{{"/programs/worker/threads", "10"}, {"/programs/client/threads", "4"}}));
  EXPECT_EQ(point.at("throughput_mops"), 62.5);
  EXPECT_EQ(point.at("throughput_ci95_mops"), 0.25);
  EXPECT_EQ(point.at("latency_ns"), (json{{"mean", 2000.0}, {"p50", 1900.0}, {"p99", 5000.0}, {"samples", 1000}}));
  EXPECT_EQ(point.at("utilisations").at(0), (json{{"resource", "server/pcie downstream"}, {"busy", 0.97}}));
  EXPECT_EQ(point.at("counters").at(0),
            (json{{"name", "server/PCIeRdCur"}, {"count", 12345}, {"per_second", 24.69e6}}));
  EXPECT_EQ(point.at("programs").at(0), (json{{"program", "worker"},
                                              {"work_requests_per_second", 62.5e6},
                                              {"payload_bytes_per_second", 2e9},
                                              {"mean_batch", 15.9}}));
  EXPECT_EQ(point.at("bottleneck").at("resource"), "server/pcie downstream");
  EXPECT_EQ(point.at("bottleneck").at("saturated"), true);
  EXPECT_EQ(point.at("bottleneck").at("next_resource"), "client/core");
  EXPECT_EQ(point.at("bottleneck").at("limit"), "CPU") << "as claims on figures name it";
  EXPECT_EQ(point.at("warnings"), json::array());
  EXPECT_EQ(point.at("simulated_ns"), 500'000.0);
  EXPECT_EQ(point.at("events"), 1000);
  EXPECT_EQ(point.at("operations"), 500);
}

TEST(ResultJson, WhatNobodyMeasuredIsNull) {
  Report report = sample_report();
  report.results[0].bandwidth = {};
  EXPECT_EQ(json::parse(result_json(report)).at("points").at(0).at("bandwidth_bytes_per_second"), nullptr);
  report.results[0].latency = {};
  const json latency = json::parse(result_json(report)).at("points").at(0).at("latency_ns");
  EXPECT_EQ(latency, (json{{"mean", nullptr}, {"p50", nullptr}, {"p99", nullptr}, {"samples", 0}}));
}

TEST(ResultJson, SurvivesQuotesAndUmlauts) {
  Report report = sample_report();
  report.title = "\"Größe\"\n";
  EXPECT_EQ(json::parse(result_json(report)).at("scenario").at("title"), report.title);
}

TEST(ResultJson, TellsThroughputAndLatencyOfEachKindOfOperations) {
  Report report = sample_report();
  const auto kinds = [&] { return json::parse(result_json(report)).at("points").at(0).at("kinds"); };
  EXPECT_EQ(kinds(), json::array());
  report.results[0].kinds = sample_kinds();
  ASSERT_EQ(kinds().size(), 2U);
  EXPECT_EQ(kinds().at(0),
            (json{{"kind", "reads"},
                  {"throughput_mops", 62.5},
                  {"latency_ns", {{"mean", 2000.0}, {"p50", 950.0}, {"p99", 15000.0}, {"samples", 1000}}}}));
  EXPECT_EQ(kinds().at(1),
            (json{{"kind", "updates"},
                  {"throughput_mops", 0.0},
                  {"latency_ns", {{"mean", nullptr}, {"p50", nullptr}, {"p99", nullptr}, {"samples", 0}}}}));
}

}  // namespace
}  // namespace doorbell::cli
