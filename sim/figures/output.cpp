#include "figures/output.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "figures/csv_field.hpp"

namespace doorbell::figures {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const std::optional<double>& number) { return number ? Json(*number) : Json(nullptr); }

template <class Alternatives> Json variant_to_json(const Alternatives& value) {
  return std::visit([](const auto& alternative) { return Json(alternative); }, value);
}

Json to_json(const PointResult& point) {
  return {{"series", point.series},
          {"x", variant_to_json(point.x)},
          {"metric", point.metric},
          {"unit", point.unit},
          {"measured", to_json(point.measured)},
          {"measured_uncertainty", to_json(point.measured_uncertainty)},
          {"simulated", point.simulated},
          {"simulated_ci95", to_json(point.simulated_ci95)},
          {"analytic", to_json(point.analytic)},
          {"error", to_json(point.error())},
          {"set", to_string(point.use)},
          {"note", point.note}};
}

Json to_json(const ClaimResult& claim) {
  return {{"id", claim.id},
          {"text", claim.text},
          {"stated", variant_to_json(claim.stated)},
          {"simulated", variant_to_json(claim.simulated)},
          {"holds", claim.holds},
          {"set", to_string(claim.use)}};
}

void add_errors(Json& json, const Summary& summary) {
  json["median_error"] = to_json(summary.all.median);
  json["worst_error"] = to_json(summary.all.worst);
  json["fit_median_error"] = to_json(summary.fit.median);
  json["fit_worst_error"] = to_json(summary.fit.worst);
  json["validation_median_error"] = to_json(summary.validation.median);
  json["validation_worst_error"] = to_json(summary.validation.worst);
}

Json to_json(const FigureResult& figure) {
  Json json = {{"id", figure.id}, {"title", figure.title}, {"seconds", figure.seconds}};
  add_errors(json, summary_of({&figure}));
  json["points"] = Json::array();
  json["claims"] = Json::array();
  for (const PointResult& point : figure.points) json["points"].push_back(to_json(point));
  for (const ClaimResult& claim : figure.claims) json["claims"].push_back(to_json(claim));
  return json;
}

Json to_json(const Collection& collection, const std::vector<FigureResult>& results) {
  const Summary summary = summary_of(collection, results);
  Json json = {{"id", collection.name}};
  add_errors(json, summary);
  json["claims"] = summary.claims.count;
  json["claims_held"] = summary.claims.held;
  json["fit_claims"] = summary.fit_claims.count;
  json["fit_claims_held"] = summary.fit_claims.held;
  json["targets"] = nullptr;
  if (collection.targets) {
    const Targets& targets = *collection.targets;
    json["targets"] = {{"fit_median_error", to_json(targets.fit.median)},
                       {"fit_worst_error", to_json(targets.fit.worst)},
                       {"validation_median_error", to_json(targets.validation.median)},
                       {"validation_worst_error", to_json(targets.validation.worst)},
                       {"all_claims", targets.all_claims},
                       {"missed", misses(collection, summary).names()}};
  }
  return json;
}

std::string csv_cell(const std::string& text) { return csv_field(text); }

std::string csv_cell(const std::optional<double>& number) { return number ? fmt::format("{}", *number) : ""; }

}  // namespace

nlohmann::ordered_json to_json(const std::vector<FigureResult>& figures, const std::vector<Collection>& collections,
                               const std::string& version) {
  Json json = {{"doorbell", version}, {"figures", Json::array()}, {"collections", Json::array()}};
  for (const FigureResult& figure : figures) json["figures"].push_back(to_json(figure));
  for (const Collection& collection : collections) json["collections"].push_back(to_json(collection, figures));
  return json;
}

std::string to_csv(const FigureResult& figure) {
  std::string csv =
      "series,x,metric,unit,measured,measured_uncertainty,simulated,simulated_ci95,analytic,error,set,note\n";
  for (const PointResult& point : figure.points) {
    csv += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", csv_cell(point.series), csv_cell(to_string(point.x)),
                       csv_cell(point.metric), csv_cell(point.unit), csv_cell(point.measured),
                       csv_cell(point.measured_uncertainty), point.simulated, csv_cell(point.simulated_ci95),
                       csv_cell(point.analytic), csv_cell(point.error()), to_string(point.use), csv_cell(point.note));
  }
  return csv;
}

std::string file_stem(const std::string& id) {
  std::string stem = id;
  std::replace(stem.begin(), stem.end(), '/', '-');
  return stem;
}

}  // namespace doorbell::figures
