#include "models/remote_loads/make_load.hpp"

#include <stdexcept>

#include "models/memory/page.hpp"
#include "models/remote_loads/block_load.hpp"
#include "models/remote_loads/file_load.hpp"
#include "models/remote_loads/paging_load.hpp"
#include "models/remote_memory/page_touches.hpp"
#include "models/remote_memory/record_touches.hpp"

namespace doorbell::model {
namespace {

/// The pages of a load under a memory limit.
std::unique_ptr<TouchedPages> pages_of(const RemoteLoad& load) {
  if (load.records) return std::make_unique<RecordTouches>(*load.records);
  return std::make_unique<PageTouches>(*load.paging, load.paging->threads);
}

}  // namespace

std::unique_ptr<Load> make_load(const LoadPlace& place, const RemoteLoad& load, Bytes begin, std::uint64_t seed) {
  const DevicePart part{place.device, begin, place.use};
  const HostSoftware& software = place.scenario.software;
  if (load.block)
    return std::make_unique<BlockLoadGenerator>(place.calendar, place.cpu, part, software, *load.block, seed);
  if (load.files) {
    return std::make_unique<FileLoadGenerator>(place.calendar, place.cpu, part, software, *load.files,
                                               place.scenario.access.stripe, seed);
  }
  if (const Application* application = application_of(load)) {
    return std::make_unique<PagingLoadGenerator>(place.calendar, place.cpu, part, software, *application,
                                                 pages_of(load), seed);
  }
  throw std::invalid_argument("a remote-memory scenario needs a load: block, paging, records or files");
}

Bytes extent_of(const RemoteLoad& load) {
  if (load.block) return Bytes{load.block->threads * part_of_block_thread};
  if (load.files) return load.files->file;
  const Bytes of_page{slots_per_page * page_size};
  if (load.records) return of_page * (record_pages(*load.records) + index_pages(*load.records));
  return load.paging ? of_page * load.paging->pages : Bytes{0};
}

std::vector<Bytes> parts_of_loads(const RemoteMemoryScenario& scenario) {
  const Bytes stripe = scenario.access.stripe;
  std::vector<Bytes> begins{Bytes{0}};
  const auto add = [&](const RemoteLoad& load) {
    begins.push_back(stripe * ceil_div(begins.back() + extent_of(load), stripe));
  };
  add(scenario);
  for (const auto& [name, load] : scenario.beside) add(load);
  return begins;
}

}  // namespace doorbell::model
