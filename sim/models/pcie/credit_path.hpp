// For how much of the time the way back of credits, and not the link, decides when something is sent.
#pragma once

#include <algorithm>

#include "core/quantity.hpp"

namespace doorbell::model {

/// Goes back from what has been sent last to what that had to wait for: the one before it on the link, or the one whose
/// credit it has. Times between two of which the later waited for the credit of the earlier are those in which more
/// credits would help, and a faster link only by what the later takes to send. How long a link is idle meanwhile does
/// not tell: with credits for nearly a round trip it is hardly ever.
class CreditPath {
 public:
  /// Something sent, that has left the link or will have.
  struct Step {
    Time left{0};
    Time by_credits{0};  ///< Of the time until then.
  };

  /// Sends what found a credit, and waited for the link if for anything.
  Step follow_link(Time left) { return last_ = {left, last_.by_credits}; }
  /// Sends what found the link free as soon as it had the credit of `taken`.
  Step follow_credit(const Step& taken, Time left) { return last_ = {left, taken.by_credits + (left - taken.left)}; }
  void measure() { from_ = last_.by_credits; }
  /// Since measure(). What was sent last may go back to another beginning than what was then.
  [[nodiscard]] Time by_credits() const { return std::max(Time{0}, last_.by_credits - from_); }

 private:
  Step last_;
  Time from_{0};
};

}  // namespace doorbell::model
