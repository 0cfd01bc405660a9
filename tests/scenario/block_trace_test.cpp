#include "scenario/block_trace.hpp"

#include <gtest/gtest.h>

#include "scenario/error.hpp"

namespace doorbell::scenario {
namespace {

using namespace std::chrono_literals;
using model::BlockOperation;

int line_refused(const std::string& text, ErrorCode code = ErrorCode::bad_trace) {
  try {
    (void)parse_block_trace(text, "trace");
  } catch (const ScenarioError& error) {
    EXPECT_EQ(error.code(), code);
    const std::string message = error.what();
    EXPECT_EQ(message.find('\n'), std::string::npos);
    return std::stoi(message.substr(message.find(':') + 1));
  }
  return 0;
}

TEST(BlockTrace, FioLogOfVersion2) {
  const auto requests = parse_block_trace(
      "fio version 2 iolog\n"
      "/dev/sda add\n"
      "/dev/sda open\n"
      "/dev/sda wait 500\n"
      "/dev/sda read 0 4096\n"
      "/dev/sda wait 1500\n"
      "/dev/sda write 8192 512\n"
      "/dev/sda trim 0 4096\n"
      "/dev/sda close\n",
      "trace");
  ASSERT_EQ(requests.size(), 2U);
  EXPECT_EQ(requests[0].when, Time{0});
  EXPECT_EQ(requests[0].operation, BlockOperation::read);
  EXPECT_EQ(requests[1].when, Time{1500us});
  EXPECT_EQ(requests[1].operation, BlockOperation::write);
  EXPECT_EQ(requests[1].offset, Bytes{8192});
  EXPECT_EQ(requests[1].size, Bytes{512});
}

TEST(BlockTrace, FioLogOfVersion3) {
  const auto requests = parse_block_trace(
      "fio version 3 iolog\n"
      "107 /dev/sda add\n"
      "110 /dev/sda read 4096 4096\n"
      "113 /dev/sda read 0 8192\n",
      "trace");
  ASSERT_EQ(requests.size(), 2U);
  EXPECT_EQ(requests[1].when, Time{3us});
  EXPECT_EQ(requests[1].size, Bytes{8192});
}

TEST(BlockTrace, TimesOfAFioLogDoNotGoBack) {
  const std::string log = "fio version 3 iolog\n0 /dev/sdb add\n5000 /dev/sdb read 0 4096\n";
  EXPECT_EQ(parse_block_trace(log + "5000 /dev/sdb read 4096 4096\n", "trace").size(), 2U) << "equal ones";
  EXPECT_EQ(line_refused(log + "1000 /dev/sdb read 4096 4096\n"), 4);
  EXPECT_EQ(line_refused(log + "1000 /dev/sdb close\n"), 4);
  try {
    static_cast<void>(parse_block_trace(log + "1000 /dev/sdb read 4096 4096\n", "trace"));
  } catch (const ScenarioError& error) {
    EXPECT_STREQ(error.what(),
                 "trace:4:1: DB434: expected a time not before that of the line above, 5000 us, found \"1000\"");
  }
}

TEST(BlockTrace, EventsOfBlkParseAreSortedByTheirTimes) {
  const auto requests = parse_block_trace("8,0 3 1 0.2 697 Q R 8 + 8 [x]\n8,0 2 1 0.1 697 Q R 16 + 8 [x]\n", "trace");
  ASSERT_EQ(requests.size(), 2U) << "several CPUs write them";
  EXPECT_EQ(requests[0].offset, Bytes{16 * 512});
}

TEST(BlockTrace, OneFileOrDeviceOnly) {
  const std::string log = "fio version 2 iolog\n/dev/sda add\n/dev/sdb add\n/dev/sda read 0 4096\n";
  EXPECT_EQ(parse_block_trace(log, "trace").size(), 1U);
  EXPECT_EQ(line_refused(log + "/dev/sdb read 0 4096\n"), 5);
  EXPECT_EQ(line_refused("8,0 3 1 0.0 697 Q R 1 + 8 [x]\n8,16 3 1 0.1 697 Q R 1 + 8 [x]\n"), 2);
}

TEST(BlockTrace, RequestsLieWithinTheFiles) {
  const std::string log = "fio version 2 iolog\n/dev/sda read 4096 4096\n";
  EXPECT_EQ(parse_block_trace(log, "trace", Bytes{8192}).size(), 1U);
  EXPECT_THROW((void)parse_block_trace(log, "trace", Bytes{8191}), ScenarioError);
}

TEST(BlockTrace, RequestsAreOfWholeSectors) {
  const std::string log = "fio version 2 iolog\n/dev/sda read 512 1024\n";
  EXPECT_EQ(line_refused(log), 0);
  EXPECT_EQ(line_refused(log + "/dev/sda write 512 1000\n", ErrorCode::broken_sector), 3);
  EXPECT_EQ(line_refused(log + "/dev/sda read 100 512\n", ErrorCode::broken_sector), 3);
  EXPECT_EQ(line_refused(log + "/dev/sda trim 100 1\n"), 0) << "which moves no data";
}

TEST(BlockTrace, BlkParse) {
  const auto requests = parse_block_trace(
      "  8,0    3        1     0.000000000   697  G   R 223490 + 8 [kjournald]\n"
      "  8,0    3        2     0.000100000   697  Q   R 223490 + 8 [kjournald]\n"
      "  8,0    3        3     0.000200000   697  D   R 223490 + 8 [kjournald]\n"
      "  8,0    3        4     0.002100000   697  Q  WS 100 + 16 [kjournald]\n"
      "  8,0    3        5     0.002200000   697  Q FWS [kjournald]\n"
      "  8,0    3        6     0.002300000     0  C   R 223490 + 8 [0]\n"
      "CPU0 (8,0):\n"
      " Reads Queued:           1,        4KiB\t Writes Queued:           1,        8KiB\n",
      "trace");
  ASSERT_EQ(requests.size(), 2U);
  EXPECT_EQ(requests[0].offset, Bytes{223490LL * 512});
  EXPECT_EQ(requests[0].size, Bytes{4096});
  EXPECT_EQ(requests[1].when, Time{2ms});
  EXPECT_EQ(requests[1].operation, BlockOperation::write);
}

TEST(BlockTrace, BlkParseFirstSaysWhichFilesItReads) {
  const std::string files = "Input file sdb.blktrace.0 added\nInput file sdb.blktrace.1 added\n\n";
  const std::string event = "8,0 3 1 0.1 697 Q R 2048 + 8 [k]\n";
  EXPECT_EQ(parse_block_trace(files + event, "trace").size(), 1U);
  EXPECT_THROW(static_cast<void>(parse_block_trace("Input from a file\n" + event, "trace")), ScenarioError);
}

TEST(BlockTrace, OfBlkParseOnlyWhatCameInIsReplayed) {
  try {
    static_cast<void>(parse_block_trace("8,0 3 1 0.0 697 D R 2048 + 8 [k]\n8,0 3 1 0.1 697 C R 2048 + 8 [0]\n", "t"));
    FAIL() << "nothing was refused";
  } catch (const ScenarioError& error) {
    EXPECT_NE(std::string{error.what()}.find("expected events of action Q"), std::string::npos) << error.what();
  }
}

TEST(BlockTrace, ABlankLineMayComeBeforeTheHeader) {
  EXPECT_EQ(parse_block_trace("\nfio version 2 iolog\n/dev/sda read 0 4096\n", "trace").size(), 1U);
}

TEST(BlockTrace, TheLineThatIsNotOfTheFormatIsNamed) {
  EXPECT_EQ(line_refused("fio version 7 iolog\n"), 1);
  EXPECT_EQ(line_refused("fio version 2 iolog\n/dev/sda read 0\n"), 2);
  EXPECT_EQ(line_refused("fio version 2 iolog\n/dev/sda read 0 4096\n\n/dev/sda eat 0 4096\n"), 4);
  EXPECT_EQ(line_refused("fio version 2 iolog\n/dev/sda read -1 4096\n"), 2);
  EXPECT_EQ(line_refused("fio version 3 iolog\nsoon /dev/sda read 0 4096\n"), 2);
  EXPECT_EQ(line_refused("fio version 2 iolog\n/dev/sda add\n"), 1) << "no request";
  EXPECT_EQ(line_refused("fio version 2 iolog\n/dev/sda read 9223372036854775807 4096\n"), 2);
  EXPECT_EQ(line_refused("fio version 2 iolog\n/dev/sda wait 900000000000000\n/dev/sda read 0 4096\n"), 2);
  EXPECT_EQ(line_refused("8,0 3 1 1e300 697 Q R 1 + 8 [x]\n"), 1);
  EXPECT_EQ(line_refused(""), 1);
  EXPECT_EQ(line_refused("hello\n"), 1);
  EXPECT_EQ(line_refused("8,0 3 1 0.0 697 Q R 1 + 8 [x]\n8,0 3 1 nought 697 Q R 1 + 8 [x]\n"), 2);
}

}  // namespace
}  // namespace doorbell::scenario
