// Storage scenarios whose parts contradict one another.
#include <fmt/format.h>

#include <string_view>
#include <utility>
#include <vector>

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

/// Settings of the server's disks and of its fast device that nothing asks. What a profile says there is for those who
/// use it otherwise, and nothing to complain about; that somebody sets it here is.
class ServerSettings {
 public:
  ServerSettings(const Examined& examined, const Pointer& at, StorageScenario& storage)
      : examined_{examined}, storage_{storage}, at_{at}, server_{at / member_name(storage, storage.server)} {}

  void check() const {
    check_heads();
    check_disks();
    check_fast_device();
  }

 private:
  [[nodiscard]] bool writes() const { return storage_.operation == BlockOperation::write; }
  [[nodiscard]] Reason unless(bool holds, std::string_view text, std::vector<Pointer> follows_from) const {
    return {!holds, text, std::move(follows_from)};
  }
  [[nodiscard]] Pointer medium() const { return at_ / member_name(storage_, storage_.medium); }
  [[nodiscard]] Pointer operation() const { return at_ / member_name(storage_, storage_.operation); }
  [[nodiscard]] Pointer path() const { return at_ / member_name(storage_, storage_.path); }
  [[nodiscard]] Pointer raid() const { return server_ / member_name(storage_.server, storage_.server.raid); }

  /// A scenario that describes its server itself must say what every profile must.
  [[nodiscard]] bool describes_server() const {
    const Node* described = find(examined_.tree, server_);
    return described != nullptr && !described->profile;
  }

  void expect_unset(const Reasons& reasons, const Pointer& at) const {
    const Node* written = find(examined_.tree, at);
    if (written == nullptr) return;
    if (written->is(Kind::object) && !is_leaf_object(*written)) {
      for (const Member& member : written->members) expect_unset(reasons, at / member.name);
      return;
    }
    if (written->shared || (written->author == Author::file && describes_server())) return;
    const Reason* reason = first_of(reasons, examined_.tree, at);
    if (reason == nullptr) return;
    const Node* value = is_leaf_object(*written) ? written->find("value") : written;
    const std::string_view usual =
        describes_server() ? "what the scenario says of its server" : "what the profile says";
    examined_.refuse(ErrorCode::without_effect, at, fmt::format("{}, {}", usual, reason->text), description(*value));
  }

  void check_heads() const {
    DiskMechanics& mechanics = storage_.server.raid.mechanics;
    const Pointer heads = raid() / member_name(storage_.server.raid, mechanics);
    const Reasons none_asks{{true, "as requests are sequential, and no disk has to seek or to hold them", {}}};
    if (describes_server()) {
      expect_default(examined_, none_asks, heads, mechanics, mechanics.queue_depth, DiskMechanics{}.queue_depth);
      expect_default(examined_, none_asks, heads, mechanics, mechanics.write_cache, DiskMechanics{}.write_cache);
    }
    expect_unset(none_asks, heads);
  }

  void check_disks() const {
    DiskArrayParameters& disks = storage_.server.raid;
    const auto expect = [&](const Reasons& reasons, const auto& member) {
      expect_unset(reasons, raid() / member_name(disks, member));
    };
    expect({{true, "as the controller takes one request at a time", {}}}, disks.queue);
    const Reason buffered = unless(!writes(), "as the controller's buffers take what is written", {operation()});
    expect({buffered}, disks.chunk);
    expect({buffered}, disks.read_ahead);
    expect({buffered}, disks.command);
    const Reason reads = unless(writes(), "as the controller fetches only what is written", {operation()});
    const bool in_memory = crosses_memory(storage_.path);
    expect({reads, unless(in_memory, "as data do not rest in memory", {path()})}, disks.fetch_from_memory);
    expect({reads, unless(!in_memory, "as data rest in memory", {path()})}, disks.fetch_from_bus);
    expect_unset({unless(storage_.medium == Medium::raid, "as the blocks are not on disks", {medium()})}, raid());
  }

  void check_fast_device() const {
    FastDeviceParameters& device = storage_.server.fast_device;
    const Pointer at = server_ / member_name(storage_.server, device);
    const Reason on_disks = unless(storage_.medium != Medium::raid, "as the blocks are on disks", {medium()});
    const bool cached = storage_.medium == Medium::page_cache;
    constexpr std::string_view in_memory = "as the blocks are in the page cache";
    expect_unset({on_disks, unless(!cached, in_memory, {medium()})}, at / member_name(device, device.command));
    expect_unset({on_disks, unless(!(cached && writes()), in_memory, {medium(), operation()})},
                 at / member_name(device, device.segment));
  }

  const Examined& examined_;
  StorageScenario& storage_;
  Pointer at_;
  Pointer server_;
};

}  // namespace

void check_storage(StorageScenario& storage, const Node& tree) {
  Scenario none;
  const Examined examined{none, tree};
  const Pointer at = Pointer{} / keys::storage;
  check_mechanics(examined, at / keys::hardware / "raid" / "mechanics", storage.server.raid.mechanics);
  ServerSettings{examined, at, storage}.check();
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
