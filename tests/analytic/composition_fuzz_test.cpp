// Programs composed at random: each scenario is refused in one line, or its run gets somewhere.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "analytic/chance.hpp"
#include "models/run.hpp"
#include "scenario/load.hpp"

namespace doorbell::analytic {
namespace {

using Json = nlohmann::json;

/// Composes a client that keeps requests in flight, and a server that may answer them.
class Composer {
 public:
  explicit Composer(std::uint32_t seed) : chance_{seed} {}

  Json scenario() {
    accesses_ = relays_ = false;
    const std::string transport = chance_.of<std::string>({"UD", "UC", "RC", "RC"});
    bool by_memory = false;
    Json client = asking("client", "server", transport, by_memory);
    Json server = {{"machine", "server"}, {"threads", chance_.of<int>({1, 2, 4})}};
    if (chance_.once_in(2)) answer(server, by_memory, transport == "RC");
    Json target = machine({1, 1, 2});
    if (accesses_) {
      target["drives"] = {{"hardware", std::string{DOORBELL_SOURCE_DIR} + "/scenarios/hardware/pm9a3.json"},
                          {"count", chance_.of<int>({1, 4})}};
    }
    Json machines = {{"client", machine({1, 2, 3})}, {"server", std::move(target)}};
    Json programs = {{"client", std::move(client)}, {"server", std::move(server)}};
    if (relays_) {
      machines["store"] = machine({2, 3});
      programs["store"] = std::move(store_);
    }
    if (chance_.once_in(3)) {
      bool other_by_memory = false;
      programs[chance_.of<std::string>({"another", "other"})] =
          asking(chance_.of<std::string>({"client", "server"}),
                 chance_.of<std::string>({"server", relays_ ? "store" : "client"}),
                 chance_.once_in(2) ? transport : "RC", other_by_memory);
    }
    return {{"machines", std::move(machines)},
            {"programs", std::move(programs)},
            {"measure", {{"program", "client"}, {"warmup", "100 us"}, {"duration", "300 us"}}}};
  }

 private:
  /// Keeps requests to a program in flight, or lets them arrive.
  Json asking(const std::string& machine, const std::string& to, const std::string& transport, bool& by_memory) {
    Json first = post(transport, to);
    const bool open = chance_.once_in(6);
    if (open) {
      first["arrivals"] = {{"rate", chance_.of<std::string>({"100 k/s", "500 k/s", "5 M/s"})},
                           {"process", chance_.of<std::string>({"poisson", "constant"})}};
      if (chance_.once_in(2)) first["window"] = 0;
    }
    by_memory = first["verb"] == "WRITE" && !first.contains("immediate");
    Json loop = {{{"post", std::move(first)}}};
    if (!open && chance_.once_in(3)) {
      const std::string second = relays_ ? chance_.of<std::string>({"server", "store"}) : to;
      loop.push_back({{"post", post(transport, second)}});
    }
    loop.push_back({{"await", {{"at_least", open ? 1 : chance_.below(2)}}}});
    if (chance_.once_in(4)) loop.push_back({{"compute", {{"per_item", "20 ns"}}}});
    Json pairs = {
        {"transport", transport}, {"count", chance_.of<int>({1, 1, 2, 5})}, {"depth", chance_.of<int>({16, 128, 512})}};
    if (chance_.once_in(3)) pairs["ports"] = "all";
    return {{"machine", machine},
            {"threads", chance_.of<int>({1, 2, 4})},
            {"queue_pairs", {{"pairs", std::move(pairs)}}},
            {"loop", std::move(loop)}};
  }

  Json machine(const std::vector<int>& counts) {
    const std::string name = chance_.of<std::string>({"cib", "cx3", "cx"});
    return {{"hardware", std::string{DOORBELL_SOURCE_DIR} + "/scenarios/hardware/" + name + ".json"},
            {"count", chance_.of(counts)}};
  }

  std::string verb(const std::string& transport) {
    if (transport == "UD") return "SEND";
    if (transport == "UC") return chance_.of<std::string>({"SEND", "WRITE"});
    return chance_.of<std::string>({"SEND", "WRITE", "READ", "FETCH_ADD", "COMPARE_SWAP"});
  }

  Json post(const std::string& transport, const std::string& to) {
    const std::string own = verb(transport);
    const bool sends = own == "SEND" || own == "WRITE";
    const int batch = chance_.of<int>({1, 1, 4, 16});
    Json step = {{"verb", own},
                 {"payload", sends || own == "READ" ? std::to_string(chance_.of<int>({8, 16, 60, 1000, 20000})) + " B"
                                                    : std::string{"8 B"}},
                 {"queue_pairs", "pairs"},
                 {"to", to},
                 {"batch", batch},
                 {"window", chance_.of<int>({1, 4, 32, 100})},
                 {"method", batch == 1 && chance_.once_in(2) ? "mmio"
                            : chance_.once_in(2)             ? "doorbell"
                                                             : "automatic"},
                 {"signal_every", chance_.of<int>({1, 1, 4, 16, 64})},
                 {"destination", chance_.of<std::string>({"fixed", "random", "round_robin"})}};
    if (sends && chance_.once_in(3)) step["immediate"] = true;
    if (!sends || chance_.once_in(3)) step["inline"] = false;
    if (own != "SEND") step["region"] = region();
    if (!chance_.once_in(3)) return step;
    Json other = {{"share", chance_.of<double>({0.05, 0.5, 0.95})}, {"verb", verb(transport)}, {"payload", "8 B"}};
    if (other["verb"] != "SEND") other["region"] = region();
    step["mix"] = {std::move(other)};
    return step;
  }

  Json region() {
    Json made = {{"count", chance_.of<int>({1, 16, 512, 100000})},
                 {"stride", chance_.of<std::string>({"8 B", "64 B", "4096 B"})},
                 {"pattern", chance_.of<std::string>({"sequential", "random"})}};
    if (made["pattern"] == "random" && chance_.once_in(3)) made["skew"] = chance_.of<double>({0.5, 0.99, 1, 2});
    return made;
  }

  void answer(Json& server, bool by_memory, bool reliable) {
    const std::string transport = chance_.of<std::string>({"UD", "UC", "RC"});
    server["queue_pairs"] = {{"answers", {{"transport", transport}, {"count", chance_.of<int>({1, 2})}}}};
    Json loop = {
        {{"collect", {{"via", by_memory ? "memory" : "completion_queue"}, {"at_most", chance_.of<int>({1, 8, 32})}}}}};
    accesses_ = chance_.once_in(4);
    if (accesses_) {
      loop.push_back({{"access",
                       {{"size", chance_.of<std::string>({"512 B", "4 KiB", "64 KiB"})},
                        {"at_most", chance_.of<int>({1, 8, 32})},
                        {"operation", chance_.of<std::string>({"read", "write", "carried"})},
                        {"per_command", "100 ns"}}}});
    }
    relays_ = chance_.once_in(3);
    if (relays_) {
      relay(server, loop);
      if (chance_.once_in(3)) relay(server, loop);
    }
    // Who waits for a datagram that found no RECV waits for ever.
    if (reliable && chance_.once_in(3)) loop.push_back({{"replenish", {{"queue_pairs", "answers"}}}});
    loop.push_back({{"post",
                     {{"verb", transport == "UD" ? "SEND" : chance_.of<std::string>({"SEND", "WRITE"})},
                      {"payload", "8 B"},
                      {"queue_pairs", "answers"},
                      {"destination", "origin"},
                      {"batch", chance_.of<int>({1, 8})}}}});
    server["loop"] = std::move(loop);
  }

  /// To a program that serves one-sided operations, or that answers.
  void relay(Json& server, Json& loop) {
    const std::string transport = chance_.of<std::string>({"UD", "UC", "RC", "RC"});
    const std::string own = verb(transport);
    const bool carries = own == "SEND" || own == "WRITE";
    const int copies = chance_.of<int>({1, 1, 2});
    Json step = {{"verb", own},
                 {"payload", carries || own == "READ" ? "40 B" : "8 B"},
                 {"queue_pairs", "relays"},
                 {"to", "store"},
                 {"batch", chance_.of<int>({1, 4, 16})},
                 {"signal_every", chance_.of<int>({1, 4, 16})},
                 {"destination", chance_.of<std::string>({"fixed", "random", "round_robin"})},
                 {"relay",
                  {{"copies", copies},
                   {"at_least", chance_.of<int>({0, 0, 1})},
                   {"carrying", chance_.of<std::string>({"0 B", "0 B", "60 B"})}}}};
    if (own != "SEND" && chance_.once_in(2)) step["region"] = region();
    server["queue_pairs"]["relays"] = {
        {"transport", transport}, {"count", chance_.of<int>({3, 6})}, {"depth", chance_.of<int>({16, 128})}};
    loop.push_back({{"post", std::move(step)}});
    store_ = {{"machine", "store"}, {"threads", chance_.of<int>({1, 2})}};
    if (!carries || chance_.once_in(2)) return;
    store_["queue_pairs"] = {{"answers", {{"transport", chance_.of<std::string>({"UD", "RC"})}}}};
    store_["loop"] = {{{"collect", {{"via", own == "WRITE" ? "memory" : "completion_queue"}, {"at_most", 16}}}},
                      {{"post",
                        {{"verb", "SEND"},
                         {"payload", "8 B"},
                         {"queue_pairs", "answers"},
                         {"destination", "origin"},
                         {"batch", chance_.of<int>({1, 8})}}}}};
  }

  testing::Chance chance_;
  bool accesses_ = false;  ///< The server's drives.
  bool relays_ = false;    ///< The server, to this program:
  Json store_;
};

TEST(CompositionFuzz, EveryProgramIsRefusedOrGetsSomewhere) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("doorbell-composition-" + std::to_string(::getpid()) + ".json");
  Composer composer{1999};
  const int runs = testing::number_of("DOORBELL_FUZZ_RUNS", 2000) / 4;
  int ran = 0;
  for (int i = 0; i < runs && !::testing::Test::HasFailure(); ++i) {
    const std::string text = composer.scenario().dump();
    SCOPED_TRACE(text);
    std::ofstream{file} << text;
    try {
      model::Scenario scenario = scenario::load(file, {}).front().scenario;
      model::RunResult result = model::run(scenario);
      if (result.throughput == Rate{}) {
        // A thousand requests that are all relayed before the first is answered take their time.
        scenario.measure.duration = std::chrono::milliseconds{5};
        result = model::run(scenario);
      }
      EXPECT_GT(result.throughput.per_second, 0);
      EXPECT_LE(result.latency.p50, result.latency.p99);
      for (const model::Utilisation& used : result.utilisations) {
        EXPECT_GE(used.busy, 0) << used.resource;
        EXPECT_LE(used.busy, 1.0001) << used.resource;
      }
      ++ran;
    } catch (const scenario::ScenarioError& error) {
      EXPECT_EQ(std::string{error.what()}.find('\n'), std::string::npos) << error.what();
    }
  }
  std::filesystem::remove(file);
  EXPECT_GT(ran, runs / 8);
}

}  // namespace
}  // namespace doorbell::analytic
