#include "figures/definition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "figures/claim.hpp"
#include "figures/closed_form.hpp"
#include "figures/document.hpp"
#include "models/common/replications.hpp"
#include "scenario/named_file.hpp"
#include "scenario/quantity_text.hpp"

namespace doorbell::figures {
namespace {

using namespace std::string_view_literals;
using scenario::ErrorCode;

constexpr std::array plain_metrics{"throughput"sv,  "latency_mean"sv,        "latency_p50"sv,
                                   "latency_p99"sv, "relative_throughput"sv, "bandwidth"sv};
constexpr std::size_t kind_metrics = 4;  // of these, the first ones, also of one kind of operations
constexpr std::array named_metrics{"counter"sv,       "batch"sv,    "utilisation"sv, "level"sv,
                                   "per_operation"sv, "time_per"sv, "levels"sv};
constexpr std::array line_styles{"none"sv, "solid"sv, "dashed"sv, "dash-dot"sv, "dotted"sv};
constexpr std::array uses{"none"sv, "fit"sv, "validation"sv};
constexpr std::array claim_sets{"fit"sv, "validation"sv};
constexpr std::array markers{"none"sv, "circle"sv, "square"sv, "triangle"sv, "diamond"sv};
constexpr std::array legends{"top left"sv,     "top right"sv,    "bottom left"sv,
                             "bottom right"sv, "center right"sv, "above"sv};

Metric read_metric(const Node& node) {
  if (node.is_string()) return {static_cast<Metric::Kind>(node.one_of(plain_metrics)), {}, {}};
  const auto plus = node.find("plus");
  if (node.members().size() == (plus ? 2 : 1)) {
    for (std::size_t i = 0; i < named_metrics.size(); ++i) {
      const auto subject = node.find(named_metrics[i]);
      if (!subject) continue;
      return {static_cast<Metric::Kind>(plain_metrics.size() + i), subject->text(), plus ? plus->text() : ""};
    }
    for (std::size_t i = 0; i < kind_metrics && !plus; ++i) {
      if (const auto kind = node.find(plain_metrics[i])) return {static_cast<Metric::Kind>(i), kind->text(), {}};
    }
  }
  node.fail(
      ErrorCode::unknown_choice,
      R"("throughput", "latency_mean", "latency_p50", "latency_p99", "relative_throughput", "bandwidth", or )"
      R"({"throughput" | "latency_mean" | "latency_p50" | "latency_p99": KIND OF OPERATIONS}, or )"
      R"({"counter" | "batch" | "utilisation" | "level" | "per_operation" | "time_per" | "levels": NAME, "plus": LEVEL})");
}

Position read_position(const Node& node) {
  if (node.is_number()) return node.number();
  return node.text();
}

std::vector<Position> read_positions(const Node& node) {
  std::vector<Position> positions;
  for (const Node& element : node.elements()) positions.push_back(read_position(element));
  if (positions.empty()) node.fail(ErrorCode::wrong_type, "at least one position");
  return positions;
}

Abscissa read_abscissa(const Node& node) {
  if (!node.is_object()) return Fixed{read_positions(node)};
  node.expect_keys({"sweep", "metric", "levels"});
  if (node.find("levels")) return FromLevels{};
  if (const auto sweep = node.find("sweep")) return FromSweep{sweep->text()};
  return FromRun{read_metric(node.at("metric"))};
}

void read_style(const Node& node, Style& style) {
  node.expect_keys({"line", "marker", "colour", "width"});
  if (const auto line = node.find("line")) style.line = static_cast<Line>(line->one_of(line_styles));
  if (const auto marker = node.find("marker")) style.marker = static_cast<Marker>(marker->one_of(markers));
  if (const auto colour = node.find("colour")) style.colour = colour->integer(0, 7);
  if (const auto width = node.find("width")) style.width = width->number();
}

Simulation read_simulation(const Node& node, const std::filesystem::path& folder) {
  Simulation simulation;
  simulation.scenario = scenario::named_file(folder, node.at("scenario").text());
  simulation.mentions.scenario = node.at("scenario").mention();
  simulation.folder = folder;
  if (const auto overrides = node.find("set")) {
    for (const auto& [path, value] : overrides->members()) {
      simulation.overrides.emplace_back(path, value.literal());
      simulation.mentions.overrides.push_back(value.mention());
    }
  }
  if (const auto at = node.find("at")) {
    simulation.mentions.at = at->mention();
    for (const auto& [path, value] : at->members()) simulation.at.emplace_back(path, value.literal());
  }
  if (const auto metric = node.find("metric")) simulation.metric = read_metric(*metric);
  if (const auto seeds = node.find("seeds"))
    simulation.seeds = static_cast<unsigned>(seeds->integer(1, model::most_seeds));
  simulation.x = read_abscissa(node.at("x"));
  const Node x = node.at("x");
  simulation.mentions.x = x.find("sweep").value_or(x).mention();
  return simulation;
}

Bandwidth read_bandwidth(const Node& node) {
  const scenario::QuantityResult rate = scenario::parse_quantity(node.text(), scenario::Dimension::bandwidth);
  const double* bytes_per_second = std::get_if<double>(&rate);
  if (bytes_per_second == nullptr || *bytes_per_second <= 0) {
    node.fail(ErrorCode::wrong_type, R"(a data rate such as "6.8 GB/s")");
  }
  return {*bytes_per_second};
}

ClosedForm read_closed_form(const Node& node, const std::filesystem::path& folder) {
  ClosedForm form;
  form.quantity = closed_form_names()[node.at("closed_form").one_of(closed_form_names())];
  form.profile = scenario::named_file(folder, node.at("profile").text());
  form.profile_at = node.at("profile").mention();
  form.positions = read_positions(node.at("x"));
  if (const auto size = node.find("size")) form.size = size->number();
  if (const auto batch = node.find("batch")) form.batch = batch->integer(1, 4096);
  if (const auto link = node.find("link")) form.link = read_bandwidth(*link);
  const bool all_numbers = std::all_of(form.positions.begin(), form.positions.end(),
                                       [](const Position& x) { return std::holds_alternative<double>(x); });
  if (!form.size && !all_numbers)
    node.fail(ErrorCode::missing_key, "\"size\" (of a closed form, unless every x is a number of bytes)", "none");
  return form;
}

Series read_series(const Node& node, const std::filesystem::path& folder) {
  const bool simulated = node.has("scenario");
  if (simulated) {
    node.expect_keys({"name", "label", "style", "scenario", "set", "at", "metric", "x", "seeds"});
  } else {
    node.expect_keys({"name", "label", "style", "closed_form", "profile", "x", "size", "batch", "link"});
  }
  Series series;
  series.name = node.at("name").text();
  series.name_at = node.at("name").mention();
  series.label = node.has("label") ? node.at("label").text() : series.name;
  if (!simulated) series.style.line = Line::dashed;
  if (const auto style = node.find("style")) read_style(*style, series.style);
  if (simulated) {
    series.source = read_simulation(node, folder);
  } else {
    series.source = read_closed_form(node, folder);
  }
  return series;
}

Axis read_axis(const Node& node) {
  node.expect_keys({"label", "range", "ticks", "log"});
  Axis axis;
  axis.label = node.at("label").lines();
  if (const auto range = node.find("range")) {
    const auto ends = range->elements();
    if (ends.size() != 2 || ends[0].number() >= ends[1].number())
      range->fail(ErrorCode::out_of_range, "[low, high]", scenario::in_quotes(range->literal()));
    axis.range = {ends[0].number(), ends[1].number()};
  }
  if (const auto ticks = node.find("ticks")) {
    for (const Node& tick : ticks->elements()) axis.ticks.push_back(tick.number());
  }
  if (const auto log = node.find("log")) axis.log = log->integer(2, 16);
  for (const char* key : {"range", "ticks"}) {
    if (axis.log == 0 || !node.has(key)) continue;
    for (const Node& place : node.at(key).elements()) {
      if (place.number() <= 0) place.fail(ErrorCode::out_of_range, "a place above 0, as the axis is logarithmic");
    }
  }
  return axis;
}

const std::string& read_name(const Node& node, const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), node.text()) == known.end()) node.refuse_name(known);
  return node.text();
}

Panel read_panel(const Node& node, const std::vector<std::string>& known) {
  node.expect_keys({"name", "title", "x", "y", "legend", "series", "bars"});
  Panel panel;
  panel.name = node.at("name").text();
  panel.name_at = node.at("name").mention();
  if (const auto title = node.find("title")) panel.title = title->text();
  panel.x = read_axis(node.at("x"));
  panel.y = read_axis(node.at("y"));
  if (const auto legend = node.find("legend")) panel.legend = legends[legend->one_of(legends)];
  if (const auto bars = node.find("bars")) {
    for (const Node& bar : bars->elements()) {
      bar.expect_keys({"group", "label", "series", "x"});
      panel.bars.push_back({bar.at("group").lines(), bar.at("label").lines(), read_name(bar.at("series"), known),
                            read_position(bar.at("x")), bar.at("x").mention()});
    }
    if (panel.bars.empty()) bars->fail(ErrorCode::wrong_type, "at least one bar");
  } else {
    for (const Node& name : node.at("series").elements()) panel.series.push_back(read_name(name, known));
    if (panel.series.empty()) node.at("series").fail(ErrorCode::wrong_type, "at least one series");
  }
  return panel;
}

/// An empty name would be taken for the folder.
std::string file_name_in(const Node& node, const std::string& expected) {
  std::string name = node.text();
  if (name.empty()) node.fail(ErrorCode::file_not_found, expected, scenario::in_quotes(name));
  return name;
}

ExternalTable read_external_table(const Node& node, const std::vector<std::string>& known) {
  node.expect_keys(
      {"file", "columns", "available", "metric", "unit", "set", "value", "scale", "low", "high", "series"});
  ExternalTable table;
  table.file = file_name_in(node.at("file"), "the name of a table");
  table.available = node.at("available").text();
  table.metric = node.at("metric").text();
  table.unit = node.at("unit").text();
  if (const auto set = node.find("set")) table.use = static_cast<Use>(set->one_of(uses));
  table.value = node.at("value").text();
  if (const auto columns = node.find("columns")) {
    for (const Node& name : columns->elements()) table.columns.push_back(name.text());
  }
  if (const auto scale = node.find("scale")) table.scale = scale->number();
  if (const auto low = node.find("low")) table.low = low->text();
  if (const auto high = node.find("high")) table.high = high->text();
  for (const Node& item : node.at("series").elements()) {
    item.expect_keys({"series", "where", "x", "scale", "from", "file", "value", "fit"});
    ExternalSeries& series = table.series.emplace_back();
    series.series = read_name(item.at("series"), known);
    for (const auto& [column, cell] : item.at("where").members()) series.where.emplace_back(column, cell.literal());
    series.x = item.at("x").text();
    if (const auto scale = item.find("scale")) series.scale = scale->number();
    if (const auto from = item.find("from")) series.from = from->number();
    if (const auto file = item.find("file")) series.file = file_name_in(*file, "the name of a table");
    if (const auto value = item.find("value")) series.value = value->text();
    if (const auto fit = item.find("fit")) {
      for (const Node& x : fit->elements()) series.fit.push_back(x.number());
    }
  }
  return table;
}

using Variables = std::map<std::string, KnownType, std::less<>>;

struct TypedExpression {
  Expression expression;
  KnownType type;
};

TypedExpression read_expression(const Node& node, const Variables& variables, const std::vector<std::string>& series) {
  std::vector<std::string> names;
  for (const auto& [name, type] : variables) names.push_back(name);
  try {
    Expression expression = Expression::parse(node.text());
    expression.require_known(names, claim_functions());
    require_sound_calls(expression, series);
    const KnownType type = expression.type(
        {.variable = [&](std::string_view name) { return variables.find(name)->second; }, .call = claim_function_type});
    expression.require_calculable();
    return {std::move(expression), type};
  } catch (const ExpressionError& error) {
    node.fail(ErrorCode::bad_expression, "an expression", error.what());
  }
}

Value read_value(const Node& node) {
  if (node.is_number()) return node.number();
  if (node.is_boolean()) return node.truth();
  return node.literal();
}

Claim read_claim(const Node& node, const std::vector<std::string>& series) {
  node.expect_keys({"id", "text", "set", "stated", "expression", "holds_if"});
  const Value stated = read_value(node.at("stated"));
  TypedExpression expression = read_expression(node.at("expression"), {}, series);
  TypedExpression holds_if =
      read_expression(node.at("holds_if"), {{"value", expression.type}, {"stated", type_of(stated)}}, series);
  if (holds_if.type.value_or(ValueType::truth) != ValueType::truth) {
    const Node wrong = node.at("holds_if");
    wrong.fail(ErrorCode::bad_expression, "an expression that is true or false",
               *holds_if.type == ValueType::number ? "a number" : "a text");
  }
  const auto set = node.find("set");
  return {node.at("id").text(),
          node.at("text").text(),
          stated,
          std::move(expression.expression),
          std::move(holds_if.expression),
          node.at("expression").mention(),
          node.at("holds_if").mention(),
          set && set->one_of(claim_sets) == 0 ? Use::fit : Use::validation};
}

/// The elements of a list, in which no two have the same `key`.
std::vector<Node> distinct(const Node& list, std::string_view key) {
  std::set<std::string> names;
  for (const Node& node : list.elements()) {
    const Node name = node.at(key);
    if (!names.insert(name.text()).second)
      name.fail(ErrorCode::named_twice, fmt::format("another {}: one before has this", key));
  }
  return list.elements();
}

}  // namespace

std::string name_of(const Metric& metric) {
  switch (metric.kind) {
    case Metric::Kind::counter: return metric.subject.substr(metric.subject.rfind('/') + 1);
    case Metric::Kind::batch: return "mean_batch";
    case Metric::Kind::utilisation: return "utilisation";
    case Metric::Kind::levels: return "level";
    case Metric::Kind::time_per: return "time per " + metric.subject.substr(metric.subject.rfind('/') + 1);
    case Metric::Kind::per_operation:
    case Metric::Kind::level: return metric.subject.substr(metric.subject.rfind('/') + 1);
    default: return std::string{plain_metrics.at(static_cast<std::size_t>(metric.kind))};
  }
}

std::string unit_of(const Metric& metric) {
  switch (metric.kind) {
    case Metric::Kind::throughput:
    case Metric::Kind::counter: return "M/s";
    case Metric::Kind::relative_throughput: return "%";
    case Metric::Kind::bandwidth: return "MiB/s";
    case Metric::Kind::batch: return "requests";
    case Metric::Kind::utilisation:
    case Metric::Kind::per_operation:
    case Metric::Kind::level: return "1";
    default: return "us";
  }
}

Figure read_figure(const std::filesystem::path& file, const std::optional<Mention>& mention) {
  const scenario::Node json = read_json(file, scenario::FileKind::figure, mention);
  const Node root{json};
  root.expect_keys({"id", "title", "notes", "reference", "external", "series", "panels", "claims", "$schema"});
  const std::filesystem::path folder = file.parent_path();
  Figure figure;
  figure.folder = folder;
  figure.id = root.at("id").text();
  figure.id_at = root.at("id").mention().at;
  figure.title = root.at("title").text();
  if (const auto notes = root.find("notes")) figure.notes = notes->text();
  if (const auto reference = root.find("reference")) {
    figure.reference_file =
        scenario::named_file(folder, file_name_in(*reference, "the name of a table of reference points"));
    figure.reference = read_reference(figure.reference_file, reference->mention());
  }
  const auto external = root.find("external");
  if (external && root.has("reference"))
    external->fail(ErrorCode::two_references, "a reference of its own or an external one", "both");
  std::vector<std::string> names;
  for (const Node& node : root.at("series").elements()) {
    figure.series.push_back(read_series(node, folder));
    names.push_back(figure.series.back().name);
  }
  if (external) figure.external = read_external_table(*external, names);
  for (const Node& node : distinct(root.at("panels"), "name")) figure.panels.push_back(read_panel(node, names));
  if (const auto claims = root.find("claims")) {
    for (const Node& node : distinct(*claims, "id")) figure.claims.push_back(read_claim(node, names));
  }
  return figure;
}

}  // namespace doorbell::figures
