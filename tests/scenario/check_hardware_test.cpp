// Profiles of machines that could not be built.
#include <gmock/gmock.h>

#include "bad_input.hpp"

namespace doorbell::scenario::testing {
namespace {

using enum ErrorCode;

class ImpossibleHardware : public Variants {};

TEST_F(ImpossibleHardware, ADoorbellFitsIntoALine) {
  const std::string mmio = "machines.server.hardware.mmio.";
  const auto with_doorbell = [&](const char* size) -> LoadOptions {
    return {.sets = {mmio + "line=16 B", mmio + "doorbell=" + size}, .seed = {}};
  };
  EXPECT_NO_THROW((void)load(file(good_scenario), with_doorbell("16 B")));
  const ScenarioError error = complaint_of(file(good_scenario), with_doorbell("17 B"));
  EXPECT_EQ(error.code(), impossible_hardware);
  EXPECT_EQ(error.pointer(), "/machines/server/hardware/mmio/doorbell");
  EXPECT_THAT(error.what(), ::testing::HasSubstr("at most one line (16 B), found 17 B"));
}

/// A parameter of the server that contradicts others of its profile.
BadInput bad_hardware(const std::string& name, const std::string& part, const std::string& member,
                      const std::string& value, const std::string& says) {
  return {name,
          R"("batch": 32)",
          R"("batch": 32)",
          impossible_hardware,
          "/machines/server/hardware/" + part + "/" + member,
          says,
          {"machines.server.hardware." + part + "." + member + "=" + value}};
}

class BadHardware : public BadInputs {};

TEST_P(BadHardware, IsRefusedAtItsPlace) { expect_complaint(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Parameters, BadHardware,
    ::testing::Values(bad_hardware("OddPayload", "pcie", "max_payload", "\"384 B\"", "a power of two"),
                      bad_hardware("OddReadRequest", "pcie", "max_read_request", "\"1000 B\"", "a power of two"),
                      bad_hardware("OddBoundary", "pcie", "read_completion_boundary", "\"96 B\"", "64 B or 128 B"),
                      bad_hardware("LargeBoundary", "pcie", "read_completion_boundary", "\"4 KiB\"", "64 B or 128 B"),
                      bad_hardware("OddMtu", "port", "mtu", "\"1500 B\"", "256, 512, 1024, 2048 or 4096 B"),
                      bad_hardware("LargeMtu", "port", "mtu", "\"8 KiB\"", "or 4096 B, found 8192 B"),
                      bad_hardware("RisingClock", "cpu", "turbo", R"(["3 GHz", "2 GHz", "2.5 GHz"])",
                                   "clocks that do not rise with the number of active cores, found 2 G/s and then "
                                   "2.5 G/s"),
                      bad_hardware("OddLanes", "pcie", "lanes", "3", "1, 2, 4, 8, 12, 16 or 32"),
                      bad_hardware("OddLine", "mmio", "line", "\"48 B\"", "a power of two"),
                      BadInput{"BufferBelowAPacket",
                               R"("batch": 32)",
                               R"("batch": 32)",
                               impossible_hardware,
                               "/machines/server/hardware/port/receive_buffer",
                               "at least one packet of the mtu, 1024 B, found 1000 B",
                               {"machines.server.hardware.port.mtu=\"1 KiB\"",
                                "machines.server.hardware.port.receive_buffer=\"1000 B\""}},
                      bad_hardware("NoClock", "cpu", "turbo", "[]", "the clock with one active core"),
                      bad_hardware("ThreadsFasterThanCores", "cpu", "smt_gain", "2.5", "at most 1")),
    name_of);

}  // namespace
}  // namespace doorbell::scenario::testing
