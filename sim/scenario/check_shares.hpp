// What is mixed in must not be more than everything.
#pragma once

#include <cstddef>
#include <vector>

#include "scenario/checks.hpp"
#include "scenario/form.hpp"

namespace doorbell::scenario {

/// `mix` is where the kinds are.
template <class Kind> void check_shares(const Examined& examined, const Pointer& mix, std::vector<Kind>& kinds) {
  constexpr double rounding = 1e-9;  // Shares such as ten times 0.1 do not add up to 1 exactly.
  double shares = 0;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    shares += kinds[i].share;
    if (shares <= 1 + rounding) continue;
    examined.refuse(ErrorCode::mix_shares, mix / i / member_name(kinds[i], kinds[i].share),
                    "shares that add up to at most 1", format_quantity(shares, Dimension::number));
  }
}

}  // namespace doorbell::scenario
