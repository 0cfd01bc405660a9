// When a memory controller closes a row of DRAM that is not used any more: after a time to which it adapts.
#pragma once

#include "core/quantity.hpp"
#include "models/common/describe.hpp"

namespace doorbell::model {

/// Intel, "Core i7 Processor Family for the LGA-2011 Socket, Datasheet, Volume 2", register IDLETIME; the rule after
/// McSimA+ (Ahn et al., ISPASS 2013), policy "adaptive open".
struct RowClosingParameters {
  Time idle{0};
  Time step{0};
  int window = 1;
  int mistakes = 1;
};
template <class V> void describe(V& v, RowClosingParameters& s) {
  v.field("idle", s.idle, {.doc = "After so long without a line a row is closed, to begin with.", .max = 1e-3});
  v.field("step", s.step, {.doc = "By which that time becomes longer or shorter.", .max = 1e-3});
  v.field("window", s.window, {.doc = "Lines of a channel after which it may.", .min = 1, .max = 1 << 20});
  v.field("mistakes", s.mistakes,
          {.doc = "With so many rows of a window that had to be opened again it becomes longer; with so many that were "
                  "in the way of others, shorter.",
           .min = 1,
           .max = 1 << 20});
}

/// Of one channel.
class RowClosing {
 public:
  explicit RowClosing(const RowClosingParameters& parameters) : parameters_{parameters}, idle_{parameters.idle} {}

  /// A row that has not been used for so long is closed.
  [[nodiscard]] Time idle() const { return idle_; }
  /// A row had been closed, and the next line of its bank is in the same row.
  void too_early() { ++early_; }
  /// A row had not been closed, and the next line of its bank is in another row.
  void too_late() { ++late_; }
  /// A line has been read or written.
  void line();

 private:
  RowClosingParameters parameters_;
  Time idle_;
  int lines_ = 0;
  int early_ = 0;
  int late_ = 0;
};

}  // namespace doorbell::model
