// Storage scenarios whose parts contradict one another.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "models/storage/storage_routes.hpp"
#include "scenario/checks.hpp"
#include "scenario/form.hpp"
#include "scenario/without_effect.hpp"

namespace doorbell::scenario {

using namespace model;

namespace {

/// Only reads in segments have an order.
void check_scheduler(const Examined& examined, const Pointer& at, StorageScenario& storage) {
  const Pointer medium = at / member_name(storage, storage.medium);
  const Pointer operation = at / member_name(storage, storage.operation);
  expect_default(examined,
                 {{storage.medium == Medium::raid, "as an array takes each request as a whole", {medium}},
                  {storage.operation == BlockOperation::write, "as only reads are in segments", {operation}}},
                 at, storage, storage.scheduler, StorageScenario{}.scheduler);
}

/// What a profile says of heads and disk buffers is for those who share files, and nothing to complain about; that
/// somebody sets it here is.
void check_heads(const Examined& examined, const Pointer& at, DiskMechanics& mechanics) {
  constexpr std::string_view why = "as requests are sequential, and no disk has to seek or to hold them";
  const Node* written = find(examined.tree, at);
  if (written == nullptr) return;
  const auto is_set_here = [&examined](const Member& member) {
    return member.value.author != Author::file || member.value.at.file_name() == examined.tree.at.file_name();
  };
  if (std::ranges::all_of(written->members, is_set_here)) {
    // A scenario that describes its server itself must say what every profile must.
    const Reasons none_asks{{true, why, {}}};
    expect_default(examined, none_asks, at, mechanics, mechanics.queue_depth, DiskMechanics{}.queue_depth);
    expect_default(examined, none_asks, at, mechanics, mechanics.write_cache, DiskMechanics{}.write_cache);
    return;
  }
  for (const Member& member : written->members) {
    if (!is_set_here(member)) continue;
    const Node* value = is_leaf_object(member.value) ? member.value.find("value") : &member.value;
    examined.refuse(ErrorCode::without_effect, at / member.name, fmt::format("what the profile says, {}", why),
                    description(*value));
  }
}

}  // namespace

void check_storage(StorageScenario& storage, const Node& tree) {
  Scenario none;
  const Examined examined{none, tree};
  const Pointer at = Pointer{} / keys::storage;
  const Pointer mechanics = at / keys::hardware / "raid" / "mechanics";
  check_mechanics(examined, mechanics, storage.server.raid.mechanics);
  check_heads(examined, mechanics, storage.server.raid.mechanics);
  const bool in_sram = storage.path == DataPath::sram || storage.path == DataPath::local_sram;
  const Bytes room = storage.server.nic.sram;
  if (in_sram && storage.request > room) {
    examined.refuse(ErrorCode::buffer_too_small, at / member_name(storage, storage.request),
                    fmt::format("at most {}, the NIC's memory", in_bytes(room)), in_bytes(storage.request));
  }
  if (storage.synchronized != SynchronizedSend::none &&
      (storage.path != DataPath::sram || storage.operation != BlockOperation::read)) {
    examined.refuse(ErrorCode::synchronized_elsewhere, at / member_name(storage, storage.synchronized),
                    "\"none\", except for reads on the path \"sram\"", in_quotes(text_of(storage.synchronized)));
  }
  if (storage.path == DataPath::tcp && storage.operation == BlockOperation::write) {
    examined.refuse(ErrorCode::reads_only, at / member_name(storage, storage.operation),
                    in_quotes(text_of(BlockOperation::read)) + " on the path \"tcp\"",
                    in_quotes(text_of(storage.operation)));
  }
  if (storage.medium == Medium::page_cache && !crosses_memory(storage.path)) {
    examined.refuse(ErrorCode::cache_elsewhere, at / member_name(storage, storage.path),
                    R"("ram", "tcp" or "local_ram", where the page cache is)", in_quotes(text_of(storage.path)));
  }
  check_scheduler(examined, at, storage);
}

}  // namespace doorbell::scenario
