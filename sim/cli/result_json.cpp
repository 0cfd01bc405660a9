#include "cli/result_json.hpp"

#include <nlohmann/json.hpp>

namespace doorbell::cli {
namespace {

using Json = nlohmann::ordered_json;

Json point_json(const scenario::Point& point, const model::RunResult& result) {
  Json coordinates = Json::object();
  for (const auto& [path, value] : point.coordinates) coordinates[path] = value;
  Json kinds = Json::array();
  for (const model::KindSummary& kind : result.kinds) {
    kinds.push_back({{"kind", kind.kind},
                     {"throughput_mops", kind.throughput.millions()},
                     {"latency_ns", latency_json(kind.latency)}});
  }
  Json utilisations = Json::array();
  for (const model::Utilisation& used : result.utilisations) {
    utilisations.push_back({{"resource", used.resource}, {"busy", used.busy}});
  }
  Json counters = Json::array();
  for (const model::CounterReading& counter : result.counters) {
    counters.push_back({{"name", counter.name}, {"count", counter.count}, {"per_second", counter.rate.per_second}});
  }
  Json programs = Json::array();
  for (const model::ProgramSummary& done : result.programs) {
    programs.push_back({{"program", done.program},
                        {"work_requests_per_second", done.work_requests.per_second},
                        {"payload_bytes_per_second", done.payload.bytes_per_second},
                        {"mean_batch", done.mean_batch}});
  }
  Json levels = Json::array();
  for (const model::Level& level : result.levels) levels.push_back({{"name", level.name}, {"value", level.value}});
  Json requests = Json::array();
  for (const model::ServedRequest& request : result.requests) {
    requests.push_back({{"started_ns", to_nanoseconds(request.started)},
                        {"operation", request.write ? "write" : "read"},
                        {"offset", request.offset.count},
                        {"size", request.size.count},
                        {"latency_ns", to_nanoseconds(request.latency)}});
  }
  const model::Bottleneck& bottleneck = result.bottleneck;
  return {{"coordinates", std::move(coordinates)},
          {"throughput_mops", result.throughput.millions()},
          {"throughput_ci95_mops", result.throughput_ci95.millions()},
          {"bandwidth_bytes_per_second", bandwidth_json(result)},
          {"latency_ns", latency_json(result.latency)},
          {"kinds", std::move(kinds)},
          {"utilisations", std::move(utilisations)},
          {"counters", std::move(counters)},
          {"programs", std::move(programs)},
          {"levels", std::move(levels)},
          {"requests", std::move(requests)},
          {"bottleneck",
           {{"resource", bottleneck.resource},
            {"limit", model::name_of(bottleneck.limit)},
            {"busy", bottleneck.busy},
            {"saturated", bottleneck.saturated},
            {"next_resource", bottleneck.next_resource},
            {"next_busy", bottleneck.next_busy},
            {"sentence", bottleneck.sentence}}},
          {"warnings", result.warnings},
          {"simulated_ns", to_nanoseconds(result.simulated)},
          {"events", result.events},
          {"operations", result.operations}};
}

}  // namespace

Json bandwidth_json(const model::RunResult& result) {
  const double bandwidth = result.bandwidth.bytes_per_second;
  return bandwidth > 0 ? Json(bandwidth) : Json(nullptr);
}

Json latency_json(const model::LatencySummary& latency) {
  const auto time_of = [&](Time time) { return latency.samples > 0 ? Json(to_nanoseconds(time)) : Json(nullptr); };
  return {{"mean", time_of(latency.mean)},
          {"p50", time_of(latency.p50)},
          {"p99", time_of(latency.p99)},
          {"samples", latency.samples}};
}

std::string result_json(const Report& report) {
  Json points = Json::array();
  for (std::size_t i = 0; i < report.points.size(); ++i) {
    points.push_back(point_json(report.points[i], report.results[i]));
  }
  const Json document{{"doorbell", DOORBELL_VERSION},
                      {"scenario", {{"title", report.title}, {"hash", report.hash}}},
                      {"seed", report.seed ? Json(*report.seed) : Json(nullptr)},
                      {"seeds", report.seeds},
                      {"points", std::move(points)}};
  return document.dump(2) + "\n";
}

}  // namespace doorbell::cli
