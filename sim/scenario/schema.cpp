#include "scenario/schema.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "scenario/document.hpp"
#include "scenario/form.hpp"
#include "scenario/leaf.hpp"

namespace doorbell::scenario {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view dialect = "http://json-schema.org/draft-07/schema#";

Json quantity(const Form& form) {
  if (form.dimension == Dimension::count || form.dimension == Dimension::number) {
    const bool count = form.dimension == Dimension::count;
    const auto limit = [&](double value) {
      return count && std::abs(value) < 9e15 ? Json(std::llround(value)) : Json(value);
    };
    Json json{{"type", count ? "integer" : "number"}, {"minimum", limit(form.min)}};
    if (std::isfinite(form.max)) json["maximum"] = limit(form.max);
    return json;
  }
  // JSON Schema cannot compare quantities; the description tells the range.
  const std::string pattern =
      fmt::format(R"(^ *[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)? *({}) *$)", fmt::join(units(form.dimension), "|"));
  return {{"type", "string"}, {"pattern", pattern}};
}

/// How a value is to be written: by itself, with its provenance, or either.
enum class Style { scenario, hardware };

/// What a file may leave out because the file that it extends may give it. Arrays are never merged: their items are
/// whole.
enum class Completeness { may_inherit, whole };

Json schema_of(const Form& form, Style style, Completeness completeness);

Json bare_leaf(const Form& form) {
  switch (form.shape) {
    case Shape::boolean: return {{"type", "boolean"}};
    case Shape::text: return {{"type", "string"}};
    case Shape::choice: return {{"enum", form.choices}};
    case Shape::list: return {{"type", "array"}, {"items", bare_leaf(form.element.front())}};
    default: return quantity(form);
  }
}

Json leaf(const Form& form, Style style) {
  Json value = bare_leaf(form);
  Json with_origin{{"type", "object"},
                   {"properties",
                    {{"value", value},
                     {"provenance", {{"$ref", "#/definitions/provenance"}}},
                     {"source", {{"$ref", "#/definitions/source"}}}}},
                   {"additionalProperties", false}};
  if (style == Style::hardware) {
    with_origin["required"] = {"value", "provenance", "source"};
    return with_origin;
  }
  with_origin["required"] = {"value"};
  with_origin["dependencies"] = {{"provenance", {"source"}}, {"source", {"provenance"}}};
  return {{"anyOf", {std::move(value), std::move(with_origin)}}};
}

/// The doc with the range and default, which editors show beside the value.
std::string description_of(const FormField& field) {
  std::string text = field.doc;
  // "a count from 1 to 32" becomes a sentence of its own.
  if (field.form.shape == Shape::quantity) text += " A" + expectation(field.form).substr(1) + ".";
  if (!field.default_text.empty()) text += fmt::format(" Default {}.", field.default_text);
  return text;
}

/// The file beside this one that describes a profile of this form.
std::string_view profile_schema(const Form& form) {
  if (form.find("raid") != nullptr) return "storage_server.json";
  if (form.find("dma_engine") != nullptr) return "dma_machine.json";
  if (form.find("flash") != nullptr) return "nvme_drive.json";
  if (form.find("switch_latency") != nullptr) return "fabric.json";
  if (form.find("cache_of_core") != nullptr) return "client_node.json";
  return form.find("driver") != nullptr ? "software.json" : "hardware.json";
}

Json structure(const Form& form, Style style, Completeness completeness) {
  Json properties = Json::object();
  Json required = Json::array();
  for (const FormField& field : form.fields) {
    Json member;
    if (field.form.may_have_file) {
      member = {{"anyOf", {{{"type", "string"}}, {{"$ref", profile_schema(field.form)}}}}};
      if (!field.form.hardware) member["anyOf"].push_back(schema_of(field.form, style, completeness));
    } else {
      member = schema_of(field.form, style, completeness);
    }
    member["description"] = description_of(field);
    properties[field.name] = std::move(member);
    if (field.required) required.push_back(field.name);
  }
  Json json{{"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
  if (completeness == Completeness::whole && !required.empty()) json["required"] = std::move(required);
  return json;
}

Json alternatives_of(const Form& form, Style style) {
  Json kinds = Json::array();
  for (const FormField& kind : form.fields) {
    kinds.push_back({{"type", "object"},
                     {"properties", {{kind.name, schema_of(kind.form, style, Completeness::whole)}}},
                     {"required", {kind.name}},
                     {"additionalProperties", false}});
  }
  return {{"oneOf", std::move(kinds)}};
}

Json schema_of(const Form& form, Style style, Completeness completeness) {
  if (form.is_leaf()) return leaf(form, style);
  switch (form.shape) {
    case Shape::named:
      return {{"type", "object"}, {"additionalProperties", schema_of(form.element.front(), style, completeness)}};
    case Shape::list:
      return {{"type", "array"}, {"items", schema_of(form.element.front(), style, Completeness::whole)}};
    case Shape::alternatives: return alternatives_of(form, style);
    default: return structure(form, style, completeness);
  }
}

Json sweep_schema() {
  const Json path{{"type", "string"}, {"pattern", "^/"}, {"description", "JSON pointer of a parameter."}};
  const Json one{{"type", "object"},
                 {"properties", {{"path", path}, {"values", {{"type", "array"}, {"minItems", 1}}}}},
                 {"required", {"path", "values"}},
                 {"additionalProperties", false}};
  const Json rows{{"type", "array"}, {"minItems", 1}, {"items", {{"type", "array"}}}};
  const Json zipped{
      {"type", "object"},
      {"properties", {{"paths", {{"type", "array"}, {"items", path}, {"minItems", 1}}}, {"values", rows}}},
      {"required", {"paths", "values"}},
      {"additionalProperties", false}};
  return {{"type", "array"},
          {"items", {{"oneOf", {one, zipped}}}},
          {"description",
           "Axes; every combination of their values is a point. A zipped axis varies several parameters together."}};
}

Json definitions() {
  return {{"provenance", {{"enum", provenance_words()}, {"description", "Where the number comes from."}}},
          {"source", {{"type", "string"}, {"minLength", 1}, {"description", "Which document, data set or reason."}}}};
}

/// A whole file: it is complete by itself, or extends another.
std::string file_schema(const std::string& title, const Form& form, Style style, const Json& extra) {
  Json body = structure(form, style, Completeness::may_inherit);
  Json properties{
      {keys::schema, {{"type", "string"}}},
      {keys::extends,
       {{"type", "string"}, {"description", "File to inherit from: objects merge, everything else replaces."}}}};
  properties.update(body["properties"]);
  properties.update(extra);
  Json required = Json::array();
  for (const FormField& field : form.fields) {
    if (field.required) required.push_back(field.name);
  }
  const Json schema{{"$schema", dialect},
                    {"title", title},
                    {"type", "object"},
                    {"properties", std::move(properties)},
                    {"additionalProperties", false},
                    {"anyOf", {{{"required", {keys::extends}}}, {{"required", std::move(required)}}}},
                    {"definitions", definitions()}};
  return schema.dump(2) + "\n";
}

template <class File> std::string scenario_schema(const std::string& title) {
  return file_schema(title, form_of<File>(), Style::scenario, {{keys::sweep, sweep_schema()}});
}

template <class Profile> std::string profile_schema(const std::string& title) {
  const Json name{{keys::title, {{"type", "string"}, {"description", "Name of the profile in reports."}}}};
  return file_schema(title, form_of<Profile>(), Style::hardware, name);
}

}  // namespace

const std::map<std::string, std::string (*)()>& schemas() {
  static const std::map<std::string, std::string (*)()> all{
      {"scenario", [] { return scenario_schema<Document>("Doorbell scenario"); }},
      {"storage", [] { return scenario_schema<StorageDocument>("Doorbell storage scenario"); }},
      {"remote_memory", [] { return scenario_schema<RemoteMemoryDocument>("Doorbell remote-memory scenario"); }},
      {"transfers", [] { return scenario_schema<TransferDocument>("Doorbell transfer scenario"); }},
      {"shared_files", [] { return scenario_schema<SharedFilesDocument>("Doorbell shared-files scenario"); }},
      {"dma", [] { return scenario_schema<DmaDocument>("Doorbell DMA scenario"); }},
      {"hardware", [] { return profile_schema<model::HardwareProfile>("Doorbell hardware profile"); }},
      {"storage_server", [] { return profile_schema<model::StorageServer>("Doorbell storage server profile"); }},
      {"client_node", [] { return profile_schema<model::ClientNode>("Doorbell client node profile"); }},
      {"dma_machine", [] { return profile_schema<model::DmaMachine>("Doorbell DMA machine profile"); }},
      {"nvme_drive", [] { return profile_schema<model::NvmeDriveParameters>("Doorbell NVMe drive profile"); }},
      {"software", [] { return profile_schema<model::HostSoftware>("Doorbell software profile"); }},
      {"fabric", [] { return profile_schema<model::Fabric>("Doorbell fabric profile"); }}};
  return all;
}

}  // namespace doorbell::scenario
