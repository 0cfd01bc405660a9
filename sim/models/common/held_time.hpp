// What the holders of buffers, places and processes hold them for.
#pragma once

#include <cstddef>
#include <vector>

#include "core/quantity.hpp"
#include "models/common/result.hpp"

namespace doorbell::model {

/// The time, added up over those who held something, that each stage of what they did took. Stages are numbers that the
/// owner gives a meaning.
class HeldTime {
 public:
  using Stage = std::size_t;

  /// `gain` is the share of the time that twice as much of what it is spent on would save.
  void add(Stage stage, Time time, double gain = 0.5) {
    if (stage >= stages_.size()) stages_.resize(stage + 1);
    stages_[stage].seconds += to_seconds(time);
    stages_[stage].saved += gain * to_seconds(time);
  }
  /// All that was held within.
  void add(const HeldTime& inner) { add_scaled(inner, 1); }
  /// All that was held within, where what is saved beyond `most` seconds would be spent waiting for something else.
  void add_at_most(const HeldTime& inner, double most);
  /// What went by beside something that took longer.
  void take_off(const HeldTime& part) { add_scaled(part, -1); }
  /// Time spent waiting until others let go goes to what these hold it for.
  void add_wait(const HeldTime& inner, double seconds) {
    if (const double held = inner.seconds(); held > 0) add_scaled(inner, seconds / held);
  }
  [[nodiscard]] double seconds() const;
  /// The share of the stages of each name, most first. `names` has one for each stage; its `busy` is taken over.
  [[nodiscard]] std::vector<HeldFor> shares(const std::vector<Utilisation>& names) const;

 private:
  struct Spent {
    double seconds = 0;
    double saved = 0;  // if that went twice as fast
  };
  void add_scaled(const HeldTime& inner, double factor);

  std::vector<Spent> stages_;
};

}  // namespace doorbell::model
