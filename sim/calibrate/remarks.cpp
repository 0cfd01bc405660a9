#include "calibrate/remarks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

#include "calibrate/stage_summary.hpp"
#include "figures/statistics.hpp"
#include "scenario/error.hpp"

namespace doorbell::calibrate {
namespace {

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += i == 0 ? "" : i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  return text;
}

std::string remark_on(const Found& found) {
  if (found.at_end) {
    return found.pointer +
           " lies at the end of its range: something else limits its points, or nothing in the model does.";
  }
  switch (found.open) {
    case Open::no_influence:
      return found.pointer + " is not determined: none of its points depends on it, near this value.";
    case Open::combination:
      return fmt::format("{} is not determined: its points tell only a combination of it and {}.", found.pointer,
                         found.with.empty() ? "others" : listed(found.with));
    case Open::range:
      return found.pointer + " is not determined: other values, and not only near ones, suit its points as well.";
    case Open::resolution:
      return fmt::format("{} is not determined: what its points tell of it{} is no more than the steps of percentiles.",
                         found.pointer, found.with.empty() ? "" : " beside " + listed(found.with));
    case Open::scatter: return found.pointer + " is not determined: its points differ from the fit by too much.";
    case Open::no: break;
  }
  if (found.with.empty()) return {};
  return fmt::format("{} is hardly told apart from {}: its points allow more of the one for less of the other.",
                     found.pointer, listed(found.with));
}

/// "'RC WRITE' at 8".
std::string place_of(const Residual& point) {
  return fmt::format("'{}' at {}", point.series, figures::to_string(point.x));
}

std::string name_of_parameters(const std::vector<const Found*>& parameters) {
  std::vector<std::string> names;
  names.reserve(parameters.size());
  for (const Found* parameter : parameters) names.push_back(parameter->pointer);
  return listed(names);
}

/// Points without a say, a clause for those of one series that the same limits.
std::string left_out(const std::vector<const Residual*>& points, const std::vector<const Found*>& parameters) {
  std::vector<std::pair<std::string, std::string>> groups;  // series and limit
  std::map<std::pair<std::string, std::string>, std::vector<const Residual*>> members;
  std::size_t count = 0;
  for (const Residual* point : points) {
    if (point->say != Say::independent) continue;
    ++count;
    const std::pair key{point->series, point->limit};
    if (members[key].empty()) groups.push_back(key);
    members[key].push_back(point);
  }
  if (count == 0) return {};
  std::vector<std::string> clauses;
  for (const auto& group : groups) {
    std::vector<std::string> places;
    for (const Residual* point : members[group]) places.push_back(figures::to_string(point->x));
    const auto [least, most] =
        std::minmax_element(members[group].begin(), members[group].end(),
                            [](const Residual* a, const Residual* b) { return error_of(*a) < error_of(*b); });
    // Where nothing was measured there is no error, and the order has it first.
    const auto shown = [](const Residual* point) {
      const auto error = error_of(*point);
      return error ? figures::signed_percent(*error) : std::string{"undefined"};
    };
    std::string errors = shown(*least);
    if (*least != *most) errors += " to " + shown(*most);
    clauses.push_back(fmt::format("'{}' at {} ({}error {})", group.first, listed(places),
                                  group.second.empty() ? "" : "limit: " + group.second + "; ", errors));
  }
  return fmt::format("{} of the {} points of {} hardly depend{} on {} and did not decide: {}.", count, points.size(),
                     scenario::in_quotes(points.front()->stage), count == 1 ? "s" : "", name_of_parameters(parameters),
                     fmt::join(clauses, "; "));
}

/// What the points want: who pulls up, who down.
std::string contradiction(const std::vector<const Residual*>& points, const std::vector<const Found*>& parameters) {
  if (parameters.size() != 1) return {};
  std::vector<const Residual*> up;
  std::vector<const Residual*> down;
  std::vector<std::string> unsuited;
  for (const Residual* point : points) {
    if (point->say == Say::independent) continue;
    if (!point->pull) {
      unsuited.push_back(place_of(*point));
    } else {
      (*point->pull > 1 ? up : down).push_back(point);
    }
  }
  // Of listed values nobody knows what else the points would want.
  if (up.empty() && down.empty()) return {};
  if (up.size() + down.size() + unsuited.size() < 2) return {};
  const auto side = [&](std::vector<const Residual*>& of, const char* word) {
    if (of.empty()) return std::string{};
    std::sort(of.begin(), of.end(), [](const Residual* a, const Residual* b) {
      return std::abs(std::log(*a->pull)) > std::abs(std::log(*b->pull));
    });
    constexpr std::size_t most = 3;
    std::vector<std::string> wanted;
    for (std::size_t i = 0; i < std::min(most, of.size()); ++i) {
      wanted.push_back(fmt::format("{} wants {} ({}{})", place_of(*of[i]), of[i]->wanted,
                                   figures::signed_percent(*of[i]->pull - 1),
                                   of[i]->say == Say::outvoted ? ", left out" : ""));
    }
    return fmt::format(" {} point{} it {}: {}{}", of.size(), of.size() == 1 ? " pulls" : "s pull", word,
                       fmt::join(wanted, "; "), of.size() > most ? "; ..." : ".");
  };
  std::string text = fmt::format(" They contradict each other about {}:", parameters.front()->pointer) +
                     side(up, "up") + side(down, "down");
  if (!unsuited.empty()) text += fmt::format(" No value suits {}.", listed(unsuited));
  return text;
}

std::string warning_of(const StageSummary& stage, const std::vector<const Residual*>& points,
                       const std::vector<const Found*>& parameters) {
  if (stage.fits) return {};
  const std::string_view intervals =
      stage.outvoted > 0       ? "the intervals of its parameters are those of the points that agree"
      : stage.scatter_is_known ? "the intervals of its parameters follow from how the points scatter"
                               : "the intervals of its parameters are too small";
  return fmt::format(
             "Warning: the points of {} do not fit within their uncertainties (chi {:.1f}; 2 at most where they "
             "do): {}.",
             scenario::in_quotes(stage.stage), stage.chi, intervals) +
         contradiction(points, parameters);
}

}  // namespace

std::vector<std::string> remarks(const Fit& fit) {
  std::vector<std::string> texts;
  const auto add = [&](std::string text) {
    if (!text.empty()) texts.push_back(std::move(text));
  };
  for (const Found& found : fit.parameters) add(remark_on(found));
  for (const StageSummary& stage : summarise(fit)) {
    std::vector<const Residual*> points;
    for (const Residual& point : fit.residuals) {
      if (point.stage == stage.stage) points.push_back(&point);
    }
    std::vector<const Found*> parameters;
    for (const Found& found : fit.parameters) {
      if (found.stage == stage.stage) parameters.push_back(&found);
    }
    add(left_out(points, parameters));
    add(warning_of(stage, points, parameters));
  }
  return texts;
}

}  // namespace doorbell::calibrate
