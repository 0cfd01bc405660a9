// Programs composed at random: each scenario is refused in one line, or its run gets somewhere.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "analytic/chance.hpp"
#include "analytic/scenario_bounds.hpp"
#include "models/run.hpp"
#include "scenario/load.hpp"

namespace doorbell::analytic {
namespace {

using Json = nlohmann::json;

/// Composes a client that keeps requests in flight, and a server that may answer them.
class Composer {
 public:
  explicit Composer(std::uint32_t seed) : chance_{seed} {}

  /// Whether the last one does what the closed form assumes: all kinds of operations share as in a first pass, and full
  /// batches are the cheapest. Several programs or steps, or arrivals of several kinds, do not wait for one another,
  /// and lists of one may go by MMIO.
  [[nodiscard]] bool proportional() const { return proportional_; }

  Json scenario() {
    accesses_ = remotely_ = acknowledges_ = touches_ = relays_ = false;
    proportional_ = true;
    const std::string transport = chance_.of<std::string>({"UD", "UC", "RC", "RC"});
    bool by_memory = false;
    Json client = asking("client", "server", transport, by_memory);
    Json server = {{"machine", "server"}, {"threads", chance_.of<int>({1, 2, 4})}};
    if (chance_.once_in(2)) answer(server, by_memory, transport == "RC");
    Json target = machine({1, 1, 2});
    Json machines = Json::object();
    if ((accesses_ && remotely_) || touches_) {
      target["software"] = std::string{DOORBELL_SOURCE_DIR} + "/scenarios/hardware/linux_3_13.json";
      target["remote_device"] = remote_device();
      machines["lender"] = machine({1, 2, 3});
    }
    if (accesses_ && !remotely_) {
      target["drives"] = {{"hardware", std::string{DOORBELL_SOURCE_DIR} + "/scenarios/hardware/pm9a3.json"},
                          {"count", chance_.of<int>({1, 4})}};
    }
    machines["client"] = machine({1, 2, 3});
    machines["server"] = std::move(target);
    Json programs = {{"client", std::move(client)}, {"server", std::move(server)}};
    if (relays_) {
      machines["store"] = machine({2, 3});
      programs["store"] = std::move(store_);
    }
    if (chance_.once_in(3)) {
      proportional_ = false;
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
      proportional_ = proportional_ && !first.contains("mix");
    }
    by_memory = first["verb"] == "WRITE" && !first.contains("immediate");
    if (transport == "RC" && chance_.once_in(3)) {
      Json next = {{"verb", chance_.of<std::string>({"READ", "FETCH_ADD"})}, {"payload", "8 B"}};
      if (chance_.once_in(2)) next["share"] = 0.4;
      first[chance_.once_in(2) || !first.contains("mix") ? "/then"_json_pointer : "/mix/0/then"_json_pointer] = {next};
    }
    Json loop = {{{"post", std::move(first)}}};
    if (!open && chance_.once_in(3)) {
      proportional_ = false;
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

  Json remote_device() {
    return {{"peers", "lender"},
            {"queue_pairs", chance_.of<int>({1, 4})},
            {"stripe", chance_.of<std::string>({"4 KiB", "1 MiB"})},
            {"batching", chance_.of<std::string>({"single", "doorbell", "merge", "hybrid"})},
            {"window", chance_.of<std::string>({"0 B", "4 KiB", "1 MiB"})},
            {"registration", chance_.of<std::string>({"copy", "map"})},
            {"completion",
             {{"mode", chance_.of<std::string>({"busy", "event", "event_batch", "adaptive", "timer"})},
              {"shared_queues", chance_.of<int>({0, 1})}}}};
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
                 {"method", batch == 1 && chance_.once_in(2) ? "mmio" : method(batch)},
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

  std::string method(int batch) {
    if (chance_.once_in(2)) return "doorbell";
    if (batch > 1) proportional_ = false;
    return "automatic";
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
    if (!by_memory && chance_.once_in(3)) server["completion"] = {{"shared_queues", chance_.of<int>({1, 1, 2})}};
    // Connected, one for each client machine.
    const int pairs = chance_.of<int>({1, 2}) + (transport == "UD" ? 0 : 2);
    server["queue_pairs"] = {{"answers", {{"transport", transport}, {"count", pairs}}}};
    Json loop = {
        {{"collect", {{"via", by_memory ? "memory" : "completion_queue"}, {"at_most", chance_.of<int>({1, 8, 32})}}}}};
    accesses_ = chance_.once_in(4);
    if (accesses_) {
      const std::string operation = chance_.of<std::string>({"read", "write", "carried"});
      if (operation != "read") proportional_ = false;
      Json step = {{"size", chance_.of<std::string>({"512 B", "4 KiB", "64 KiB"})},
                   {"at_most", chance_.of<int>({1, 8, 32})},
                   {"operation", operation},
                   {"per_command", "100 ns"}};
      remotely_ = chance_.once_in(2);
      if (remotely_) {
        step["device"] = "remote";
        step["order"] = chance_.of<std::string>({"random", "sequential"});
      }
      loop.push_back({{"access", std::move(step)}});
    }
    if (chance_.once_in(4)) {
      Json step = {{"per_item", "50 ns"}, {"mix", {{{"share", 0.1}, {"per_item", "2 us"}}}}};
      const bool keeps = chance_.once_in(2);
      if (keeps) step["keep"] = {{"carrying", chance_.of<std::string>({"9 B", "1 KiB"})}};
      if (keeps && chance_.once_in(2)) step["keep"]["per_item"] = "500 ns";
      acknowledges_ = keeps && (!step["keep"].contains("per_item") || chance_.once_in(2));
      loop.push_back({{"compute", std::move(step)}});
    }
    touches_ = chance_.once_in(6);
    if (touches_) {
      proportional_ = false;  // memory is not in its steady state at once
      server["memory"] = {{"resident", chance_.of<double>({0.1, 0.5, 1})},
                          {"readahead", chance_.of<int>({1, 8})},
                          {"reclaim", chance_.of<int>({1, 32})},
                          {"pages", {{"pages", 500}, {"dirty", chance_.of<double>({0, 0.5, 1})}}}};
      loop.push_back({{"touch", {{"per_item", chance_.of<int>({0, 1, 2})}, {"per_pass", chance_.of<int>({0, 1})}}}});
    }
    relays_ = chance_.once_in(3);
    if (relays_) {
      relay(server, loop);
      if (chance_.once_in(3)) relay(server, loop);
    }
    // Who waits for a datagram that found no RECV waits for ever.
    if (reliable && chance_.once_in(3)) loop.push_back({{"replenish", {{"queue_pairs", "answers"}}}});
    const int batch = chance_.of<int>({1, 8});
    Json step = {{"verb", transport == "UD" ? "SEND" : chance_.of<std::string>({"SEND", "WRITE"})},
                 {"method", method(batch)},
                 {"payload", "8 B"},
                 {"queue_pairs", "answers"},
                 {"destination", "origin"},
                 {"batch", batch}};
    if (acknowledges_) step["acknowledgement"] = chance_.of<std::string>({"1 B", "700 B"});
    loop.push_back({{"post", std::move(step)}});
    server["loop"] = std::move(loop);
  }

  /// To a program that serves one-sided operations, or that answers.
  void relay(Json& server, Json& loop) {
    const std::string transport = chance_.of<std::string>({"UD", "UC", "RC", "RC"});
    const std::string own = verb(transport);
    const bool carries = own == "SEND" || own == "WRITE";
    const int copies = chance_.of<int>({1, 1, 2});
    const int batch = chance_.of<int>({1, 4, 16});
    Json step = {{"verb", own},
                 {"payload", carries || own == "READ" ? "40 B" : "8 B"},
                 {"queue_pairs", "relays"},
                 {"to", "store"},
                 {"batch", batch},
                 {"method", method(batch)},
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
    const std::string back = chance_.of<std::string>({"UD", "RC"});
    store_["queue_pairs"] = {{"answers", {{"transport", back}, {"count", back == "UD" ? 1 : 5}}}};
    const int list = chance_.of<int>({1, 8});
    store_["loop"] = {{{"collect", {{"via", own == "WRITE" ? "memory" : "completion_queue"}, {"at_most", 16}}}},
                      {{"post",
                        {{"verb", "SEND"},
                         {"payload", "8 B"},
                         {"queue_pairs", "answers"},
                         {"destination", "origin"},
                         {"method", method(list)},
                         {"batch", list}}}}};
  }

  testing::Chance chance_;
  bool accesses_ = false;      ///< The server its drives,
  bool remotely_ = false;      ///< or its device on remote memory.
  bool acknowledges_ = false;  ///< What clients send it and it keeps.
  bool touches_ = false;       ///< Its memory.
  bool proportional_ = true;
  bool relays_ = false;  ///< The server, to this program:
  Json store_;
};

/// It runs no faster than its closed form says.
void expect_below_bound(model::Scenario scenario, const model::RunResult& brief) {
  const Bounds bounds = scenario_bounds(scenario);
  const auto highest = [&](const model::RunResult& run) {
    return bounds.throughput.per_second * 1.05 + run.throughput_ci95.per_second;
  };
  if (bounds.throughput == Rate{} || brief.throughput.per_second <= highest(brief)) return;
  // While buffers fill, senders are ahead of it.
  scenario.measure.warmup = std::chrono::milliseconds{4};
  scenario.measure.duration = std::chrono::milliseconds{4};
  const model::RunResult run = model::run(scenario);
  EXPECT_LE(run.throughput.per_second, highest(run)) << bounds.bottleneck;
}

TEST(CompositionFuzz, EveryProgramIsRefusedOrGetsSomewhere) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("doorbell-composition-" + std::to_string(::getpid()) + ".json");
  Composer composer{1999};
  const int runs = doorbell::testing::number_of("DOORBELL_FUZZ_RUNS", 2000) / 4;
  int ran = 0;
  for (int i = 0; i < runs && !::testing::Test::HasFailure(); ++i) {
    const std::string text = composer.scenario().dump();
    SCOPED_TRACE(text);
    std::ofstream{file} << text;
    try {
      model::Scenario scenario = scenario::load(file, {}).front().scenario;
      model::RunResult result = model::run(scenario);
      if (result.throughput == Rate{}) {
        // A thousand requests that are all relayed before the first is answered take their time, and pollers that
        // share cores take turns in slices of milliseconds.
        scenario.measure.duration = std::chrono::milliseconds{50};
        result = model::run(scenario);
      }
      EXPECT_GT(result.throughput.per_second, 0);
      if (composer.proportional()) expect_below_bound(scenario, result);
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
