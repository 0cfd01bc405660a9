#include "models/remote_loads/file_load.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "models/fixture.hpp"
#include "models/kinds.hpp"
#include "models/remote_memory_fixture.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

RemoteMemoryScenario file(Bytes record, double read_share = 0) {
  RemoteMemoryScenario remote = remote_memory();
  remote.files = FileLoad{.record = record, .read_share = read_share};
  remote.access.completion.mode = CompletionMode::busy;
  remote.duration = 20ms;
  return remote;
}

TEST(FileLoad, CountsEveryByte) {
  for (const double read_share : {0.0, 1.0}) {
    const RunResult result = run_of(file(256_KiB, read_share));
    EXPECT_NEAR(result.bandwidth.bytes_per_second, result.throughput.per_second * 256 * 1024,
                result.throughput.per_second * 256 * 1024 * 0.05);
    EXPECT_NEAR(per_operation(result, read_share > 0 ? "host/RDMA reads" : "host/RDMA writes"), 2, 0.2);
  }
}

TEST(FileLoad, LargeRecordsGoInRequestsOfLimitedSize) {
  const Time one = run_of(file(128_KiB)).latency.p50;
  const Time four = run_of(file(512_KiB)).latency.p50;
  EXPECT_NEAR(to_nanoseconds(four), 4 * to_nanoseconds(one), to_nanoseconds(one) * 0.2);
}

TEST(FileLoad, SpreadsOverMachines) {
  RemoteMemoryScenario remote = file(128_KiB);
  remote.access.peers = 4;
  remote.access.stripe = 32_KiB;
  EXPECT_NEAR(per_operation(run_of(remote), "host/RDMA writes"), 4, 0.2);
}

TEST(FileLoad, UsesTheQueuePairsOfTheHardwareThreadsThatItFindsItselfOn) {
  RemoteMemoryScenario remote = file(256_KiB);
  remote.access.completion.mode = CompletionMode::event;
  const double one = busy(run_of(remote), "host/busiest completion handler");
  remote.access.queue_pairs = 4;
  EXPECT_LT(busy(run_of(remote), "host/busiest completion handler"), 0.5 * one);
}

TEST(FileLoad, BeginsAnewAtTheEndOfTheFile) {
  const auto handler = [](int peers) {
    RemoteMemoryScenario remote = file(128_KiB);
    remote.files->file = 128_KiB;  // one record, on one machine
    remote.access.stripe = 128_KiB;
    remote.access.peers = peers;
    remote.access.completion.mode = CompletionMode::event;
    return busy(run_of(remote), "host/busiest completion handler");
  };
  EXPECT_NEAR(handler(2), handler(1), 1e-3);
}

TEST(FileLoad, TellsReadsAndWritesApartWhereItMixesThem) {
  const RunResult result = run_of(file(128_KiB, 0.7));
  expect_kinds(result, {"reads", "writes"});
  expect_share(result, result.kinds.at(0), 0.7);
  EXPECT_TRUE(run_of(file(128_KiB)).kinds.empty());
}

TEST(FileLoad, TellsWhatTheTimeOfItsProcessGoesTo) {
  RemoteMemoryScenario remote = file(256_KiB);
  remote.access.completion.mode = CompletionMode::event;
  const auto sentence = [&remote] { return run_of(remote).bottleneck.sentence; };
  const RunResult result = run_of(remote);
  EXPECT_EQ(result.bottleneck.resource, "host/operations of the load") << result.bottleneck.sentence;
  EXPECT_EQ(result.bottleneck.limit, Limit::one_by_one);
  // Of each half: 5.5 us and 32.8 us of copies, and a switch of 1 us.
  const double one = to_seconds(result.latency.mean) / 2;
  const auto expected = [one](double time) { return std::to_string(std::lround(time / one * 100)) + " % "; };
  EXPECT_NE(sentence().find(expected(38.27e-6) + "are its calls and copies"), std::string::npos) << sentence();
  EXPECT_NE(sentence().find(expected(1e-6) + "switches back to it"), std::string::npos) << sentence();
  EXPECT_NE(sentence().find("with a larger \"largest_request\""), std::string::npos) << sentence();
  remote.files->record = 128_KiB;
  EXPECT_EQ(sentence().find("largest_request"), std::string::npos) << sentence();
}

}  // namespace
}  // namespace doorbell::model
