// A test of perftest as a scenario: the same workload on machines whose profiles are known.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/quantity.hpp"
#include "tools/perftest.hpp"

namespace doorbell::tools {

/// Hardware profiles as the scenario names them: paths, relative to where it will be.
struct TestMachines {
  std::string client;
  std::string server;
};

/// The path of the payload in scenario_of(): the x axis.
inline constexpr const char* payload_path = "/programs/client/loop/0/post/payload";
/// The same of the answers of a ping-pong test.
inline constexpr const char* answer_payload_path = "/programs/server/loop/1/post/payload";

/// "RC WRITE, 4 queue pairs of 128": tells setups apart, for people.
[[nodiscard]] std::string name_of(const PerftestSetup& setup);

/// Whether the tool prints half of the time that the client waits: SEND and WRITE are answered in kind.
[[nodiscard]] bool is_ping_pong(const PerftestSetup& setup);

/// The scenario of a test with a point per size. Bandwidth tests keep `depth` operations under way on each queue pair,
/// post them in lists from one thread and poll for whatever completes; latency tests post one and wait for it or, for
/// SEND and WRITE, for the server's answer of the same size. Each point is measured for some hundreds of operations.
[[nodiscard]] nlohmann::ordered_json scenario_of(const PerftestSetup& setup, const std::vector<Bytes>& sizes,
                                                 const TestMachines& machines);

}  // namespace doorbell::tools
