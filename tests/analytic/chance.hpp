// Choices for fuzzers.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <random>
#include <vector>

namespace doorbell::testing {

/// What the environment says, so that a fuzzer can look further than in the suite.
inline int number_of(const char* variable, int otherwise) {
  const char* wanted = std::getenv(variable);
  return wanted == nullptr ? otherwise : std::atoi(wanted);
}

/// The same choices for the same seed on every platform: only the generator itself is used, no distribution.
class Chance {
 public:
  explicit Chance(std::uint32_t seed)
      : random_{seed + static_cast<std::uint32_t>(number_of("DOORBELL_FUZZ_SEED", 0))} {}
  std::size_t below(std::size_t limit) { return random_() % limit; }
  template <class T> const T& of(const std::vector<T>& all) { return all[below(all.size())]; }
  /// One time in `times`.
  bool once_in(std::size_t times) { return below(times) == 0; }

 private:
  std::mt19937 random_;
};

}  // namespace doorbell::testing
