// How a structure of parameters declares itself: once, next to the component that uses it.
//
// A describable structure S has a free function, found by argument-dependent lookup,
//
//     template <class Visitor> void describe(Visitor& v, S& s) {
//       v.field("lanes", s.lanes, {.doc = "Lanes of the link.", .min = 1, .max = 32});
//       v.field("rcb", s.rcb, {.doc = "...", .min = 64, .max = 4096});
//       v.optional("depth", s.depth, {.doc = "...", .min = 1});
//     }
//
// `field` must be given by the user, `optional` keeps the value the structure was made with. The member's type gives
// the unit; min and max are in that type's base unit (count, bytes, bytes/s, operations/s, seconds). One declaration
// serves the JSON reader, the JSON Schema, the reference page and the calibration.
//
// Member types a visitor handles: bool, int, std::int64_t, double (a pure number), Time, Bytes, Bandwidth, Rate,
// std::string, enumerations that have `EnumNames`, describable structures, std::optional<T>, std::vector<T>,
// Named<T> and std::variant of describable structures that each have `static constexpr std::string_view kind`.
#pragma once

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace doorbell::model {

/// What is said of one parameter beside its name and type.
struct FieldInfo {
  std::string_view doc;
  double min = 0;  ///< Smallest sensible value, in the base unit of the member's type.
  double max = std::numeric_limits<double>::infinity();
  std::string_view symbol = {};  ///< The literature's symbol, where it has one (for example C_rc).
};

/// A mapping from names to T that keeps the order of the file (a JSON object whose keys the user chooses).
template <class T> using Named = std::vector<std::pair<std::string, T>>;

/// The one of this name, or null.
template <class T> [[nodiscard]] const T* find(const Named<T>& items, std::string_view name) {
  const auto named = std::find_if(items.begin(), items.end(), [name](const auto& item) { return item.first == name; });
  return named == items.end() ? nullptr : &named->second;
}

/// Specialised next to each enumeration: the spelling of every enumerator in scenario files, in declaration order.
template <class Enum> struct EnumNames;  // static constexpr std::array<std::string_view, N> values

/// A structure that a file of its own describes, and each of whose parameters carries a provenance.
template <class T>
concept Profile = requires {
  requires T::is_profile;
};

/// A structure that a scenario says itself, or names the file of: a profile only there.
template <class T>
concept MayHaveFile = requires {
  requires T::may_have_file;
};

/// Where a number comes from. Every parameter of a hardware profile carries one.
enum class Provenance { datasheet, stated, fitted, assumed };

}  // namespace doorbell::model
