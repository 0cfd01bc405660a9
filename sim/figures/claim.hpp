// Claims: what the source says of a figure, as an expression over the simulated points.
//
// Functions of the expression language here (series is a text, x a number or a text):
//   sim(series, x), measured(series, x), analytic(series, x), error(series, x)
//   ci(series, x)                     half width of the 95 % interval
//   latency(series, x)                mean latency, us
//   batch(series, x, program)         work requests per posting call
//   util(series, x, resource)         share of the time that the resource was busy
//   counter(series, x, name)          M/s
//   level(series, x, name)            mean of what is there all the time: requests in flight, say
//   limit(series, x)                  what limits, in the words of papers: "DMA bw"
//   bottleneck(series, x), next_bottleneck(series, x)   names of resources
//   peak(series), peak_at(series)     largest simulated value, and the first x whose interval reaches it
//   at(series, x)                     the drawn line where it first reaches x
//   reach(series)                     largest x
//   least_ratio(series, other), most_ratio(series, other)   of their simulated values, over the x that both have
//   contains(text, part)
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "figures/definition.hpp"

namespace doorbell::figures {

struct ClaimResult;
struct FigureResult;

/// The functions above.
[[nodiscard]] std::vector<std::string> claim_functions();

/// Throws ExpressionError at the first call of them that has another number of arguments than it takes, or that writes
/// out a series which is none of `series`.
void require_sound_calls(const Expression& expression, const std::vector<std::string>& series);

/// What a call of one of them gives; nothing where the run decides. Throws std::invalid_argument for an argument that
/// is no text, or no number, where it takes one.
[[nodiscard]] KnownType claim_function_type(std::string_view function, std::span<const KnownType> arguments);

/// A point that an expression speaks of.
struct NamedPoint {
  std::string series;
  Position x;
  std::size_t column = 1;
};
/// Those whose series and x are written out.
[[nodiscard]] std::vector<NamedPoint> points_named_in(const Expression& expression);
/// Those of which it reads something by a name that only the run knows.
[[nodiscard]] std::vector<NamedPoint> points_read_by_name(const Expression& expression);
/// Reads that of the points which `tried` has. Throws std::invalid_argument where the run has no such name.
void try_named(const Expression& expression, const FigureResult& tried);
/// All series that are written out.
[[nodiscard]] std::set<std::string> series_named_in(const Expression& expression);

/// Throws DefinitionError when the claim speaks of points or resources that are not there.
[[nodiscard]] ClaimResult check(const Claim& claim, const FigureResult& figure);

}  // namespace doorbell::figures
