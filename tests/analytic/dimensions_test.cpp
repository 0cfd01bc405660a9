// When all times of a scenario become k times as long, and all rates a k-th, everything in a run and in its closed form
// takes k times as long. Otherwise a model has a time or a rate of its own that no file can change.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "analytic/scenario_bounds.hpp"
#include "models/run.hpp"
#include "scenario/error.hpp"
#include "scenario/explain.hpp"
#include "scenario/load.hpp"

namespace doorbell::analytic {
namespace {

constexpr double slower = 8;
using Sets = std::vector<std::string>;

bool is_time(std::string_view unit) {
  return unit == "ps" || unit == "ns" || unit == "us" || unit == "ms" || unit == "s";
}
bool is_rate(std::string_view unit) { return unit.ends_with("/s") || unit.ends_with("Hz"); }

bool is_text(const std::string& value) { return value.find_first_of("0123456789[") != 0; }

/// A quantity or a list of them in a slower world: "10 ns" is "80 ns", and "8 GB/s" is "1 GB/s".
std::string slowed(const std::string& value) {
  std::string result;
  std::size_t begin = 0;
  while (begin < value.size()) {
    if (std::isdigit(static_cast<unsigned char>(value[begin])) == 0) {
      result += value[begin++];
      continue;
    }
    char* end = nullptr;
    const double number = std::strtod(value.c_str() + begin, &end);
    const auto after = static_cast<std::size_t>(end - value.c_str());
    const std::size_t unit = std::min(value.find_first_not_of(' ', after), value.size());
    const std::size_t past = std::min(value.find('"', unit), value.size());
    const std::string_view name = std::string_view{value}.substr(unit, past - unit);
    if (is_time(name)) {
      result += std::to_string(number * slower) + " " + std::string{name};
    } else if (is_rate(name)) {
      result += std::to_string(number / slower) + " " + std::string{name};
    } else {
      result += value.substr(begin, past - begin);
    }
    begin = past;
  }
  return result;
}

/// The first point with everything slower. What the scenario does not use must stay as it is.
model::Scenario slowed_scenario(const std::string& file, Sets sets) {
  for (const scenario::Parameter& parameter : scenario::explain(file, {.sets = sets, .seed = {}})) {
    if (is_text(parameter.value)) continue;
    const std::string value = slowed(parameter.value);
    if (value != parameter.value) sets.push_back(parameter.pointer + "=" + value);
  }
  for (;;) {
    try {
      return scenario::load(file, {.sets = sets, .seed = {}}).front().scenario;
    } catch (const scenario::ScenarioError& error) {
      if (error.code() != scenario::ErrorCode::without_effect) throw;
      const std::string unused = error.pointer() + "=";
      if (std::erase_if(sets, [&](const std::string& set) { return set.starts_with(unused); }) == 0) throw;
    }
  }
}

void expect_to_scale(const std::string& name, const Sets& sets) {
  const std::string file = std::string{DOORBELL_SOURCE_DIR} + "/scenarios/" + name;
  const model::Scenario usual = scenario::load(file, {.sets = sets, .seed = {}}).front().scenario;
  const model::Scenario slower_one = slowed_scenario(file, sets);

  const Bounds bounds = scenario_bounds(usual);
  const Bounds slow_bounds = scenario_bounds(slower_one);
  const double bound = bounds.throughput.per_second;
  ASSERT_GT(bound, 0) << name;
  EXPECT_NEAR(slow_bounds.throughput.per_second * slower, bound, bound * 1e-3) << name;
  const double alone = to_seconds(bounds.unloaded_latency);
  EXPECT_NEAR(to_seconds(slow_bounds.unloaded_latency) / slower, alone, alone * 1e-3) << name;

  const model::RunResult run = model::run(usual);
  const model::RunResult slow_run = model::run(slower_one);
  const double rate = run.throughput.per_second;
  const double interval = run.throughput_ci95.per_second + slow_run.throughput_ci95.per_second * slower;
  ASSERT_LT(interval, 0.1 * rate) << name;
  EXPECT_NEAR(slow_run.throughput.per_second * slower, rate, interval + rate * 1e-3) << name;
  const double latency = to_seconds(run.latency.mean);
  EXPECT_NEAR(to_seconds(slow_run.latency.mean) / slower, latency, latency * (interval / rate + 5e-3)) << name;
  EXPECT_EQ(slow_run.bottleneck.resource, run.bottleneck.resource) << name;
}

TEST(Dimensions, OfPrograms) {
  expect_to_scale("kalia16/pilaf_cx3.json", {"sweep=[]", "/measure/duration=2 ms"});
  for (const char* mode : {"event", "adaptive", "timer"}) {
    expect_to_scale("today/rpc_server.json",
                    {"sweep=[]", std::string{"/programs/server/completion/mode="} + mode,
                     "/programs/client/loop/0/post/arrivals/rate=30 k/s", "/measure/duration=4 ms"});
  }
}
TEST(Dimensions, OfDmaDevices) {
  expect_to_scale("pciebench/latency.json", {"sweep=[]"});
  expect_to_scale("hostnet/nic.json", {"sweep=[]"});
}
TEST(Dimensions, OfRemoteMemory) { expect_to_scale("rdmabox/fig05_event.json", {}); }
TEST(Dimensions, OfStorageAndTransfers) {
  expect_to_scale("gmblock/mbl_ram_2_b.json", {"sweep=[]"});
  expect_to_scale("today/nvme_memory.json", {"sweep=[]"});
}

}  // namespace
}  // namespace doorbell::analytic
