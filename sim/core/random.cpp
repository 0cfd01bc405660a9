// Compiled without contraction of a * b + c into one rounding: the logarithm below must round alike everywhere.
#include "core/random.hpp"

#include <bit>

#include "core/fingerprint.hpp"
#include "core/scatter.hpp"

namespace doorbell::core {

namespace {

/// Natural logarithm of a normal positive number, within 2 units in the last place. The C library's may round
/// differently on each platform; this one uses only operations that IEEE 754 rounds exactly.
double portable_log(double x) {
  constexpr double ln2 = 0.693147180559945309417;
  // x = 2^exponent * m with sqrt(1/2) <= m < sqrt(2), then log m = 2 atanh((m - 1) / (m + 1)).
  const auto image = std::bit_cast<std::uint64_t>(x);
  auto exponent = static_cast<std::int64_t>(image >> 52) - 1023;
  double m = std::bit_cast<double>((image & 0x000fffffffffffff) | 0x3ff0000000000000);
  if (m > 1.41421356237309504880) {
    m *= 0.5;
    ++exponent;
  }
  const double s = (m - 1.0) / (m + 1.0);
  const double s2 = s * s;
  double sum = 1.0 / 23.0;
  for (int k = 21; k >= 1; k -= 2) sum = sum * s2 + 1.0 / static_cast<double>(k);
  return static_cast<double>(exponent) * ln2 + 2.0 * s * sum;
}

}  // namespace

RandomStream::RandomStream(std::uint64_t seed, std::string_view component) {
  std::uint64_t state = scatter(seed + golden_gamma) ^ fingerprint(component);
  for (std::uint64_t& word : state_) word = scatter(state += golden_gamma);
}

double RandomStream::exponential() {
  // 1 - uniform() lies in (0, 1]: the logarithm never sees 0.
  return -portable_log(1.0 - uniform());
}

}  // namespace doorbell::core
