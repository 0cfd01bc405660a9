// What a trace draws is what the statistics say.
#include "models/common/tracing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "models/fixture.hpp"
#include "models/run.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;

struct Span {
  double begin = 0;  // us
  double end = 0;
};

/// What stands behind `key` in a record, up to the next comma, brace or quotation mark.
std::string value_of(const std::string& record, const std::string& key) {
  const std::size_t at = record.find("\"" + key + "\":");
  if (at == std::string::npos) return "";
  std::size_t begin = at + key.size() + 3;
  if (record[begin] == '"') ++begin;
  return record.substr(begin, record.find_first_of(",}\"", begin) - begin);
}

/// The spans of every track, under "MACHINE: TRACK".
std::map<std::string, std::vector<Span>> spans_of(const std::string& trace) {
  std::map<std::string, std::string> machines;
  std::map<std::string, std::string> tracks;
  std::map<std::string, std::vector<Span>> spans;
  std::istringstream lines{trace};
  for (std::string record; std::getline(lines, record);) {
    const std::string name = value_of(record, "name");
    const std::string title =
        value_of(record, "args").empty() ? "" : value_of(record.substr(record.find("args")), "name");
    if (name == "process_name") machines[value_of(record, "pid")] = title;
    if (name == "thread_name") tracks[value_of(record, "tid")] = title;
    if (value_of(record, "ph") != "X") continue;
    const double begin = std::stod(value_of(record, "ts"));
    spans[machines.at(value_of(record, "pid")) + ": " + tracks.at(value_of(record, "tid"))].push_back(
        {begin, begin + std::stod(value_of(record, "dur"))});
  }
  return spans;
}

double busy_of(const RunResult& result, const std::string& resource) {
  const auto found = std::find_if(result.utilisations.begin(), result.utilisations.end(),
                                  [&](const Utilisation& use) { return use.resource == resource; });
  return found == result.utilisations.end() ? -1 : found->busy;
}

/// Share of [from, until), in us, that spans cover.
double covered(const std::vector<Span>& spans, double from, double until) {
  double sum = 0;
  for (const Span& span : spans) sum += std::max(0.0, std::min(span.end, until) - std::max(span.begin, from));
  return sum / (until - from);
}

struct Traced {
  RunResult result;
  std::map<std::string, std::vector<Span>> spans;
};

Traced traced(const Scenario& scenario, std::optional<Time> length) {
  std::ostringstream out;
  Traced traced;
  {
    core::TraceWriter writer{out};
    const Tracing tracing{writer, length};
    traced.result = run(scenario, &tracing);
  }
  traced.spans = spans_of(out.str());
  return traced;
}

/// One client reads by doorbell, so that all directions, pipelines and units have something to do.
Scenario reading() {
  return scenario_of(connect_ib(),
                     program(queue_pairs(Transport::rc), {post_window(Verb::read, 64, 8, 4), await(4)}, 1), sink());
}

TEST(Tracing, SpansAddUpToTheUtilisationsOfTheResult) {
  const Traced run = traced(reading(), 100us);
  const auto expect_equal = [&](const std::string& track, const std::string& resource) {
    ASSERT_TRUE(run.spans.contains(track)) << track;
    EXPECT_GT(busy_of(run.result, resource), 0) << resource;
    // A span that straddles the beginning of the measurement is not drawn.
    EXPECT_NEAR(covered(run.spans.at(track), 20, 120), busy_of(run.result, resource), 0.005) << track;
  };
  expect_equal("client: PCIe downstream", "client/PCIe downstream");
  expect_equal("client: PCIe upstream", "client/PCIe upstream");
  expect_equal("server: PCIe upstream", "server/PCIe upstream");
  expect_equal("server: NIC receive pipeline", "server/NIC receive pipeline");
  expect_equal("client: NIC transmit pipeline", "client/NIC transmit pipeline");
  expect_equal("client: core 0: client", "client/cores of client");
}

TEST(Tracing, SpansOfOneTrackDoNotOverlap) {
  for (const auto& [track, spans] : traced(reading(), 100us).spans) {
    for (std::size_t i = 1; i < spans.size(); ++i) {
      EXPECT_GE(spans[i].begin, spans[i - 1].end - 1e-6) << track << ", span " << i;
    }
  }
}

TEST(Tracing, CoversATwentiethOfTheMeasuredTimeUnlessToldOtherwise) {
  const auto last_begin = [](const Traced& run) {
    double last = 0;
    for (const auto& [track, spans] : run.spans) last = std::max(last, spans.back().begin);
    return last;
  };
  const double by_default = last_begin(traced(reading(), {}));
  EXPECT_LT(by_default, 25);
  EXPECT_GT(by_default, 24);
  EXPECT_LT(last_begin(traced(reading(), 1us)), 21);
}

TEST(Tracing, ChangesNothing) {
  const Scenario scenario = reading();
  const RunResult plain = run(scenario);
  const RunResult with_trace = traced(scenario, 100us).result;
  EXPECT_EQ(plain.throughput, with_trace.throughput);
  EXPECT_EQ(plain.events, with_trace.events);
  EXPECT_EQ(plain.latency.mean, with_trace.latency.mean);
}

}  // namespace
}  // namespace doorbell::model
