#include "tools/perftest_scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "models/common/describe.hpp"
#include "tools/json_text.hpp"

namespace doorbell::tools {
namespace {

using model::carries_payload;
using model::Transport;
using model::Verb;
using nlohmann::ordered_json;

std::string text(Bytes bytes) { return fmt::format("{} B", bytes.count); }

std::string text(double seconds) { return fmt::format("{:.0f} us", std::ceil(seconds * 1e6)); }

/// That a scenario takes, in seconds.
constexpr double longest_warmup = 10;
constexpr double longest_duration = 100;

ordered_json post(const PerftestSetup& setup, Bytes size) {
  const bool inlined = carries_payload(setup.verb) && size <= setup.max_inline;
  ordered_json step{{"verb", word_of(setup.verb)}, {"payload", text(size)}};
  if (carries_payload(setup.verb)) step["inline"] = inlined;
  step["batch"] = setup.post_list;
  if (setup.doorbells && !inlined) step["method"] = "doorbell";
  step["queue_pairs"] = "queue pairs";
  step["signal_every"] = setup.signal_every;
  if (setup.signal_every > 1) step["poll"] = word_of(model::PollCqes::when_awaited);
  return step;
}

ordered_json queue_pairs(const PerftestSetup& setup) {
  const int depth = setup.depth + room_beside_depth(setup);
  return {{"queue pairs",
           {{"transport", word_of(setup.transport)},
            {"count", setup.queue_pairs},
            {"depth", depth},
            {"max_inline", text(setup.max_inline)}}}};
}

/// How long some hundreds of operations take, counted generously; short ones are measured for at least 2 ms.
std::string duration(const PerftestSetup& setup, Bytes size) {
  constexpr double slow = 2e9;  // bytes per second
  const double operations = setup.latency ? 300 : 600;
  const double seconds = operations * (setup.latency ? 10e-6 + 2 * static_cast<double>(size.count) / slow
                                                     : static_cast<double>(size.count) / slow);
  return text(std::clamp(seconds, 2e-3, longest_duration));
}

/// Until what is under way has gone through once.
std::string warmup(const PerftestSetup& setup, Bytes size) {
  constexpr double usual = 5e9;  // bytes per second
  const double under_way = static_cast<double>(setup.depth) * setup.queue_pairs * static_cast<double>(size.count);
  return text(std::clamp(under_way / usual, 200e-6, longest_warmup));
}

}  // namespace

std::string name_of(const PerftestSetup& setup) {
  std::string name = fmt::format("{} {}{}", word_of(setup.transport), word_of(setup.verb),
                                 setup.means     ? " mean latency"
                                 : setup.latency ? " latency"
                                                 : "");
  if (!setup.latency || setup.queue_pairs > 1) {
    name += fmt::format(", {} queue pair{} of {}", setup.queue_pairs, setup.queue_pairs == 1 ? "" : "s", setup.depth);
  }
  if (setup.post_list > 1) name += fmt::format(", lists of {}", setup.post_list);
  if (setup.signal_every > 1) name += fmt::format(", 1 in {} signaled", setup.signal_every);
  if (setup.max_inline > Bytes{0}) name += fmt::format(", inline to {} B", setup.max_inline.count);
  if (setup.doorbells) name += ", doorbells";
  return name;
}

bool is_ping_pong(const PerftestSetup& setup) { return setup.latency && carries_payload(setup.verb); }

ordered_json scenario_of(const PerftestSetup& setup, const std::vector<Bytes>& sizes, const TestMachines& machines) {
  ordered_json request = post(setup, sizes.front());
  request["window"] = setup.latency ? 1 : setup.depth * setup.queue_pairs;
  request["to"] = "server";
  const int awaited = setup.latency ? 0 : 1;
  ordered_json client{{"machine", "client"},
                      {"queue_pairs", queue_pairs(setup)},
                      {"loop", {{{"post", request}}, {{"await", {{"at_least", awaited}}}}}}};
  ordered_json server{{"machine", "server"}};
  if (is_ping_pong(setup)) {
    ordered_json answer = post(setup, sizes.front());
    answer["destination"] = "origin";
    server["queue_pairs"] = queue_pairs(setup);
    const char* via = setup.verb == Verb::write ? "memory" : "completion_queue";
    server["loop"] = {{{"collect", {{"via", via}, {"at_most", 1}}}}, {{"post", answer}}};
  }

  // What else depends on the size changes with it.
  const bool method_varies = setup.doorbells && carries_payload(setup.verb) && setup.max_inline > Bytes{0};
  ordered_json paths{payload_path, "/measure/warmup", "/measure/duration"};
  const auto add_paths = [&](const std::string& step) {
    if (carries_payload(setup.verb)) paths.push_back(step + "inline");
    if (method_varies) paths.push_back(step + "method");
  };
  add_paths("/programs/client/loop/0/post/");
  if (is_ping_pong(setup)) {
    paths.push_back(answer_payload_path);
    add_paths("/programs/server/loop/1/post/");
  }
  ordered_json rows = ordered_json::array();
  for (const Bytes size : sizes) {
    ordered_json row{text(size), warmup(setup, size), duration(setup, size)};
    const bool inlined = size <= setup.max_inline;
    const auto add_values = [&] {
      if (carries_payload(setup.verb)) row.push_back(inlined);
      if (method_varies) row.push_back(word_of(inlined ? model::PostMethod::automatic : model::PostMethod::doorbell));
    };
    add_values();
    if (is_ping_pong(setup)) {
      row.push_back(text(size));
      add_values();
    }
    rows.push_back(row);
  }
  return {{"title", "perftest: " + name_of(setup)},
          {"machines", {{"client", {{"hardware", machines.client}}}, {"server", {{"hardware", machines.server}}}}},
          {"programs", {{"client", client}, {"server", server}}},
          {"measure",
           {{"program", "client"},
            {"warmup", warmup(setup, sizes.front())},
            {"duration", duration(setup, sizes.front())},
            {"relative_ci", 0.005}}},
          {"sweep", ordered_json::array({{{"paths", paths}, {"values", rows}}})}};
}

}  // namespace doorbell::tools
