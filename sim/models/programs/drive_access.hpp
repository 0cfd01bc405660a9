// The drives of a machine, and the step by which programs take requests there. Plain data, as scenario.hpp.
#pragma once

#include <array>
#include <string_view>

#include "core/quantity.hpp"
#include "models/describe.hpp"
#include "models/storage/nvme_drive.hpp"

namespace doorbell::model {

/// The NVMe drives of one machine.
struct DriveGroup {
  NvmeDriveParameters hardware;
  int count = 1;
};
template <class V> void describe(V& v, DriveGroup& s) {
  v.field("hardware", s.hardware, {.doc = "Profile of the drives: the path of its file, or the profile itself."});
  v.optional("count", s.count, {.doc = "Drives of each machine.", .min = 1, .max = 256});
}

/// What is done for a request.
enum class AccessKind { read, write, carried };
template <> struct EnumNames<AccessKind> {
  static constexpr std::array<std::string_view, 3> values{"read", "write", "carried"};
};

/// Takes the requests at hand to the drives of the machine, each to one at random, and goes on with those whose data
/// are there. While some are on their way, a collect step does not wait for requests only.
struct AccessStep {
  static constexpr std::string_view kind = "access";
  Bytes size;
  int at_most = 32;  ///< Completions per pass.
  AccessKind operation = AccessKind::read;
  double write_amplification = 1;
  Time per_command{0};
  Time per_completion{0};
};
template <class V> void describe(V& v, AccessStep& s) {
  v.field("size", s.size, {.doc = "Bytes that are read or written for a request.", .min = 512, .max = 1 << 24});
  v.optional("at_most", s.at_most, {.doc = "Most completions taken in one pass.", .min = 1, .max = 65536});
  v.optional("operation", s.operation,
             {.doc = "\"read\", \"write\", or \"carried\": requests that carry as much write it, the others read."});
  v.optional("write_amplification", s.write_amplification,
             {.doc = "Bytes that flash programs for each byte written: 1 on an empty drive or in order, more where the "
                     "drive has to move what is still valid.",
              .min = 1,
              .max = 100});
  v.optional("per_command", s.per_command,
             {.doc = "CPU time to write a command, with its share of the doorbell.", .max = 1e-3});
  v.optional("per_completion", s.per_completion,
             {.doc = "CPU time to handle a completion, without the cost of polling it.", .max = 1e-3});
}

/// Whether a request with so much payload writes.
[[nodiscard]] inline bool writes(const AccessStep& step, Bytes payload) {
  return step.operation == AccessKind::write || (step.operation == AccessKind::carried && payload >= step.size);
}

}  // namespace doorbell::model
