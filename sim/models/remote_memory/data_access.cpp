#include "models/remote_memory/data_access.hpp"

#include <cstdint>

namespace doorbell::model {

Time DataAccess::mapping_time(Bytes size) const {
  const std::int64_t pages = ceil_div(size, Bytes{4096});
  return placement_.space == AddressSpace::kernel ? memory_.map + memory_.map_page * pages
                                                  : memory_.register_region + memory_.register_page * pages;
}

bool DataAccess::copies(Bytes size) const {
  switch (placement_.registration) {
    case Registration::copy: return true;
    case Registration::map: return size <= placement_.copy_up_to;
    case Registration::in_place: return false;
    case Registration::threshold: return copy_time(size) <= mapping_time(size);
  }
  return false;
}

Time DataAccess::before(Bytes size, bool write) const {
  if (placement_.registration == Registration::in_place) return Time{0};
  if (!copies(size)) return mapping_time(size);
  return write ? copy_time(size) : Time{0};
}

}  // namespace doorbell::model
