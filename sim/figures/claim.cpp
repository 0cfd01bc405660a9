#include "figures/claim.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "figures/evaluate.hpp"
#include "scenario/error.hpp"

namespace doorbell::figures {
namespace {

using Arguments = std::span<const Value>;

void expect_count(Arguments arguments, std::size_t count) {
  if (arguments.size() != count) {
    throw std::invalid_argument{fmt::format("expected {} arguments, found {}", count, arguments.size())};
  }
}

const std::string& text_at(Arguments arguments, std::size_t index) {
  if (const auto* text = std::get_if<std::string>(&arguments[index])) return *text;
  throw std::invalid_argument{fmt::format("argument {} must be a text", index + 1)};
}

Position position_at(Arguments arguments, std::size_t index) {
  if (const auto* number = std::get_if<double>(&arguments[index])) return *number;
  return text_at(arguments, index);
}

/// Functions whose first two arguments name a point.
const PointResult& point_of(const FigureResult& figure, Arguments arguments, std::size_t count) {
  expect_count(arguments, count);
  const std::string& series = text_at(arguments, 0);
  const Position x = position_at(arguments, 1);
  if (const PointResult* point = figure.find(series, x)) return *point;
  throw std::invalid_argument{fmt::format("there is no point '{}' at {}", series, to_string(x))};
}

const model::RunResult& run_of(const FigureResult& figure, Arguments arguments, std::size_t count) {
  const PointResult& point = point_of(figure, arguments, count);
  if (!point.outcome) throw std::invalid_argument{fmt::format("'{}' is a closed form, not a run", point.series)};
  return point.outcome->run;
}

Value mean_latency(const FigureResult& figure, Arguments arguments) {
  const model::LatencySummary& latency = run_of(figure, arguments, 2).latency;
  if (latency.samples > 0) return to_seconds(latency.mean) * 1e6;
  throw std::invalid_argument{
      fmt::format("'{}' at {}: {}", text_at(arguments, 0), to_string(position_at(arguments, 1)), no_latencies)};
}

double known(const std::optional<double>& value, std::string_view what) {
  if (!value) throw std::invalid_argument{fmt::format("this point has no {} value", what)};
  return *value;
}

template <class Items, class Name, class Number>
double number_named(const Items& items, Name name, Number number, const std::string& wanted) {
  for (const auto& item : items) {
    if (item.*name == wanted) return number(item);
  }
  std::vector<std::string> names;
  names.reserve(items.size());
  for (const auto& item : items) names.push_back(item.*name);
  const std::string nearest = scenario::nearest(wanted, names);
  throw std::invalid_argument{
      fmt::format("the run knows no '{}'{}", wanted, nearest.empty() ? "" : fmt::format("; nearest: '{}'", nearest))};
}

const PointResult& peak_of(const FigureResult& figure, Arguments arguments) {
  expect_count(arguments, 1);
  const std::string& series = text_at(arguments, 0);
  const PointResult* peak = nullptr;
  for (const PointResult& point : figure.points) {
    if (point.series == series && (peak == nullptr || point.simulated > peak->simulated)) peak = &point;
  }
  if (peak == nullptr) throw std::invalid_argument{fmt::format("there is no series '{}'", series)};
  return *peak;
}

using Function = Value (*)(const FigureResult&, Arguments);

Value batch(const FigureResult& figure, Arguments arguments) {
  const model::RunResult& run = run_of(figure, arguments, 3);
  return number_named(
      run.programs, &model::ProgramSummary::program, [](const auto& item) { return item.mean_batch; },
      text_at(arguments, 2));
}
Value utilisation(const FigureResult& figure, Arguments arguments) {
  const model::RunResult& run = run_of(figure, arguments, 3);
  return number_named(
      run.utilisations, &model::Utilisation::resource, [](const auto& item) { return item.busy; },
      text_at(arguments, 2));
}
Value counter(const FigureResult& figure, Arguments arguments) {
  const model::RunResult& run = run_of(figure, arguments, 3);
  return number_named(
      run.counters, &model::CounterReading::name, [](const auto& item) { return item.rate.millions(); },
      text_at(arguments, 2));
}
Value level(const FigureResult& figure, Arguments arguments) {
  const model::RunResult& run = run_of(figure, arguments, 3);
  return number_named(
      run.levels, &model::Level::name, [](const auto& item) { return item.value; }, text_at(arguments, 2));
}
/// On a plateau the largest value is anywhere: the first point counts that the interval does not tell from it.
Value peak_at(const FigureResult& figure, Arguments arguments) {
  const PointResult& peak = peak_of(figure, arguments);
  const auto as_high = [&peak](const PointResult& point) {
    return point.series == peak.series && point.simulated + point.simulated_ci95.value_or(0) >= peak.simulated;
  };
  const Position& x = std::ranges::find_if(figure.points, as_high)->x;
  if (const auto* number = std::get_if<double>(&x)) return *number;
  return std::get<std::string>(x);
}
/// Of a series whose x is a number, in the order it is drawn.
std::vector<std::pair<double, double>> curve_of(const FigureResult& figure, const std::string& series) {
  std::vector<std::pair<double, double>> curve;
  for (const PointResult& point : figure.points) {
    const auto* x = std::get_if<double>(&point.x);
    if (point.series == series && x != nullptr) curve.emplace_back(*x, point.simulated);
  }
  if (curve.empty()) throw std::invalid_argument{fmt::format("there is no curve '{}'", series)};
  return curve;
}
/// Where the drawn line first reaches x.
Value at(const FigureResult& figure, Arguments arguments) {
  expect_count(arguments, 2);
  const auto* x = std::get_if<double>(&arguments[1]);
  if (x == nullptr) throw std::invalid_argument{"argument 2 must be a number"};
  const auto curve = curve_of(figure, text_at(arguments, 0));
  for (std::size_t i = 1; i < curve.size(); ++i) {
    const auto [x0, y0] = curve[i - 1];
    const auto [x1, y1] = curve[i];
    if (std::min(x0, x1) <= *x && *x <= std::max(x0, x1)) {
      return x0 == x1 ? y0 : y0 + (y1 - y0) * (*x - x0) / (x1 - x0);
    }
  }
  throw std::invalid_argument{fmt::format("the curve '{}' does not reach {}", text_at(arguments, 0), *x)};
}
Value reach(const FigureResult& figure, Arguments arguments) {
  expect_count(arguments, 1);
  const auto curve = curve_of(figure, text_at(arguments, 0));
  return std::max_element(curve.begin(), curve.end())->first;
}
/// Of two series, where both have a point.
std::vector<double> ratios_of(const FigureResult& figure, Arguments arguments) {
  expect_count(arguments, 2);
  std::vector<double> ratios;
  for (const PointResult& point : figure.points) {
    if (point.series != text_at(arguments, 0)) continue;
    const PointResult* other = figure.find(text_at(arguments, 1), point.x);
    if (other != nullptr) ratios.push_back(point.simulated / other->simulated);
  }
  if (ratios.empty()) throw std::invalid_argument{"the two series share no x"};
  return ratios;
}
Value least_ratio(const FigureResult& figure, Arguments arguments) {
  return std::ranges::min(ratios_of(figure, arguments));
}
Value most_ratio(const FigureResult& figure, Arguments arguments) {
  return std::ranges::max(ratios_of(figure, arguments));
}
Value contains(const FigureResult&, Arguments arguments) {
  expect_count(arguments, 2);
  return text_at(arguments, 0).find(text_at(arguments, 1)) != std::string::npos;
}

struct ClaimFunction {
  std::string_view
      takes;  ///< A letter for each argument: s a series, x a position, v a number, n a name of a run, t a text.
  Function function;
};

const std::map<std::string_view, ClaimFunction>& functions() {
  static const std::map<std::string_view, ClaimFunction> table{
      {"sim", {"sx", [](const FigureResult& f, Arguments a) -> Value { return point_of(f, a, 2).simulated; }}},
      {"ci",
       {"sx",
        [](const FigureResult& f, Arguments a) -> Value {
          return known(point_of(f, a, 2).simulated_ci95, "interval");
        }}},
      {"measured",
       {"sx",
        [](const FigureResult& f, Arguments a) -> Value { return known(point_of(f, a, 2).measured, "measured"); }}},
      {"analytic",
       {"sx",
        [](const FigureResult& f, Arguments a) -> Value { return known(point_of(f, a, 2).analytic, "analytic"); }}},
      {"error",
       {"sx",
        [](const FigureResult& f, Arguments a) -> Value { return known(point_of(f, a, 2).error(), "measured"); }}},
      {"latency", {"sx", mean_latency}},
      {"limit",
       {"sx",
        [](const FigureResult& f, Arguments a) -> Value {
          return std::string{model::name_of(run_of(f, a, 2).bottleneck.limit)};
        }}},
      {"bottleneck",
       {"sx", [](const FigureResult& f, Arguments a) -> Value { return run_of(f, a, 2).bottleneck.resource; }}},
      {"next_bottleneck",
       {"sx", [](const FigureResult& f, Arguments a) -> Value { return run_of(f, a, 2).bottleneck.next_resource; }}},
      {"peak", {"s", [](const FigureResult& f, Arguments a) -> Value { return peak_of(f, a).simulated; }}},
      {"peak_at", {"s", peak_at}},
      {"at", {"sv", at}},
      {"reach", {"s", reach}},
      {"least_ratio", {"ss", least_ratio}},
      {"most_ratio", {"ss", most_ratio}},
      {"batch", {"sxn", batch}},
      {"util", {"sxn", utilisation}},
      {"counter", {"sxn", counter}},
      {"level", {"sxn", level}},
      {"contains", {"tt", contains}},
  };
  return table;
}

/// The series that argument `index` of a call writes out, or null.
const std::string* series_at(const Call& call, std::size_t index) {
  const auto function = functions().find(call.function);
  if (function == functions().end() || index >= function->second.takes.size()) return nullptr;
  if (function->second.takes[index] != 's') return nullptr;
  return call.arguments[index] ? std::get_if<std::string>(&*call.arguments[index]) : nullptr;
}

/// The point of which a call writes out series and x.
std::optional<NamedPoint> point_at(const Call& call) {
  const auto function = functions().find(call.function);
  if (function == functions().end() || !function->second.takes.starts_with("sx")) return {};
  const std::string* series = series_at(call, 0);
  if (series == nullptr || call.arguments.size() < 2 || !call.arguments[1]) return {};
  const Value& x = *call.arguments[1];
  if (const auto* number = std::get_if<double>(&x)) return NamedPoint{*series, *number, call.column};
  if (const auto* text = std::get_if<std::string>(&x)) return NamedPoint{*series, *text, call.column};
  return {};
}

/// Whether all of its arguments are written out, and one is a name that only a run knows.
bool reads_by_name(const Call& call) {
  const auto function = functions().find(call.function);
  return function != functions().end() && function->second.takes.ends_with('n') &&
         call.arguments.size() == function->second.takes.size() &&
         std::ranges::all_of(call.arguments, [](const auto& argument) { return argument.has_value(); });
}

}  // namespace

KnownType claim_function_type(std::string_view function, std::span<const KnownType> arguments) {
  const std::string_view takes = functions().at(function).takes;
  for (std::size_t i = 0; i < std::min(takes.size(), arguments.size()); ++i) {
    if (!arguments[i]) continue;
    const bool is_number = *arguments[i] == ValueType::number;
    const bool is_text = *arguments[i] == ValueType::text;
    if (takes[i] == 'v' ? is_number : is_text || (takes[i] == 'x' && is_number)) continue;
    throw std::invalid_argument{fmt::format("argument {} of '{}' must be {}", i + 1, function,
                                            takes[i] == 'v'   ? "a number"
                                            : takes[i] == 'x' ? "a number or a text"
                                                              : "a text")};
  }
  if (function == "peak_at") return {};
  if (function == "contains") return ValueType::truth;
  const bool names = function == "limit" || function == "bottleneck" || function == "next_bottleneck";
  return names ? ValueType::text : ValueType::number;
}

std::vector<std::string> claim_functions() {
  std::vector<std::string> names;
  for (const auto& [name, function] : functions()) names.emplace_back(name);
  return names;
}

void require_sound_calls(const Expression& expression, const std::vector<std::string>& series) {
  expression.for_each_call([&](const Call& call) {
    const auto function = functions().find(call.function);
    if (function == functions().end()) return;
    if (const std::size_t count = function->second.takes.size(); call.arguments.size() != count) {
      throw ExpressionError{call.column, fmt::format("'{}' takes {} argument{}, found {}", call.function, count,
                                                     count == 1 ? "" : "s", call.arguments.size())};
    }
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
      const std::string* name = series_at(call, i);
      if (name == nullptr || std::ranges::find(series, *name) != series.end()) continue;
      const std::string nearest = scenario::nearest(*name, series);
      throw ExpressionError{call.column, fmt::format("there is no series '{}'{}", *name,
                                                     nearest.empty() ? "" : fmt::format("; nearest: '{}'", nearest))};
    }
  });
}

std::vector<NamedPoint> points_named_in(const Expression& expression) {
  std::vector<NamedPoint> points;
  expression.for_each_call([&](const Call& call) {
    if (auto point = point_at(call)) points.push_back(*std::move(point));
  });
  return points;
}

std::vector<NamedPoint> points_read_by_name(const Expression& expression) {
  std::vector<NamedPoint> points;
  expression.for_each_call([&](const Call& call) {
    if (!reads_by_name(call)) return;
    if (auto point = point_at(call)) points.push_back(*std::move(point));
  });
  return points;
}

void try_named(const Expression& expression, const FigureResult& tried) {
  expression.for_each_call([&](const Call& call) {
    const auto point = point_at(call);
    if (!point || !reads_by_name(call) || tried.find(point->series, point->x) == nullptr) return;
    std::vector<Value> arguments;
    for (const auto& argument : call.arguments) arguments.push_back(*argument);
    static_cast<void>(functions().at(call.function).function(tried, arguments));
  });
}

std::set<std::string> series_named_in(const Expression& expression) {
  std::set<std::string> names;
  expression.for_each_call([&](const Call& call) {
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
      if (const std::string* name = series_at(call, i)) names.insert(*name);
    }
  });
  return names;
}

ClaimResult check(const Claim& claim, const FigureResult& figure) {
  Environment environment;
  environment.call = [&figure](std::string_view name, Arguments arguments) {
    const auto function = functions().find(name);
    if (function == functions().end()) throw std::invalid_argument{fmt::format("unknown function '{}'", name)};
    return function->second.function(figure, arguments);
  };
  environment.variable = [](std::string_view name) -> Value {
    throw std::invalid_argument{fmt::format("unknown name '{}'", name)};
  };
  ClaimResult result{claim.id, claim.text, claim.stated, {}, false, claim.use};
  try {
    result.simulated = claim.expression.evaluate(environment);
    environment.variable = [&](std::string_view name) -> Value {
      if (name == "value") return result.simulated;
      if (name == "stated") return result.stated;
      throw std::invalid_argument{fmt::format("unknown name '{}', expected value or stated", name)};
    };
    const Value holds = claim.holds_if.evaluate(environment);
    const bool* truth = std::get_if<bool>(&holds);
    if (truth == nullptr) throw std::invalid_argument{"holds_if must give a truth value"};
    result.holds = *truth;
  } catch (const std::exception& error) {
    throw DefinitionError{fmt::format("figure {}, claim {}: {}", figure.id, claim.id, error.what())};
  }
  return result;
}

}  // namespace doorbell::figures
