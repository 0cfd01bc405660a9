// Settings that other choices leave without effect: whoever writes them expects one.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "scenario/checks.hpp"
#include "scenario/form.hpp"

namespace doorbell::scenario {

/// Why nothing asks a part of the scenario, where that holds, and all choices from which it follows.
struct Reason {
  bool holds;
  std::string_view text;
  std::vector<Pointer> follows_from;
};
using Reasons = std::vector<Reason>;

/// The first reason that holds for the setting at `pointer` whatever others may choose; null where there is none.
/// Others are a sweep, of which other points may use the setting, an option, or the other one of two files that extend
/// one another.
[[nodiscard]] const Reason* first_of(const Reasons& reasons, const Node& tree, const Pointer& pointer);

/// `member` of `structure`, which is at `at`, must have its default where there is a reason that nothing asks it:
/// throws ScenarioError otherwise.
template <class S, class T>
void expect_default(const Examined& examined, const Reasons& reasons, const Pointer& at, S& structure, T& member,
                    const T& usual) {
  if (member == usual) return;
  const Pointer pointer = at / member_name(structure, member);
  const Reason* reason = first_of(reasons, examined.tree, pointer);
  if (reason == nullptr) return;
  const auto shown = [](const T& value) { return std::is_enum_v<T> ? in_quotes(text_of(value)) : text_of(value); };
  examined.refuse(ErrorCode::without_effect, pointer, fmt::format("{}, the default, {}", shown(usual), reason->text),
                  shown(member));
}

}  // namespace doorbell::scenario
