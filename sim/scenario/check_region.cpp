// Regions of memory that operations cannot go to.
#include <fmt/format.h>

#include <bit>
#include <cstdint>

#include "models/nic/verb_path.hpp"
#include "scenario/checks.hpp"
#include "scenario/form.hpp"

namespace doorbell::scenario {

using namespace model;

namespace {

/// Words that atomics work on have addresses divisible by their size, or the responder refuses them (InfiniBand
/// Architecture Specification, volume 1, 9.4.5). Regions begin at address 0.
void check_alignment(const Examined& examined, const Pointer& at, Region& region) {
  constexpr std::int64_t word = 8;
  const auto require = [&](const Bytes& member) {
    if (member.count % word == 0) return;
    examined.refuse(ErrorCode::atomic_unaligned, at / member_name(region, member), "a multiple of 8 B, as atomics need",
                    in_bytes(member));
  };
  require(region.offset);
  if (region.count > 1) require(region.stride);
}

}  // namespace

void check_region(const Examined& examined, const Pointer& pointer, Region& region, Verb verb, Bytes size) {
  if (verb == Verb::send)
    examined.refuse(ErrorCode::region_misplaced, pointer, "no region with " + text_of(verb), "a region");
  if (region.skew > 0 && region.pattern != AddressPattern::random) {
    examined.refuse(ErrorCode::skew_in_order, pointer / member_name(region, region.skew),
                    fmt::format("0 with pattern {}", in_quotes(text_of(region.pattern))),
                    format_quantity(region.skew, Dimension::number));
  }
  const auto refuse = [&](const auto& member, const std::string& expected, const std::string& found) {
    examined.refuse(ErrorCode::region_does_not_fit, pointer / member_name(region, member), expected, found);
  };
  if (!std::has_single_bit(static_cast<std::uint64_t>(region.page.count)))
    refuse(region.page, "a power of two", in_bytes(region.page));
  if (is_atomic(verb)) check_alignment(examined, pointer, region);
  if (region.offset + size > region.stride)
    refuse(region.stride, "objects of at least " + in_bytes(region.offset + size), in_bytes(region.stride));
  constexpr double largest = 1e15;  // A petabyte: beyond any machine, and safely within 64 bits.
  if (static_cast<double>(region.count) * static_cast<double>(region.stride.count) > largest)
    refuse(region.count, "a region of at most 1000 TB", std::to_string(region.count));
}

}  // namespace doorbell::scenario
