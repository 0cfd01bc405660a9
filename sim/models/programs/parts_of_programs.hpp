// Where programs find their blocks and pages on the device of their machine.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "models/programs/program.hpp"
#include "models/remote_memory/remote_access.hpp"
#include "models/remote_memory/touched_pages.hpp"

namespace doorbell::model {

/// From the device's beginning.
struct PartOfProgram {
  Bytes of_access{0};  ///< What its access steps work in.
  Bytes of_memory{0};  ///< The swap space of its memory.
};

/// Programs have their parts behind those of loads and one behind the other; each begins with a stripe.
[[nodiscard]] PartOfProgram part_on_device(const Named<Program>& programs, std::string_view program,
                                           const RemoteDeviceGroup& device);

/// What the operations of that many threads touch. Throws std::invalid_argument if the memory says nothing of it.
[[nodiscard]] std::unique_ptr<TouchedPages> touches_of(const ProgramMemory& memory, int threads);
/// Pages of a memory.
[[nodiscard]] std::int64_t pages_of(const ProgramMemory& memory);

}  // namespace doorbell::model
