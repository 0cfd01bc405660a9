// Settings of shared-files scenarios that nothing asks: whoever writes them expects an effect.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenario/checks.hpp"
#include "scenario/form.hpp"
#include "scenario/without_effect.hpp"

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
  [[nodiscard]] bool has_requests(BlockOperation operation) const {
    return std::ranges::find(shared_.trace->requests, operation, &TraceRequest::operation) !=
           shared_.trace->requests.end();
  }
  [[nodiscard]] bool writes() const {
    if (shared_.stream) return shared_.stream->operation == BlockOperation::write;
    return shared_.trace && has_requests(BlockOperation::write);
  }
  [[nodiscard]] bool reads() const {
    if (shared_.stream) return shared_.stream->operation == BlockOperation::read;
    return !shared_.trace || has_requests(BlockOperation::read);
  }
  [[nodiscard]] bool server_caches() const { return shared_.disks.page_cache.count > 0; }
  [[nodiscard]] bool ends_by_itself() const { return shared_.tiles || shared_.trace; }

  [[nodiscard]] Pointer at() const { return Pointer{} / keys::shared_files; }
  template <class T> [[nodiscard]] Pointer place_of(T& part) const { return at() / member_name(shared_, part); }
  template <class T> [[nodiscard]] Pointer of_mount(T& member) const {
    return place_of(shared_.mount) / member_name(shared_.mount, member);
  }
  template <class T> [[nodiscard]] Pointer of_export(T& member) const {
    return place_of(shared_.disks) / member_name(shared_.disks, member);
  }
  [[nodiscard]] Pointer server_cache() const { return of_export(shared_.disks.page_cache); }
  /// What decides whether the load reads or writes.
  [[nodiscard]] Pointer operation() const {
    if (shared_.stream) return place_of(shared_.stream) / member_name(*shared_.stream, shared_.stream->operation);
    if (shared_.trace) return place_of(shared_.trace) / member_name(*shared_.trace, shared_.trace->file);
    return shared_.web ? place_of(shared_.web) : place_of(shared_.tiles);
  }

  [[nodiscard]] Reason reads_nothing() const { return {!reads(), "as nothing is read", {operation()}}; }
  [[nodiscard]] Reason writes_nothing() const { return {!writes(), "as nothing is written", {operation()}}; }
  /// Why the machines have no page cache of their own.
  [[nodiscard]] Reason replays() const {
    return {shared_.trace.has_value(), "as traces are replayed past the page cache", {place_of(shared_.trace)}};
  }
  [[nodiscard]] Reason is_direct() const {
    return {shared_.mount.direct, "as direct I/O goes past the page cache", {of_mount(shared_.mount.direct)}};
  }
  /// The same reason, where nothing is cached on the server either.
  [[nodiscard]] Reason and_nowhere_else(Reason reason) const {
    reason.holds = reason.holds && !server_caches();
    reason.follows_from.push_back(server_cache());
    return reason;
  }

  template <class S, class T>
  void expect_default(const Reasons& reasons, const Pointer& at, S& structure, T& member, const T& usual) const {
    scenario::expect_default(examined_, reasons, at, structure, member, usual);
  }

  /// Only some schedulers know a tunable.
  [[nodiscard]] Reason unless(bool is_known, std::string_view text) const {
    return {!is_known, text, {of_export(shared_.disks.scheduler)}};
  }

  void check_tunables() const {
    IoSchedulerTunables& set = shared_.disks.tunables;
    const IoSchedulerTunables usual;
    const IoScheduler scheduler = shared_.disks.scheduler;
    const auto expect = [&](const Reasons& reasons, auto& member, const auto& its_default) {
      expect_default(reasons, of_export(set), set, member, its_default);
    };
    const bool anticipates = scheduler == IoScheduler::anticipatory;
    // The anticipatory scheduler is the deadline scheduler while it does not wait.
    const Reason no_batches = unless(scheduler == IoScheduler::deadline || anticipates,
                                     "as only the schedulers \"deadline\" and \"anticipatory\" know it");
    const Reason never_waits = unless(anticipates, "as only the scheduler \"anticipatory\" knows it");
    const Reason no_slices = unless(scheduler == IoScheduler::cfq, "as only the scheduler \"cfq\" knows it");
    expect({no_batches, reads_nothing()}, set.read_expire, usual.read_expire);
    expect({no_batches, writes_nothing()}, set.write_expire, usual.write_expire);
    expect({no_batches}, set.fifo_batch, usual.fifo_batch);
    expect({no_batches, writes_nothing(), reads_nothing()}, set.writes_starved, usual.writes_starved);
    expect({never_waits, reads_nothing()}, set.antic_expire, usual.antic_expire);
    expect({never_waits}, set.antic_read_expire, usual.antic_read_expire);
    expect({never_waits, reads_nothing()}, set.antic_close, usual.antic_close);
    expect({no_slices}, set.slice_sync, usual.slice_sync);
    expect({no_slices, reads_nothing()}, set.slice_idle, usual.slice_idle);
    expect({no_slices}, set.quantum, usual.quantum);
  }

  void check_machines() const {
    Mount& mount = shared_.mount;
    const Mount usual;
    const auto expect = [&](const Reasons& reasons, auto& member, const auto& its_default) {
      expect_default(reasons, place_of(mount), mount, member, its_default);
    };
    expect({replays(), is_direct(), reads_nothing()}, mount.read_ahead, usual.read_ahead);
    expect({replays(), is_direct()}, mount.page_cache, usual.page_cache);
    // It is the server's as well.
    expect({writes_nothing(), and_nowhere_else(replays()), and_nowhere_else(is_direct())}, mount.dirty_limit,
           usual.dirty_limit);
    expect({{shared_.trace.has_value(), "as a trace takes no locks", {place_of(shared_.trace)}}}, mount.lock,
           usual.lock);
    expect({replays()}, mount.direct, usual.direct);
  }

  void check_server() const {
    DiskExport& disks = shared_.disks;
    const DiskExport usual;
    const auto expect = [&](const Reasons& reasons, auto& member, const auto& its_default) {
      expect_default(reasons, place_of(disks), disks, member, its_default);
    };
    expect({{!server_caches(), "as the server has no page cache", {server_cache()}}, reads_nothing()}, disks.read_ahead,
           usual.read_ahead);
    const Reason passes{!reads(), "as nothing is read, and writes pass memory", {operation()}};
    expect({passes}, disks.synchronized, usual.synchronized);
    const Bytes room = shared_.server.nic.sram;
    if (disks.path == DataPath::sram && reads() && shared_.mount.largest_request > room) {
      examined_.refuse(ErrorCode::buffer_too_small, of_mount(shared_.mount.largest_request),
                       fmt::format("at most {}, the NIC's memory", in_bytes(room)),
                       in_bytes(shared_.mount.largest_request));
    }
  }

  void check_load() const {
    const Reason ends{ends_by_itself(),
                      "as the run ends with the load",
                      {shared_.tiles ? place_of(shared_.tiles) : place_of(shared_.trace)}};
    const SharedFilesScenario usual;
    expect_default({ends}, at(), shared_, shared_.warmup, usual.warmup);
    expect_default({ends}, at(), shared_, shared_.duration, usual.duration);
    check_again(shared_.stream);
    check_again(shared_.web);
    if (shared_.stream) check_stream(*shared_.stream);
    if (shared_.tiles) check_tiles(*shared_.tiles);
  }

  template <class Load> void check_again(std::optional<Load>& load) const {
    if (!load) return;
    Mount& mount = shared_.mount;
    // Who has used a file before holds its lock.
    const bool has_locks = mount.lock > Time{0} || (mount.nodes > 1 && writes());
    const Reason holds_nothing{
        !server_caches() && mount.direct && !has_locks,
        "as nothing has a page cache or a lock that could hold the files",
        {server_cache(), of_mount(mount.direct), of_mount(mount.lock), of_mount(mount.nodes), operation()}};
    expect_default({holds_nothing}, place_of(load), *load, load->again, false);
  }

  void check_stream(StreamLoad& stream) const {
    Mount& mount = shared_.mount;
    const Pointer streams = place_of(shared_.stream);
    const Pointer nodes = of_mount(mount.nodes);
    expect_default({{mount.nodes == 1, "as there is one machine", {nodes}}}, streams, stream, stream.stagger, Time{0});
    const int users = mount.nodes * stream.processes;
    // The server reads on into the next file, and caches hold the last ones of all that have been read before.
    const bool is_more = shared_.files.count > users && !server_caches();
    const std::vector<Pointer> of_users{nodes, streams / member_name(stream, stream.processes), server_cache()};
    Reason not_again{is_more && !stream.again, {}, of_users};
    not_again.follows_from.push_back(streams / member_name(stream, stream.again));
    Reason past_caches{is_more && mount.direct, {}, of_users};
    past_caches.follows_from.push_back(of_mount(mount.direct));
    const Pointer count = place_of(shared_.files) / member_name(shared_.files, shared_.files.count);
    if (first_of({not_again, past_caches}, examined_.tree, count) == nullptr) return;
    examined_.refuse(ErrorCode::without_effect, count,
                     fmt::format("at most {}, as each process goes through one file", users),
                     text_of(shared_.files.count));
  }

  void check_tiles(TileLoad& tiles) const {
    const Pointer picture = place_of(shared_.tiles);
    expect_default({{true, "as the tiles are those of one picture", {picture}}}, place_of(shared_.files), shared_.files,
                   shared_.files.count, FileSet{}.count);
    const Bytes row = tiles.element * tiles.width;
    const std::string text = fmt::format("as a row of a tile, {}, is read at once", in_bytes(row));
    const Reason is_short{tiles.sieve <= row,
                          text,
                          {picture / member_name(tiles, tiles.width), picture / member_name(tiles, tiles.element)}};
    expect_default({is_short}, picture, tiles, tiles.sieve, TileLoad{}.sieve);
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
