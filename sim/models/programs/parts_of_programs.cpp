#include "models/programs/parts_of_programs.hpp"

#include <stdexcept>

#include "models/memory/page.hpp"
#include "models/remote_memory/page_touches.hpp"
#include "models/remote_memory/record_touches.hpp"

namespace doorbell::model {

PartOfProgram part_on_device(const Named<Program>& programs, std::string_view program,
                             const RemoteDeviceGroup& device) {
  const Program* own = find(programs, program);
  if (own == nullptr) throw std::invalid_argument("no program of that name");
  const auto stripes = [&](Bytes size) { return device.access.stripe * ceil_div(size, device.access.stripe); };
  Bytes begin = stripes(device.of_loads);
  for (const auto& [name, other] : programs) {
    if (other.machine != own->machine) continue;
    const auto* access = find_step<AccessStep>(other);
    const bool remote = access != nullptr && access->device == AccessedDevice::remote;
    const Bytes behind = begin + (remote ? stripes(access->extent) : Bytes{0});
    if (name == program) return {.of_access = begin, .of_memory = behind};
    begin = behind + (other.memory ? stripes(Bytes{pages_of(*other.memory) * slots_per_page * page_size}) : Bytes{0});
  }
  return {};
}

std::unique_ptr<TouchedPages> touches_of(const ProgramMemory& memory, int threads) {
  if (memory.records) return std::make_unique<RecordTouches>(*memory.records);
  if (memory.pages) return std::make_unique<PageTouches>(*memory.pages, threads);
  throw std::invalid_argument("a memory needs pages or records");
}

std::int64_t pages_of(const ProgramMemory& memory) {
  if (memory.records) return record_pages(*memory.records) + index_pages(*memory.records);
  return memory.pages ? memory.pages->pages : 0;
}

}  // namespace doorbell::model
