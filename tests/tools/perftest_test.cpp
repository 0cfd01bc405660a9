#include "tools/perftest.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "figures/scratch.hpp"
#include "tools/perftest_output.hpp"

namespace doorbell::tools {
namespace {

using model::Transport;
using model::Verb;
using testing::HasSubstr;

class Perftest : public testing::Test {
 protected:
  [[nodiscard]] std::vector<PerftestRun> read(const std::string& output) const {
    return read_perftest(scratch_.write("out.txt", output));
  }
  void expect_refused(const std::string& output, const std::string& says) const {
    try {
      static_cast<void>(read(output));
      ADD_FAILURE() << "was accepted";
    } catch (const OutputError& error) {
      EXPECT_THAT(error.what(), HasSubstr(says));
      EXPECT_THAT(error.what(), HasSubstr("out.txt:"));
      EXPECT_EQ(std::string{error.what()}.find('\n'), std::string::npos);
    }
  }

 private:
  figures::Scratch scratch_;
};

TEST_F(Perftest, ReadsSetupAndTableOfABandwidthTest) {
  const auto runs = read("client$ ib_write_bw -a server\n" + heading("RDMA_Write BW") + rates +
                         " 2          50000            0.00               10.43                5.467546\n"
                         " 65536      50000            0.00               5800.12              0.092802\n"
                         "----------------------------------------\n"
                         "deallocating 3 buffers\n");
  ASSERT_EQ(runs.size(), 1U);
  const PerftestSetup& setup = runs[0].setup;
  EXPECT_EQ(setup.verb, Verb::write);
  EXPECT_EQ(setup.transport, Transport::rc);
  EXPECT_FALSE(setup.latency);
  EXPECT_EQ(setup.queue_pairs, 1);
  EXPECT_EQ(setup.depth, 128);
  EXPECT_EQ(setup.post_list, 1);
  EXPECT_EQ(setup.signal_every, 100);
  EXPECT_FALSE(setup.doorbells);
  EXPECT_EQ(runs[0].mtu, Bytes{4096});
  ASSERT_EQ(runs[0].rows.size(), 2U);
  EXPECT_EQ(runs[0].rows[1].size, Bytes{65536});
  EXPECT_DOUBLE_EQ(runs[0].rows[0].rate.per_second, 5.467546e6);
}

TEST_F(Perftest, ReadsListsQueuePairsAndInlineData) {
  const auto runs = read(heading("Send Post List BW", " Post List       : 16\n Number of qps   : 4\n", "mlx4_0") +
                         rates + " 64 1000 200.0 183.11 3.0\n");
  EXPECT_EQ(runs[0].setup.verb, Verb::send);
  EXPECT_EQ(runs[0].setup.post_list, 16);
  EXPECT_EQ(runs[0].setup.queue_pairs, 4);
  EXPECT_TRUE(runs[0].setup.doorbells);
}

TEST_F(Perftest, TakesTheRateFromTheBandwidthWhereOldVersionsPrintNoRate) {
  const auto mebibytes = read(heading("RDMA_Read BW") + " #bytes #iterations BW peak[MB/sec] BW average[MB/sec]\n" +
                              "1024 1000 3000.00 2000.00\n");
  EXPECT_DOUBLE_EQ(mebibytes[0].rows[0].rate.per_second, 2000.0 * 1048576 / 1024);
  const auto gigabits = read(heading("RDMA_Read BW") + " #bytes #iterations BW peak[Gb/sec] BW average[Gb/sec]\n" +
                             "1000 1000 90.00 80.00\n");
  EXPECT_DOUBLE_EQ(gigabits[0].rows[0].rate.per_second, 10e6);
}

TEST_F(Perftest, ReadsLatencies) {
  const auto runs =
      read(heading("Atomic CMP_AND_SWAP Latency") + latencies +
           " 8 1000          1.60           9.41         1.75     \t       1.77     \t0.1\t\t2.10\t\t3.3\n");
  EXPECT_EQ(runs[0].setup.verb, Verb::compare_swap);
  EXPECT_TRUE(runs[0].setup.latency);
  EXPECT_EQ(runs[0].setup.depth, 1);
  EXPECT_EQ(runs[0].rows[0].typical, from_seconds(1.75e-6));
  EXPECT_EQ(runs[0].rows[0].percentile, from_seconds(2.1e-6));
}

TEST_F(Perftest, ReadsMeansOfTestsThatRanForATime) {
  const auto runs =
      read(heading("RDMA_Read Latency") +
           " #bytes        #iterations       t_avg[usec]    tps average\n 2       5324571  1.88  532457.10\n");
  EXPECT_TRUE(runs[0].setup.latency);
  EXPECT_TRUE(runs[0].setup.means);
  EXPECT_EQ(runs[0].rows[0].typical, from_seconds(1.88e-6));
  EXPECT_FALSE(read(heading("RDMA_Read Latency") + latencies + "2 1000 1 9 1.5 2 0 3 4\n")[0].setup.means);
}

TEST_F(Perftest, ReadsSeveralRunsOfOneFile) {
  const auto runs = read(heading("RDMA_Read BW") + rates + "64 1000 0 122.07 2\n---\n" + heading("Send Latency") +
                         latencies + "2 1000 1 9 1.5 2 0 3 4\n");
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].setup.verb, Verb::read);
  EXPECT_EQ(runs[1].setup.verb, Verb::send);
}

TEST_F(Perftest, RefusesWhatAScenarioCannotDescribe) {
  const std::string row = "64 1000 0 122.07 2\n";
  expect_refused(heading("RDMA_Write Bidirectional BW") + rates + row, "one direction");
  expect_refused(heading("Send BW Multicast") + rates + row, "without multicast");
  expect_refused(heading("RDMA_Read BW", " Test with events.\n") + rates + row, "polls");
  expect_refused(heading("RDMA_Read BW", " Connection type : DC\n") + rates + row, "RC, UC or UD, found \"DC\"");
  expect_refused(heading("RDMA_Read BW", " Dual-port       : ON\n") + rates + row, "one port");
  expect_refused(heading("RDMA_Erase BW") + rates + row, "RDMA_Read");
}

TEST_F(Perftest, RefusesWhatIsNoOutputOrIncomplete) {
  expect_refused("", "none");
  expect_refused("#bytes\n64 1000 0 122.07 2\n", "none");
  expect_refused(heading("RDMA_Read BW"), "results of this test, found none");
  expect_refused(heading("RDMA_Read BW") + rates, "results of this test, found none");
  expect_refused(heading("RDMA_Read BW") + rates + "64 1000 0\n", "5 columns, found 3");
  expect_refused(heading("RDMA_Read BW") + rates + "64 1000 0 one 2\n",
                 "a number from 0 to 1000000000000, found \"one\"");
  expect_refused(heading("RDMA_Read BW") + rates + "64 1000 0 0 0\n", "above 0");
  expect_refused(heading("RDMA_Read BW") + rates + "64 1000 0 1 99999999999999999999\n", "a number");
  expect_refused(heading("RDMA_Read BW") + rates + "0 1000 0 1 1\n", "at least 1 byte");
  expect_refused(heading("RDMA_Read Latency") + rates + "64 1000 0 122.07 2\n", "t_typical");
  expect_refused(heading("RDMA_Read Latency") + latencies + "#, cycles\n1, 4400\n2 1000 1 9 4400 2 0 3 4\n",
                 "microseconds, found cycles");
  expect_refused(heading("RDMA_Read BW", " TX depth        : many\n") + rates + "64 1000 0 122.07 2\n",
                 "a count after");
}

TEST_F(Perftest, SaysTheColumnOfACell) {
  expect_refused(heading("RDMA_Read BW") + rates + " 64  1000 0 7,71 2\n",
                 ":13: DB601: expected a number from 0 to 1000000000000, found \"7,71\"");
  expect_refused(heading("RDMA_Read BW") + rates + " 64.5 1000 0 1 2\n", ":2: DB601: expected a size in whole bytes");
  expect_refused(heading("RDMA_Read BW", " TX depth        : many\n") + rates, ":20: DB601: expected a count after");
}

TEST_F(Perftest, NamesTheTestOfWhichResultsAreMissing) {
  expect_refused(heading("RDMA_Read BW") + rates + heading("Send BW") + rates + "64 1000 0 122.07 2\n",
                 "out.txt:2:21: DB601");
}

TEST_F(Perftest, PassesOverWarningsBetweenRows) {
  const auto runs = read(heading("RDMA_Read BW") + rates +
                         "Conflicting CPU frequency values detected: 1200.000000 != 3100.000000\r\n"
                         "64 1000 0 122.07 2\r\n\r\n WARNING: CPU is not PCIe local\r\n128 1000 0 244.14 2\r\n"
                         "----------------------------------------\r\n256 bytes freed\r\n");
  ASSERT_EQ(runs.size(), 1U);
  ASSERT_EQ(runs[0].rows.size(), 2U);
  EXPECT_EQ(runs[0].rows[1].size, Bytes{128});
}

TEST_F(Perftest, TakesTheRateFromWhatIsPrintedWithMoreDigits) {
  // 3000 MiB/s of 8 MiB each are 375 a second, printed as 0.000375 or, here, as less.
  const auto rows =
      read(heading("RDMA_Read BW") + rates + "8388608 1000 0 3003.21 0.000375\n64 1000 0 5.00 0.081921\n").front().rows;
  EXPECT_DOUBLE_EQ(rows[0].rate.per_second, 3003.21 / 8);
  EXPECT_DOUBLE_EQ(rows[1].rate.per_second, 81921);
}

TEST_F(Perftest, RefusesARateThatContradictsTheBandwidth) {
  // 64 B at 4.866 M/s are 297 MiB/s.
  expect_refused(heading("RDMA_Write BW") + rates + "64 5000 300.00 297.00 4.866\n64 5000 300.00 297.00 5.200\n",
                 "out.txt:18:23: DB601: expected a MsgRate near 4.866 Mpps, as the BW average says, found 5.2");
  expect_refused(heading("RDMA_Write BW") + rates + "64 5000 300.00 350.00 4.866\n",
                 "out.txt:17:23: DB601: expected a MsgRate");
  expect_refused(heading("RDMA_Write BW") + rates + "2 5000 9.50 9350000000 4.902\n",
                 "out.txt:17:24: DB601: expected a MsgRate");
  // Rounding: 2 B at 2400 a second are 0.0046 MiB/s.
  EXPECT_EQ(read(heading("RDMA_Write BW") + rates + "2 5000 0.00 0.00 0.002400\n").size(), 1U);
  EXPECT_EQ(read(heading("RDMA_Write BW") + rates + "8388608 5000 0.00 10.00 0.000001\n").size(), 1U);
}

TEST_F(Perftest, RefusesNumbersThatNoScenarioTakes) {
  const std::string row = "64 5000 300.00 297.00 4.866\n";
  const auto with = [&](const std::string& setting) { return heading("RDMA_Write BW", setting) + rates + row; };
  expect_refused(with(" TX depth        : 99999\n"), "out.txt:8:20: DB601: expected a TX depth of at most 65436");
  expect_refused(with(" TX depth        : 99999\n"), ", found 99999");
  expect_refused(with(" Number of qps   : 5000\n"),
                 "out.txt:8:20: DB601: expected 1 to 4096 after \"Number of qps\", found 5000");
  expect_refused(with(" Post List       : 5000\n"),
                 "out.txt:8:20: DB601: expected 1 to 4096 after \"Post List\", found 5000");
  expect_refused(with(" CQ Moderation   : 99999\n"),
                 "out.txt:8:20: DB601: expected 1 to 65536 after \"CQ Moderation\"");
  EXPECT_EQ(read(with(" TX depth        : 65436\n"))[0].setup.depth, 65436);
  expect_refused(with("") + "2000000000000 5000 300.00 297.00 4.866\n",
                 "out.txt:18:1: DB601: expected a number from 0 to 1000000000000, found \"2000000000000\"");
}

TEST_F(Perftest, KnowsASharedReceiveQueue) {
  EXPECT_FALSE(read(heading("Send BW") + rates + "64 5000 300.00 297.00 4.866\n")[0].shared_receive_queue);
  EXPECT_TRUE(read(heading("Send BW", " Connection type : RC\t\tUsing SRQ      : ON\n") + rates +
                   "64 5000 300.00 297.00 4.866\n")[0]
                  .shared_receive_queue);
}

TEST_F(Perftest, RefusesBandwidthsInOtherUnits) {
  expect_refused(
      heading("RDMA_Read BW") + " #bytes #iterations BW peak[GB/sec] BW average[GB/sec]\n64 1000 0 122.07 2\n",
      "MB/sec, MiB/sec or Gb/sec, found [GB/sec]");
  const auto mebibytes = read(heading("RDMA_Read BW") + " #bytes #iterations BW peak[MiB/sec] BW average[MiB/sec]\n" +
                              "1024 1000 3000.00 2000.00\n");
  EXPECT_DOUBLE_EQ(mebibytes[0].rows[0].rate.per_second, 2000.0 * 1048576 / 1024);
}

std::string without(std::string text, const std::string& line) {
  EXPECT_NE(text.find(line), std::string::npos) << line;
  return text.erase(text.find(line), line.size());
}

TEST_F(Perftest, NeedsWhatAllVersionsPrint) {
  const std::string table = rates + "64 1000 0 122.07 2\n";
  expect_refused(without(heading("RDMA_Write BW"), " Number of qps   : 1\t\tTransport type : IB\n") + table,
                 "out.txt:15:2: DB601: expected \"Number of qps\" before the table, found none");
  expect_refused(without(heading("RDMA_Write BW"), " Connection type : RC\t\tUsing SRQ      : OFF\n") + table,
                 "out.txt:15:2: DB601: expected \"Connection type\" before the table, found none");
  // Not that of the test before.
  expect_refused(heading("RDMA_Write BW") + table + rule +
                     without(heading("RDMA_Read BW"), " Number of qps   : 1\t\tTransport type : IB\n") + table,
                 "\"Number of qps\"");
}

TEST_F(Perftest, KnowsTablesThatNothingCloses) {
  const std::string test = heading("RDMA_Write BW") + rates + "64 1000 0 122.07 2\n128 1000 0 244.14 2\n";
  EXPECT_EQ(read(test + rule)[0].open_end, 0);
  EXPECT_EQ(read(test)[0].open_end, 18);
  const auto runs = read(test + test + rule + test + rule);
  ASSERT_EQ(runs.size(), 3U);
  EXPECT_EQ(runs[0].open_end, 18) << "the next rule is that of the next test";
  EXPECT_EQ(runs[1].open_end, 0);
  EXPECT_EQ(runs[2].open_end, 0);
}

TEST_F(Perftest, RefusesRowsThatContradictThemselves) {
  const auto latency = [&](const std::string& row) { return heading("RDMA_Read Latency") + latencies + row; };
  expect_refused(latency("2 1000 9 1 5 2 0 3 4\n"),
                 "out.txt:15:12: DB601: expected a t_typical from 9 to 1, the t_min and the t_max, found 5");
  expect_refused(latency("2 1000 1 9 0.5 2 0 3 4\n"), "expected a t_typical from 1 to 9");
  expect_refused(latency("2 1000 1 9 10 2 0 3 4\n"), "expected a t_typical from 1 to 9");
  EXPECT_EQ(read(latency("2 1000 9 9 9 9 0 9 9\n")).size(), 1U);
  expect_refused(latency("64.5 1000 1 9 5 2 0 3 4\n"), "a size in whole bytes, found \"64.5\"");
  expect_refused(heading("RDMA_Read BW", " TX depth        : 12.5\n") + rates + "64 1000 0 122.07 2\n",
                 "a count after \"TX depth\", found \"12.5\"");
}

TEST_F(Perftest, RefusesOtherMemoryAndLimitedRates) {
  const std::string table = rates + "64 1000 0 122.07 2\n" + rule;
  const std::string host = "expected buffers in the memory of the host, found ";
  expect_refused("initializing CUDA\n" + heading("RDMA_Write BW") + table,
                 "out.txt:1:14: DB601: " + host + "\"initializing CUDA\"");
  expect_refused(heading("RDMA_Write BW", " Use CUDA        : ON\n") + table, host);
  expect_refused(heading("RDMA_Write BW", " Use ROCm memory : ON\n") + table, host);
  EXPECT_EQ(read(heading("RDMA_Write BW", " Use ROCm memory : OFF\r\n") + table).size(), 1U);
  expect_refused(heading("RDMA_Write BW", " Rate limit      : 100\n") + table, "a test without a limit of its rate");
}

TEST_F(Perftest, PassesOverAByteOrderMark) {
  EXPECT_EQ(read("\xEF\xBB\xBF" + heading("RDMA_Write BW") + rates + "64 1000 0 122.07 2\n").size(), 1U);
}

TEST_F(Perftest, RefusesWhatIsNoUtf8) {
  const std::string table = rates + "64 1000 0 122.07 2\n";
  expect_refused("sm\xE4ll\n" + heading("RDMA_Write BW") + table,
                 "out.txt:1:3: DB006: expected text in UTF-8 or ASCII, found another byte");
  expect_refused("\u00b5\n\u00b5\xFF" + std::string(1, '\0') + "\n" + heading("RDMA_Write BW") + table,
                 "out.txt:2:2: DB006: expected text in UTF-8 or ASCII, found another byte");
  expect_refused(std::string(1, '\0') + "\xFF\n" + table,
                 "out.txt:1:1: DB006: expected text in UTF-8 or ASCII, found a");
  EXPECT_EQ(read("\u00b5\n" + heading("RDMA_Write BW") + table).size(), 1U);
}

TEST_F(Perftest, RefusesTheServersSide) {
  std::string server = heading("RDMA_Write BW");
  const std::string depth = " TX depth        : 128\n";
  server.erase(server.find(depth), depth.size());
  expect_refused(server + rates + "64 1000 0 122.07 2\n", "found the server's");
}

TEST_F(Perftest, PointsToWhatIsWrong) {
  const std::string table = rates + "64 1000 0 122.07 2\n";
  const auto at = [&](const std::string& output, const std::string& what, const std::string& says) {
    const std::size_t place = output.find(what);
    ASSERT_NE(place, std::string::npos) << what;
    const std::size_t begin = output.rfind('\n', place) + 1;
    const auto line = std::count(output.begin(), output.begin() + static_cast<std::ptrdiff_t>(place), '\n') + 1;
    expect_refused(output, fmt::format("out.txt:{}:{}: DB601: expected {}", line, place - begin + 1, says));
  };
  at(heading("RDMA_Write Bidirectional BW") + table, "Bidirectional", "a test of one direction");
  at(heading("Send BW Multicast") + table, "Multicast", "a test without multicast");
  at(heading("RDMA_Erase BW") + table, "RDMA_Erase", "a test of Send, RDMA_Write");
  at(heading("RDMA_Read BW") + rates, "RDMA_Read", "results of this test, found none");
  at(heading("RDMA_Read BW", " Test with events.\n") + table, "Test with events", "a test that polls");
  at(heading("RDMA_Read BW", " Dual-port       : ON\n") + table, "ON\n Mtu", "a test on one port");
  at(heading("RDMA_Read BW", " Connection type : DC\n") + table, "DC\n", "connection type RC");
  at(heading("RDMA_Read BW", " Rate limit      : 100\n") + table, "Rate limit", "a test without a limit");
  at(heading("RDMA_Read BW", " TX depth        : 0\n") + table, "0\n Mtu", "1 to 1000000000 after \"TX depth\"");
  at(heading("RDMA_Read BW", " CQ Moderation   : 99999\n") + table, "99999", "1 to 65536 after");
  const std::string other_unit = " #bytes #iterations BW peak[GB/sec] BW average[GB/sec]\n64 1000 0 122.07 2\n";
  at(heading("RDMA_Read BW") + other_unit, "[GB/sec]\n", "bandwidths in MB/sec, MiB/sec or Gb/sec, found [GB/sec]");
  at(heading("RDMA_Read Latency") + " #bytes #iterations t_min[usec] t_max[usec]\n", "#bytes", "a column t_typical");
  at(heading("RDMA_Read BW") + rates + "64 1000 0 122.07 \n", " \n", "5 columns, found 4");
}

TEST_F(Perftest, TakesNoNegativeSizeForAWarning) {
  const std::string row = "64 1000 0 122.07 2\n";
  expect_refused(heading("RDMA_Read BW") + rates + row + " -128 1000 0 244.14 2\n",
                 "out.txt:18:2: DB601: expected a number from 0 to 1000000000000, found \"-128\"");
  EXPECT_EQ(read(heading("RDMA_Read BW") + rates + "- a warning\n" + row + rule)[0].rows.size(), 1U);
}

TEST_F(Perftest, RefusesColumnsThatWouldShiftOthers) {
  const auto table = [](const std::string& columns) {
    return heading("RDMA_Read BW") + columns + "\n64 1000 7 0 122.07 2\n" + rule;
  };
  expect_refused(table("#bytes #iterations #sl BW peak[MB/sec] BW average[MB/sec] MsgRate[Mpps]"),
                 "out.txt:16:20: DB601: expected a column that perftest prints, each once, found \"#sl\"");
  expect_refused(table("#bytes #iterations #iterations BW peak[MB/sec] BW average[MB/sec] MsgRate[Mpps]"),
                 "out.txt:16:20: DB601: expected a column that perftest prints, each once, found \"#iterations\"");
  EXPECT_EQ(read(heading("RDMA_Read BW") + "#bytes #iterations BW peak[MB/sec] BW average[MB/sec] Jitter\n"
                                           "64 1000 0 122.07 2\n")
                .size(),
            1U)
      << "behind all others";
}

TEST_F(Perftest, SaysThatAFileIsMissingOrAFolder) {
  EXPECT_THROW(static_cast<void>(read_perftest("/no/such/file")), OutputError);
  try {
    static_cast<void>(read_perftest("/tmp"));
    ADD_FAILURE() << "was accepted";
  } catch (const OutputError& error) {
    EXPECT_EQ(error.what(), std::string{"/tmp:1:1: DB002: expected a file, found a folder"});
  }
}

}  // namespace
}  // namespace doorbell::tools
