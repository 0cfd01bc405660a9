// The step by which programs take requests to the storage of their machine. Plain data, as scenario.hpp.
#pragma once

#include <array>
#include <string_view>

#include "core/quantity.hpp"
#include "models/common/describe.hpp"
#include "models/remote_memory/application.hpp"

namespace doorbell::model {

/// What is done for a request.
enum class AccessKind { read, write, carried };
/// Where: on the drives of the machine, or on its device on remote memory.
enum class AccessedDevice { drives, remote };
template <> struct EnumNames<AccessKind> {
  static constexpr std::array<std::string_view, 3> values{"read", "write", "carried"};
};
template <> struct EnumNames<AccessedDevice> {
  static constexpr std::array<std::string_view, 2> values{"drives", "remote"};
};

/// Takes the requests at hand to storage and goes on with those whose data are there. While some are on their way, a
/// collect step does not wait for requests only. Drives are chosen at random; of a device on remote memory each program
/// has a part to itself.
struct AccessStep {
  static constexpr std::string_view kind = "access";
  Bytes size;
  AccessedDevice device = AccessedDevice::drives;
  int at_most = 32;  ///< Completions per pass.
  AccessKind operation = AccessKind::read;
  double write_amplification = 1;           ///< Of drives.
  Bytes extent{1LL << 30};                  ///< Of the program's part of a device on remote memory.
  AccessOrder order = AccessOrder::random;  ///< Within it.
  Time per_command{0};
  Time per_completion{0};
};
template <class V> void describe(V& v, AccessStep& s) {
  v.field("size", s.size, {.doc = "Bytes that are read or written for a request.", .min = 512, .max = 1 << 24});
  v.optional(
      "device", s.device,
      {.doc = "\"drives\": one of the machine's, at random; \"remote\": its device on remote memory, through the "
              "block layer."});
  v.optional("at_most", s.at_most, {.doc = "Most completions taken in one pass.", .min = 1, .max = 65536});
  v.optional("operation", s.operation,
             {.doc = "\"read\", \"write\", or \"carried\": requests that carry as much write it, the others read."});
  v.optional("write_amplification", s.write_amplification,
             {.doc = "Bytes that flash programs for each byte written: 1 on an empty drive or in order, more where the "
                     "drive has to move what is still valid.",
              .min = 1,
              .max = 100});
  v.optional("extent", s.extent,
             {.doc = "Bytes of a device on remote memory that the program works in; on each machine it has its own.",
              .min = 4096,
              .max = 1LL << 40});
  v.optional("order", s.order,
             {.doc = "Of the places there: \"random\", or \"sequential\", where each thread walks through its own part "
                     "of the extent, over and over."});
  v.optional("per_command", s.per_command,
             {.doc = "CPU time to write a command, with its share of the doorbell; on remote memory what the program "
                     "does for it before the block layer.",
              .max = 1e-3});
  v.optional("per_completion", s.per_completion,
             {.doc = "CPU time to handle a completion, without the cost of polling it or, on remote memory, of taking "
                     "it from the block layer.",
              .max = 1e-3});
}

/// Whether a request with so much payload writes.
[[nodiscard]] inline bool writes(const AccessStep& step, Bytes payload) {
  return step.operation == AccessKind::write || (step.operation == AccessKind::carried && payload >= step.size);
}

}  // namespace doorbell::model
