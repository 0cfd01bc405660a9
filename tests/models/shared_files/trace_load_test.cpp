#include "models/shared_files/trace_load.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "models/kinds.hpp"
#include "models/shared_files_machine.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

SharedFilesScenario traced() {
  SharedFilesScenario shared = small_cluster();
  shared.stream.reset();
  shared.trace = TraceLoad{};
  for (std::int64_t i = 0; i < 10; ++i) {
    shared.trace->requests.push_back({.when = 20ms * i,
                                      .operation = i % 2 == 0 ? BlockOperation::read : BlockOperation::write,
                                      .offset = Bytes{i << 20},
                                      .size = 64_KiB});
  }
  return shared;
}

TEST(TraceLoad, EveryRequestIsReportedInOrder) {
  const RunResult result = run_of(traced());
  ASSERT_EQ(result.requests.size(), 10U);
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_EQ(result.requests[i].started, 20ms * static_cast<int>(i));
    EXPECT_EQ(result.requests[i].offset, Bytes{static_cast<std::int64_t>(i) << 20});
    EXPECT_EQ(result.requests[i].size, 64_KiB);
    EXPECT_EQ(result.requests[i].write, i % 2 == 1);
    // At least the way through disk and link.
    EXPECT_GT(to_seconds(result.requests[i].latency), 65536 / 300e6);
  }
  EXPECT_EQ(result.operations, 10U);
}

TEST(TraceLoad, OneAfterTheOtherTheNextBeginsWhenTheLastEnds) {
  SharedFilesScenario shared = traced();
  shared.trace->at_recorded_times = false;
  const RunResult result = run_of(shared);
  for (std::size_t i = 1; i < 10; ++i) {
    EXPECT_EQ(result.requests[i].started, result.requests[i - 1].started + result.requests[i - 1].latency);
  }
}

TEST(TraceLoad, TheRunEndsWithItsLastRequest) {
  const RunResult result = run_of(traced());
  Time last{0};
  for (const ServedRequest& request : result.requests) last = std::max(last, request.started + request.latency);
  EXPECT_EQ(result.simulated, last);
  EXPECT_DOUBLE_EQ(result.throughput.per_second, 10 / to_seconds(last));
}

TEST(TraceLoad, LargeRequestsGoInParts) {
  SharedFilesScenario shared = traced();
  shared.trace->requests[0].size = Bytes{4 << 20};  // more than the NIC's memory
  const RunResult result = run_of(shared);
  EXPECT_GT(to_seconds(result.requests[0].latency), (4 << 20) / 300e6);
}

TEST(TraceLoad, RequestsThatComeTogetherWaitForOneAnother) {
  SharedFilesScenario shared = traced();
  for (TraceRequest& request : shared.trace->requests) request.when = Time{0};
  EXPECT_GT(run_of(shared).latency.p99, run_of(traced()).latency.p99);
}

TEST(TraceLoad, TellsReadsAndWritesApartWhereThereAreBoth) {
  SharedFilesScenario shared = traced();
  shared.trace->requests.resize(9);
  const RunResult result = run_of(shared);
  expect_kinds(result, {"reads", "writes"});
  EXPECT_EQ(result.kinds.at(0).latency.samples, 5U);
  EXPECT_EQ(result.kinds.at(1).latency.samples, 4U);
  for (TraceRequest& request : shared.trace->requests) request.operation = BlockOperation::write;
  EXPECT_TRUE(run_of(shared).kinds.empty());
}

TEST(TraceLoad, WhatArrivesAndIsServedIsLimitedByArrivals) {
  SharedFilesScenario shared = traced();
  const RunResult served = run_of(shared);
  EXPECT_EQ(served.bottleneck.resource, "nodes/arrivals");
  EXPECT_EQ(served.bottleneck.limit, Limit::arrivals);
  for (TraceRequest& request : shared.trace->requests) request.when = Time{0};
  EXPECT_NE(run_of(shared).bottleneck.limit, Limit::arrivals);
  shared.trace->at_recorded_times = false;
  EXPECT_NE(run_of(shared).bottleneck.limit, Limit::arrivals);
}

}  // namespace
}  // namespace doorbell::model
