// Settings of shared-files scenarios that nothing asks: whoever writes them expects an effect.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "scenario/checks.hpp"
#include "scenario/form.hpp"

namespace doorbell::scenario {

using namespace model;

namespace {

class FileSettings {
 public:
  FileSettings(const Examined& examined, SharedFilesScenario& shared) : examined_{examined}, shared_{shared} {}

  void check() const {
    check_tunables();
    check_machines();
    check_server();
    check_load();
    check_sectors();
  }

 private:
  /// Why a part of the scenario is not asked; none where it is.
  using Reason = std::string_view;
  static constexpr Reason none{};

  [[nodiscard]] bool writes() const {
    if (shared_.stream) return shared_.stream->operation == BlockOperation::write;
    return shared_.trace && std::ranges::any_of(shared_.trace->requests, [](const TraceRequest& request) {
             return request.operation == BlockOperation::write;
           });
  }
  [[nodiscard]] bool reads() const {
    if (shared_.stream) return shared_.stream->operation == BlockOperation::read;
    return !shared_.trace || std::ranges::any_of(shared_.trace->requests, [](const TraceRequest& request) {
      return request.operation == BlockOperation::read;
    });
  }
  [[nodiscard]] bool server_caches() const { return shared_.disks.page_cache.count > 0; }
  /// Why the machines have no page cache of their own.
  [[nodiscard]] Reason past_cache() const {
    if (shared_.trace) return "as traces are replayed past the page cache";
    return shared_.mount.direct ? "as direct I/O goes past the page cache" : none;
  }

  /// `member` of `structure`, which is at `at`, must have its default where there is a reason that nothing asks it.
  template <class S, class T>
  void expect_default(Reason reason, const Pointer& at, S& structure, T& member, const T& usual) const {
    const Pointer pointer = at / member_name(structure, member);
    if (reason == none || member == usual || is_decided_apart(pointer)) return;
    examined_.refuse(ErrorCode::without_effect, pointer, fmt::format("{}, the default, {}", shown(usual), reason),
                     shown(member));
  }

  template <class T> static std::string shown(const T& value) {
    return std::is_enum_v<T> ? in_quotes(text_of(value)) : text_of(value);
  }

  /// Whether somebody else than who wrote a setting chose what it depends on: a sweep, of which other points may use
  /// the setting, an option, or the other one of two files that extend one another.
  [[nodiscard]] bool is_decided_apart(const Pointer& pointer) const {
    const Node* setting = find(examined_.tree, pointer);
    const auto decides = [&](auto& structure, auto& member, const Pointer& place) {
      const Node* choice = find(examined_.tree, place / member_name(structure, member));
      if (choice == nullptr) return false;
      if (choice->author == Author::sweep) return true;
      if (setting == nullptr || setting->author != Author::file) return false;
      return choice->author == Author::option || choice->at.file_name() != setting->at.file_name();
    };
    const Pointer mounted = at() / member_name(shared_, shared_.mount);
    const Pointer exported = at() / member_name(shared_, shared_.disks);
    return decides(shared_.disks, shared_.disks.scheduler, exported) ||
           decides(shared_.disks, shared_.disks.page_cache, exported) ||
           decides(shared_.mount, shared_.mount.direct, mounted) ||
           decides(shared_.mount, shared_.mount.nodes, mounted) || decides(shared_, shared_.trace, at()) ||
           (shared_.stream &&
            decides(*shared_.stream, shared_.stream->operation, at() / member_name(shared_, shared_.stream)));
  }

  [[nodiscard]] Pointer at() const { return Pointer{} / keys::shared_files; }

  void check_tunables() const {
    IoSchedulerTunables& set = shared_.disks.tunables;
    const IoSchedulerTunables usual;
    const IoScheduler scheduler = shared_.disks.scheduler;
    const Pointer tunables =
        at() / member_name(shared_, shared_.disks) / member_name(shared_.disks, shared_.disks.tunables);
    const auto expect = [&](Reason reason, auto& member, const auto& its_default) {
      expect_default(reason, tunables, set, member, its_default);
    };
    // The anticipatory scheduler is the deadline scheduler while it does not wait.
    const bool has_batches = scheduler == IoScheduler::deadline || scheduler == IoScheduler::anticipatory;
    const Reason batches = has_batches ? none : "as only the schedulers \"deadline\" and \"anticipatory\" know it";
    const Reason anticipates =
        scheduler == IoScheduler::anticipatory ? none : "as only the scheduler \"anticipatory\" knows it";
    const Reason slices = scheduler == IoScheduler::cfq ? none : "as only the scheduler \"cfq\" knows it";
    const auto and_reads = [this](Reason reason) { return reason != none || reads() ? reason : "as nothing is read"; };
    const auto and_writes = [this](Reason reason) {
      return reason != none || writes() ? reason : "as nothing is written";
    };
    expect(and_reads(batches), set.read_expire, usual.read_expire);
    expect(and_writes(batches), set.write_expire, usual.write_expire);
    expect(batches, set.fifo_batch, usual.fifo_batch);
    expect(and_reads(and_writes(batches)), set.writes_starved, usual.writes_starved);
    expect(and_reads(anticipates), set.antic_expire, usual.antic_expire);
    expect(anticipates, set.antic_read_expire, usual.antic_read_expire);
    expect(and_reads(anticipates), set.antic_close, usual.antic_close);
    expect(slices, set.slice_sync, usual.slice_sync);
    expect(and_reads(slices), set.slice_idle, usual.slice_idle);
    expect(slices, set.quantum, usual.quantum);
  }

  void check_machines() const {
    Mount& mount = shared_.mount;
    const Mount usual;
    const Pointer mounted = at() / member_name(shared_, mount);
    const Reason uncached = past_cache();
    expect_default(uncached == none && !reads() ? "as nothing is read" : uncached, mounted, mount, mount.read_ahead,
                   usual.read_ahead);
    expect_default(uncached, mounted, mount, mount.page_cache, usual.page_cache);
    // It is the server's as well.
    const Reason never_dirty = !writes() ? "as nothing is written" : server_caches() ? none : uncached;
    expect_default(never_dirty, mounted, mount, mount.dirty_limit, usual.dirty_limit);
    expect_default(shared_.trace ? "as a trace takes no locks" : none, mounted, mount, mount.lock, usual.lock);
    expect_default(shared_.trace ? "as traces are replayed past the page cache" : none, mounted, mount, mount.direct,
                   usual.direct);
  }

  void check_server() const {
    DiskExport& disks = shared_.disks;
    const DiskExport usual;
    const Pointer exported = at() / member_name(shared_, disks);
    expect_default(!server_caches() ? "as the server has no page cache"
                   : !reads()       ? "as nothing is read"
                                    : none,
                   exported, disks, disks.read_ahead, usual.read_ahead);
    expect_default(!reads() ? "as nothing is read, and writes pass memory" : none, exported, disks, disks.synchronized,
                   usual.synchronized);
  }

  void check_load() const {
    if (shared_.tiles) {
      expect_default("as the tiles are those of one picture", at() / member_name(shared_, shared_.files), shared_.files,
                     shared_.files.count, FileSet{}.count);
    }
    const auto check_again = [this](auto& load) {
      // Who has used a file before holds its lock.
      const bool has_locks = shared_.mount.lock > Time{0} || (shared_.mount.nodes > 1 && writes());
      if (!load || server_caches() || !shared_.mount.direct || has_locks) return;
      expect_default("as nothing has a page cache or a lock that could hold the files",
                     at() / member_name(shared_, load), *load, load->again, false);
    };
    check_again(shared_.stream);
    check_again(shared_.web);
  }

  /// Linux refuses direct I/O of anything but whole sectors (open(2), O_DIRECT), except that a call may reach beyond
  /// the end of the file that it reads.
  void check_sectors() const {
    if (!shared_.mount.direct) return;
    constexpr std::int64_t whole = 512;
    const auto expect_whole = [this](const Pointer& pointer, Bytes size, std::string_view what = {}) {
      if (size.count % whole == 0) return;
      examined_.refuse(ErrorCode::broken_sector, pointer, fmt::format("{}whole sectors of 512 B with direct I/O", what),
                       in_bytes(size));
    };
    if (writes() && shared_.stream) {
      expect_whole(at() / member_name(shared_, shared_.files) / member_name(shared_.files, shared_.files.size),
                   shared_.files.size);
    }
    const auto record_of = [&](auto& load) {
      if (load && load->record < shared_.files.size)
        expect_whole(at() / member_name(shared_, load) / member_name(*load, load->record), load->record);
    };
    record_of(shared_.stream);
    record_of(shared_.web);
    if (!shared_.tiles) return;
    TileLoad& tiles = *shared_.tiles;
    const Pointer picture = at() / member_name(shared_, shared_.tiles);
    expect_whole(picture / member_name(tiles, tiles.sieve), tiles.sieve);
    expect_whole(picture / member_name(tiles, tiles.width), tiles.element * tiles.width, "rows of a tile of ");
  }

  const Examined& examined_;
  SharedFilesScenario& shared_;
};

}  // namespace

void check_file_settings(SharedFilesScenario& shared, const Node& tree) {
  Scenario nothing;
  const Examined examined{nothing, tree};
  FileSettings{examined, shared}.check();
}

}  // namespace doorbell::scenario
