// Storage scenarios whose parts contradict one another.
#include <fmt/format.h>

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

}  // namespace

void check_storage(StorageScenario& storage, const Node& tree) {
  Scenario none;
  const Examined examined{none, tree};
  const Pointer at = Pointer{} / keys::storage;
  check_mechanics(examined, at / keys::hardware / "raid" / "mechanics", storage.server.raid.mechanics);
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
