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

/// Settings of the server that nothing asks. What a profile says there is for those who use it otherwise, and nothing
/// to complain about; that somebody sets it here is.
class ServerSettings {
 public:
  ServerSettings(const Examined& examined, const Pointer& at, StorageScenario& storage)
      : examined_{examined}, storage_{storage}, at_{at}, server_{at / member_name(storage, storage.server)} {}

  void check() const {
    check_heads();
    check_disks();
    check_fast_device();
    check_nic();
    check_processors();
    check_buses();
  }

 private:
  [[nodiscard]] bool writes() const { return storage_.operation == BlockOperation::write; }
  [[nodiscard]] bool is_cached() const { return storage_.medium == Medium::page_cache; }
  [[nodiscard]] Reason unless(bool holds, std::string_view text, std::vector<Pointer> follows_from) const {
    return {!holds, text, std::move(follows_from)};
  }
  template <class T> [[nodiscard]] Pointer choice(const T& member) const { return at_ / member_name(storage_, member); }
  template <class T> [[nodiscard]] Pointer part(const T& member) const {
    return server_ / member_name(storage_.server, member);
  }
  [[nodiscard]] Pointer medium() const { return choice(storage_.medium); }
  [[nodiscard]] Pointer operation() const { return choice(storage_.operation); }
  [[nodiscard]] Pointer path() const { return choice(storage_.path); }

  [[nodiscard]] bool describes_server() const {
    const Node* described = find(examined_.tree, server_);
    return described != nullptr && !described->profile;
  }
  /// Who describes a server, or puts a whole part in place of another, must say there what every profile must.
  [[nodiscard]] bool must_be_said(const Node& written, const Node& around) const {
    if (written.author == Author::file) return describes_server();
    return around.author == written.author && around.at.file_name() == written.at.file_name();
  }

  /// A member of the part of the server at `around`, and of what the part may leave out, too.
  void expect_unset(const Reasons& reasons, const Pointer& around, const std::string& member,
                    bool required = true) const {
    const Node* owner = find(examined_.tree, around);
    const Node* written = owner == nullptr ? nullptr : owner->find(member);
    if (written == nullptr) return;
    const Pointer at = around / member;
    if (written->is(Kind::object) && !is_leaf_object(*written)) {
      for (const Member& inner : written->members) expect_unset(reasons, at, inner.name);
      return;
    }
    const bool said = must_be_said(*written, *owner);
    if (written->shared || (said && required)) return;
    const Reason* reason = first_of(reasons, examined_.tree, at);
    if (reason == nullptr) return;
    const Node* value = is_leaf_object(*written) ? written->find("value") : written;
    std::string_view usual = describes_server() ? "what the scenario says of its server" : "what the profile says";
    if (said) usual = "none";
    examined_.refuse(ErrorCode::without_effect, at, fmt::format("{}, {}", usual, reason->text), description(*value));
  }

  void check_heads() const {
    DiskArrayParameters& raid = storage_.server.raid;
    DiskMechanics& mechanics = raid.mechanics;
    const Reasons none_asks{{true, "as requests are sequential, and no disk has to seek or to hold them", {}}};
    const std::string name = member_name(raid, mechanics);
    expect_unset(none_asks, part(raid), name);
    // What may be left out may still be said to be as usual.
    const Pointer heads = part(raid) / name;
    const auto expect_usual = [&](auto& member, const auto& usual) {
      const Node* written = find(examined_.tree, heads / member_name(mechanics, member));
      if (written != nullptr && !written->shared) expect_default(examined_, none_asks, heads, mechanics, member, usual);
    };
    expect_usual(mechanics.queue_depth, DiskMechanics{}.queue_depth);
    expect_usual(mechanics.write_cache, DiskMechanics{}.write_cache);
  }

  void check_disks() const {
    DiskArrayParameters& disks = storage_.server.raid;
    const auto expect = [&](const Reasons& reasons, const auto& member) {
      expect_unset(reasons, part(disks), member_name(disks, member));
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
    expect_unset({unless(storage_.medium == Medium::raid, "as the blocks are not on disks", {medium()})}, server_,
                 member_name(storage_.server, disks));
  }

  void check_fast_device() const {
    FastDeviceParameters& device = storage_.server.fast_device;
    const Reason on_disks = unless(storage_.medium != Medium::raid, "as the blocks are on disks", {medium()});
    constexpr std::string_view in_memory = "as the blocks are in the page cache";
    expect_unset({on_disks, unless(!is_cached(), in_memory, {medium()})}, part(device),
                 member_name(device, device.command));
    expect_unset({on_disks, unless(!(is_cached() && writes()), in_memory, {medium(), operation()})}, part(device),
                 member_name(device, device.segment));
  }

  void check_nic() const {
    StorageServer& server = storage_.server;
    ProgrammableNicParameters& nic = server.nic;
    const auto expect = [&](const Reasons& reasons, const auto& member) {
      expect_unset(reasons, part(nic), member_name(nic, member));
    };
    const Reason local = unless(is_remote(storage_.path), "as nothing is sent", {path()});
    expect({local}, nic.link);
    expect({local}, nic.message);
    expect({local}, nic.latency);
    const Reason elsewhere = unless(in_sram(storage_.path), "as data do not rest in the NIC's memory", {path()});
    expect({elsewhere}, nic.sram);
    expect({elsewhere, unless(writes(), "as only writes are read out of the NIC", {operation()})}, nic.read_target);
    expect({unless(storage_.synchronized != SynchronizedSend::none, "as only synchronized sends go packet by packet",
                   {choice(storage_.synchronized)})},
           nic.packet);
    const bool on_card = storage_.path == DataPath::pcimem || storage_.path == DataPath::local_pcimem;
    expect_unset({unless(on_card, "as data do not rest in memory on the bus", {path()})}, server_,
                 member_name(server, server.bus_memory));
  }

  void check_processors() const {
    ServerCpuParameters& cpu = storage_.server.cpu;
    const Reason no_copies = unless(storage_.path == DataPath::tcp, "as only copies for TCP take this time", {path()});
    expect_unset({no_copies}, part(cpu), member_name(cpu, cpu.copy));
    expect_unset({no_copies}, part(cpu), member_name(cpu, cpu.tcp));
  }

  void check_buses() const {
    BusParameters& bus = storage_.server.bus;
    const auto expect = [&](const Reasons& reasons, const auto& member, bool required = true) {
      expect_unset(reasons, part(bus), member_name(bus, member), required);
    };
    const bool in_memory = crosses_memory(storage_.path);
    const Reason past = unless(in_memory, "as data do not pass memory", {path()});
    const Reason stays =
        unless(!is_cached() || is_remote(storage_.path), "as data do not leave memory", {medium(), path()});
    expect({stays}, bus.pci);
    expect({past, stays}, bus.bridge);
    const bool computes = storage_.compute && storage_.compute->memory_share > 0;
    ComputeProcess process;
    const Pointer compute = choice(storage_.compute) / member_name(process, process.memory_share);
    expect({unless(in_memory || computes, "as neither data nor computing pass memory", {path(), compute})}, bus.memory);
    const bool copies = is_cached() || storage_.path == DataPath::tcp;
    expect({unless(copies || computes, "as no processor copies or computes", {medium(), path(), compute})},
           bus.front_side, false);
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
