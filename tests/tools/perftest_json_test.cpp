#include "tools/perftest_json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "figures/scratch.hpp"
#include "tools/perftest_output.hpp"

namespace doorbell::tools {
namespace {

using model::Transport;
using model::Verb;
using testing::HasSubstr;
using testing::MatchesRegex;

PerftestRun read(const std::string& text) {
  JsonPlaces places{text, "out.json"};
  std::size_t at = 0;
  return read_perftest_json(text, at, places);
}

void expect_refused(const std::string& text, const std::string& says) {
  try {
    static_cast<void>(read(text));
    ADD_FAILURE() << "was accepted: " << text;
  } catch (const OutputError& error) {
    EXPECT_THAT(error.what(), HasSubstr(says));
    EXPECT_THAT(error.what(), MatchesRegex("out.json:[0-9]+:[0-9]+: DB601.*"));
    EXPECT_EQ(std::string{error.what()}.find('\n'), std::string::npos);
  }
}

std::string with(const std::string& text, const std::string& old, const std::string& changed) {
  std::string result = text;
  EXPECT_NE(result.find(old), std::string::npos) << old;
  return result.replace(result.find(old), old.size(), changed);
}

TEST(PerftestJson, RefusesARateThatContradictsTheBandwidth) {
  expect_refused(with(json_rates, "333.7", "400"), "/results/MsgRate: expected a rate near");
  // 333.7 MiB/s in Gb/s, as with --report_gbits.
  EXPECT_DOUBLE_EQ(read(with(json_rates, "333.7", "2.7993")).rows[0].rate.per_second, 5.467546e6);
}

TEST(PerftestJson, TakesTheBandwidthWhereItHasMoreDigits) {
  const auto rate = [](const std::string& size, const std::string& bandwidth, const std::string& printed) {
    const std::string sized = with(json_rates, R"("MsgSize": 64)", R"("MsgSize": )" + size);
    return read(with(with(sized, "333.7", bandwidth), "5.467546", printed)).rows[0].rate.per_second;
  };
  EXPECT_NEAR(rate("268435456", "6300.0", "0.000025"), 24.61, 0.01);
  EXPECT_NEAR(rate("1073741824", "1500.0", "0.000001"), 1.465, 0.001) << "which rounds to 1";
  EXPECT_NEAR(rate("1073741824", "10.0", "0.000001"), 1.164, 0.001) << "in Gb/s";
}

TEST(PerftestJson, RefusesNumbersThatNoScenarioTakes) {
  expect_refused(with(json_rates, R"("TX_depth": 128)", R"("TX_depth": 99999)"),
                 "/test_info/TX_depth: expected a count of at most 65436, found 99999");
  expect_refused(with(json_rates, R"("Number_of_qps": 4)", R"("Number_of_qps": 5000)"), "/test_info/Number_of_qps");
  expect_refused(with(json_rates, R"("TX_depth": 128)", R"("TX_depth": 2000000000)"),
                 "/test_info/TX_depth: expected a count of at most 1000000000, found 2000000000");
  expect_refused(with(json_rates, R"("MsgSize": 64)", R"("MsgSize": 2000000000000)"),
                 "/results/MsgSize: expected a number above 0 and below 1000000000000, found 2000000000000");
}

TEST(PerftestJson, ReadsABandwidthTest) {
  const PerftestRun run = read(with(json_rates, R"("CQ_Moderation": 100)", R"("Post_List": 16, "CQ_Moderation": 50)"));
  EXPECT_EQ(run.setup.verb, Verb::write);
  EXPECT_EQ(run.setup.transport, Transport::rc);
  EXPECT_FALSE(run.setup.latency);
  EXPECT_EQ(run.setup.queue_pairs, 4);
  EXPECT_EQ(run.setup.depth, 128);
  EXPECT_EQ(run.setup.post_list, 16);
  EXPECT_EQ(run.setup.signal_every, 50);
  EXPECT_EQ(run.setup.max_inline, Bytes{220});
  EXPECT_EQ(run.mtu, Bytes{4096});
  ASSERT_EQ(run.rows.size(), 1U);
  EXPECT_EQ(run.rows[0].size, Bytes{64});
  EXPECT_DOUBLE_EQ(run.rows[0].rate.per_second, 5.467546e6);
}

TEST(PerftestJson, ReadsALatencyTest) {
  const PerftestRun run = read(json_latencies);
  EXPECT_EQ(run.setup.verb, Verb::read);
  EXPECT_TRUE(run.setup.latency);
  EXPECT_EQ(run.setup.depth, 1);
  EXPECT_EQ(run.setup.signal_every, 1);
  EXPECT_EQ(run.outstanding_reads, 16);
  EXPECT_EQ(run.rows[0].typical, from_seconds(1.85e-6));
  EXPECT_EQ(run.rows[0].percentile, from_seconds(2.1e-6));
}

TEST(PerftestJson, SaysTheSameAsTheTable) {
  const figures::Scratch scratch;
  const std::string table =
      with(with(heading("RDMA_Write BW"), "qps   : 1", "qps   : 4"), "data : 0[B]", "data : 220[B]");
  const auto printed = read_perftest(scratch.write("out.txt", table + rates + "64 50000 0.00 333.7 5.467546\n"));
  const auto written = read_perftest(scratch.write("out.json", "\n" + json_rates));
  ASSERT_EQ(printed.size(), 1U);
  ASSERT_EQ(written.size(), 1U);
  EXPECT_EQ(written[0].setup, printed[0].setup);
  EXPECT_EQ(written[0].mtu, printed[0].mtu);
  EXPECT_EQ(written[0].rows[0].size, printed[0].rows[0].size);
  EXPECT_EQ(written[0].rows[0].rate.per_second, printed[0].rows[0].rate.per_second);
}

TEST(PerftestJson, IsReadWhereverItBeginsALine) {
  const figures::Scratch scratch;
  const auto sizes = [&](const std::string& text) {
    std::vector<std::int64_t> all;
    for (const PerftestRun& run : read_perftest(scratch.write("out.txt", text))) {
      for (const PerftestRow& row : run.rows) all.push_back(row.size.count);
    }
    return all;
  };
  const std::string table = heading("RDMA_Write BW") + rates + "32 50000 0.00 152.59 5\n" + rule;
  using testing::ElementsAre;
  EXPECT_THAT(sizes(json_rates + json_latencies), ElementsAre(64, 8));
  EXPECT_THAT(sizes(table + json_rates), ElementsAre(32, 64));
  EXPECT_THAT(sizes(json_rates + table), ElementsAre(64, 32));
  EXPECT_THAT(sizes(table + json_rates + "128 50000 0.00 610.35 5\n" + table), ElementsAre(32, 64, 32));
  EXPECT_THAT(sizes("\xEF\xBB\xBF" + json_rates), ElementsAre(64));
}

TEST(PerftestJson, SaysWhichOfSeveralDocumentsIsWrong) {
  const figures::Scratch scratch;
  const auto complaint = [&](const std::string& text) -> std::string {
    try {
      static_cast<void>(read_perftest(scratch.write("out.json", text)));
    } catch (const OutputError& error) {
      return error.what();
    }
    return "";
  };
  const std::string wrong = with(json_rates, "5.467546", "0");  // Of 13 lines.
  EXPECT_THAT(complaint(json_rates + wrong), HasSubstr("out.json:24:87: DB601 /results/MsgRate: expected"));
  EXPECT_THAT(complaint(json_rates + "\n" + json_rates + "an end of\n" + heading("RDMA_Erase BW")),
              HasSubstr("out.json:30:21: DB601: expected a test of Send"));
  EXPECT_THAT(complaint(json_rates + json_rates.substr(0, 100)), HasSubstr("found no complete JSON"));
  EXPECT_THAT(complaint(json_rates.substr(0, json_rates.find_last_of('}') + 1) + "   Rate limit : 100\n"),
              HasSubstr("out.json:13:5: DB601: expected a test without a limit of its rate"));
  EXPECT_THAT(complaint(with(json_rates, "{\n", "host1: {\n")),
              HasSubstr("out.json:2:1: DB601: expected JSON that begins a line"));
}

TEST(PerftestJson, PointsToWhatIsWrong) {
  expect_refused(with(json_rates, R"("TX_depth": 128)", R"("TX_depth": 99999)"), "out.json:7:13: DB601 /test_info/TX");
  expect_refused(with(json_rates, "\"RC\"", "\"DC\""), "out.json:6:20: DB601 /test_info/Connection_type");
  expect_refused(with(json_rates, "\"OFF\", \"Device", "\"ON\", \"Device"),
                 "out.json:4:14: DB601 /test_info/Dual_port");
  expect_refused(with(json_latencies, "1.85", "[[[1.85]]]"),
                 "/results/t_typical: expected a number above 0 and below 1000000000000, found an array");
  expect_refused(with(json_rates, R"("TX_depth": 128,)", ""), "out.json:2:14: DB601 /test_info/TX_depth: expected");
  expect_refused(with(json_rates, "5.467546", "5.467546x"), "out.json:11:95: DB601: expected what perftest writes");
}

TEST(PerftestJson, RefusesWhatContradictsItself) {
  expect_refused(with(json_latencies, R"("t_typical": 1.85)", R"("t_typical": 11.85)"),
                 "/results/t_typical: expected a time from 1.7 to 9.5, t_min and t_max, found 11.85");
  expect_refused(with(json_rates, R"("Number_of_qps": 4)", R"("Number_of_qps": 4.5)"),
                 "/test_info/Number_of_qps: expected a count of at most 4096, found 4.5");
  expect_refused(with(json_rates, R"("MsgSize": 64)", R"("MsgSize": 64.5)"), "in whole bytes, found 64.5");
  expect_refused(with(json_rates, R"("Number_of_qps": 4,)", ""),
                 "/test_info/Number_of_qps: expected a count, found none");
}

TEST(PerftestJson, RefusesTheMemoryOfGpus) {
  expect_refused(with(json_rates, R"("Mtu")", R"("cuda_device": 0, "Mtu")"), "buffers in the memory of the host");
  expect_refused(with(json_rates, R"("Mtu")", R"("Use_ROCm_memory": "ON", "Mtu")"), "found those of a GPU");
  EXPECT_EQ(read(with(json_rates, R"("Mtu")", R"("Use_ROCm_memory": "OFF", "Mtu")")).rows.size(), 1U);
}

TEST(PerftestJson, ReadsAllVerbsAndTransports) {
  const auto setup = [](const std::string& test, const std::string& type) {
    return read(with(with(json_rates, "RDMA_Write_BW_Test", test), "\"RC\"", "\"" + type + "\"")).setup;
  };
  EXPECT_EQ(setup("Send_Post_List_BW_Test", "UD").verb, Verb::send);
  EXPECT_EQ(setup("Send_BW_Test", "UD").transport, Transport::ud);
  EXPECT_EQ(setup("RDMA_Write_BW_Test", "UC").transport, Transport::uc);
  EXPECT_EQ(setup("RDMA_Read_BW_Test", "RC").verb, Verb::read);
  EXPECT_EQ(setup("Atomic_FETCH_AND_ADD_BW_Test", "RC").verb, Verb::fetch_add);
  EXPECT_EQ(setup("Atomic_CMP_AND_SWAP_BW_Test", "RC").verb, Verb::compare_swap);
}

TEST(PerftestJson, ReadsMeansOfTestsThatRanForATime) {
  const PerftestRun run = read(with(json_latencies, R"("t_typical": 1.85, )", ""));
  EXPECT_TRUE(run.setup.means);
  EXPECT_EQ(run.rows[0].typical, from_seconds(1.9e-6));
  EXPECT_FALSE(read(json_latencies).setup.means);
}

TEST(PerftestJson, KnowsTheDriverByTheDevice) {
  EXPECT_FALSE(read(json_rates).setup.doorbells);
  EXPECT_TRUE(read(with(json_rates, "mlx5_0", "mlx4_0")).setup.doorbells);
}

TEST(PerftestJson, RefusesTestsThatNoScenarioDescribes) {
  expect_refused(with(json_rates, "RDMA_Write_BW", "RDMA_Write_Bidirectional_BW"),
                 "/test_info/test: expected a test of one");
  expect_refused(with(json_rates, "RDMA_Write_BW", "Send_BW_Multicast"), "without multicast");
  expect_refused(with(json_rates, "RDMA_Write_BW", "RDMA_Write_with_imm_BW"), "a test of Send, RDMA_Write");
  expect_refused(with(json_rates, "RDMA_Write_BW", "RDMA_Write_Burst"), "a bandwidth or latency test");
  expect_refused(with(json_rates, "\"RC\"", "\"DC\""),
                 "/test_info/Connection_type: expected RC, UC or UD, found \"DC\"");
  expect_refused(with(json_rates, R"("Dual_port": "OFF")", R"("Dual_port": "ON")"), "one port");
  expect_refused(with(json_rates, R"("Dual_port")", R"("Test with events": "Using_mlx5_0_comp0", "Dual_port")"),
                 "polls");
  expect_refused(with(json_rates, R"("TX_depth": 128,)", ""), "found the server's");
}

TEST(PerftestJson, RefusesWhatIsIncompleteOrNoNumber) {
  expect_refused("{", "--out_json");
  expect_refused("{}", "--out_json");
  expect_refused(R"({"test_info": {}, "results": {}})", "/test_info/test: expected a word, found none");
  expect_refused(with(json_rates, R"("MsgRate": 5.467546)", R"("bw_avg": 1.5)"), "/results/MsgRate: expected a number");
  expect_refused(with(json_rates, "5.467546", "0"),
                 "/results/MsgRate: expected a number above 0 and below 1000000000000, found 0");
  expect_refused(with(json_rates, "5.467546", "\"fast\""), "/results/MsgRate");
  expect_refused(with(json_rates, R"("MsgSize": 64)", R"("MsgSize": 0.5)"), "at least 1 byte");
  expect_refused(with(json_rates, R"("Number_of_qps": 4)", R"("Number_of_qps": -1)"), "/test_info/Number_of_qps");
  expect_refused(with(with(json_latencies, "t_typical", "t_usual"), "t_avg", "t_mean"), "/results/t_typical");
}

}  // namespace
}  // namespace doorbell::tools
