// Shared-files scenarios whose parts contradict one another.
#include <fmt/format.h>

#include <cstdint>
#include <initializer_list>
#include <limits>

#include "scenario/checks.hpp"
#include "scenario/form.hpp"

namespace doorbell::scenario {

using namespace model;

namespace {

/// As much as can be counted, where the product is more.
Bytes product(Bytes size, std::initializer_list<std::int64_t> factors) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  for (const std::int64_t factor : factors) {
    if (size.count > most / factor) return Bytes{most};
    size = size * factor;
  }
  return size;
}

}  // namespace

void check_shared_files(SharedFilesScenario& shared, const Node& tree) {
  Scenario none;
  const Examined examined{none, tree};
  const Pointer at = Pointer{} / keys::shared_files;
  check_mechanics(examined, at / keys::hardware / "raid" / "mechanics", shared.server.raid.mechanics);
  const int loads = (shared.stream ? 1 : 0) + (shared.web ? 1 : 0) + (shared.tiles ? 1 : 0) + (shared.trace ? 1 : 0);
  if (loads != 1) {
    examined.refuse(ErrorCode::one_load, at, R"(one load: "stream", "web", "tiles" or "trace")",
                    loads == 0 ? "none" : fmt::format("{}", loads));
  }
  DiskExport& disks = shared.disks;
  const Pointer exported = at / member_name(shared, disks);
  if (disks.path != DataPath::ram && disks.path != DataPath::sram) {
    examined.refuse(ErrorCode::unknown_choice, exported / member_name(disks, disks.path), R"("ram" or "sram")",
                    in_quotes(text_of(disks.path)));
  }
  const bool past_memory = disks.path == DataPath::sram;
  if (past_memory && disks.page_cache.count > 0) {
    examined.refuse(ErrorCode::cache_elsewhere, exported / member_name(disks, disks.page_cache),
                    "0 B on the path \"sram\", which does not pass memory", text_of(disks.page_cache));
  }
  if (disks.synchronized == SynchronizedSend::single ||
      (!past_memory && disks.synchronized != SynchronizedSend::none)) {
    examined.refuse(ErrorCode::synchronized_elsewhere, exported / member_name(disks, disks.synchronized),
                    "\"none\", or \"multiple\" on the path \"sram\"", in_quotes(text_of(disks.synchronized)));
  }
  const Bytes all = product(shared.files.size, {shared.files.count});
  const Bytes disks_hold = shared.server.raid.mechanics.capacity * shared.server.raid.disks;
  const Pointer files = at / member_name(shared, shared.files);
  if (all > disks_hold) {
    examined.refuse(ErrorCode::buffer_too_small, files,
                    fmt::format("files of at most {} together, which the disks hold", text_of(disks_hold)),
                    text_of(all));
  }
  if (shared.tiles) {
    const TileLoad& tiles = *shared.tiles;
    const Bytes picture = product(tiles.element, {tiles.width, tiles.height, tiles.columns, tiles.rows});
    if (picture > shared.files.size) {
      examined.refuse(ErrorCode::buffer_too_small, files / member_name(shared.files, shared.files.size),
                      fmt::format("at least {}, the picture", in_bytes(picture)), in_bytes(shared.files.size));
    }
  }
}

}  // namespace doorbell::scenario
