#include "analytic/file_traffic.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "models/memory/page.hpp"
#include "models/shared_files/tile_load.hpp"

namespace doorbell::analytic {
namespace {

using namespace model;

double count_of(Bytes bytes) { return static_cast<double>(bytes.count); }

/// Those who read or write files behind one cache.
struct Users {
  double distinct = 0;  ///< Bytes of all their files.
  double sharers = 1;   ///< Of a file in use; they may all be at the same place.
  double file = 0;      ///< Bytes of one; 0 where files are gone through from beginning to end.
  bool again = false;   ///< Everything has been read before.
};

/// Bytes that are new to the cache among the first `read` ones.
double first_time(const Users& users, double read) {
  if (users.file <= 0) return std::min(read / users.sharers, users.distinct);
  const double files = users.distinct / users.file;
  return users.distinct * -std::expm1(read / users.file * std::log1p(-1 / std::max(files, 1 + 1e-9)));
}

/// Share of the bytes that cannot be in a cache because they are read for the first time.
double share_of_first_time(const Users& users, const Progress& progress) {
  if (users.again || !std::isfinite(progress.measured) || progress.measured <= 0) return 0;
  const double all = first_time(users, progress.before + progress.measured);
  return (all - first_time(users, progress.before)) / progress.measured;
}

/// Share that a cache of `capacity` bytes has lost since, of a load that goes on for ever. `elsewhere`: bytes of files
/// that nobody asks for here, because another cache has them.
double share_of_lost(const Users& users, double capacity, double elsewhere = 0) {
  const double others = users.distinct - elsewhere;
  if (others <= capacity) return 0;
  return (users.file > 0 ? 1 - capacity / others : 1) / users.sharers;
}

using Extent = std::pair<std::int64_t, std::int64_t>;  ///< From, to.

/// Bytes that lie in any of them.
double covered(std::vector<Extent> extents) {
  std::sort(extents.begin(), extents.end());
  double bytes = 0;
  std::int64_t end = 0;
  for (const auto& [from, to] : extents) {
    bytes += static_cast<double>(std::max<std::int64_t>(0, to - std::max(from, end)));
    end = std::max(end, to);
  }
  return bytes;
}

class Traffic {
 public:
  Traffic(const SharedFilesScenario& scenario, const Progress& progress) : scenario_{scenario}, progress_{progress} {
    traffic_.disk_buffers = buffer_capacity(scenario.server.raid);
  }

  FileTraffic take() {
    if (scenario_.stream) stream(*scenario_.stream);
    if (scenario_.web) web(*scenario_.web);
    if (scenario_.tiles) tiles(*scenario_.tiles);
    if (scenario_.trace) trace(*scenario_.trace);
    return traffic_;
  }

 private:
  /// A segment of a disk's buffer holds as much behind the last request as it reads ahead.
  static double buffer_capacity(const DiskArrayParameters& raid) {
    return 2.0 * raid.disks * raid.mechanics.segments * count_of(raid.read_ahead);
  }

  [[nodiscard]] double write_caches() const {
    const DiskArrayParameters& raid = scenario_.server.raid;
    return raid.disks * count_of(raid.mechanics.write_cache);
  }

  /// Of one of so many.
  [[nodiscard]] Progress progress(double users) const { return {progress_.before / users, progress_.measured / users}; }
  [[nodiscard]] bool is_cached() const { return scenario_.disks.page_cache.count > 0; }

  /// Calls of `record` bytes from a file's beginning to its end.
  void calls_through_file(Bytes record) {
    const Bytes size = scenario_.files.size;
    traffic_.call = std::min(record, size);
    traffic_.calls = static_cast<double>(ceil_div(size, record));
  }

  /// Block requests of calls past the page cache, or of what the page cache reads and writes.
  void requests_of(bool write) {
    const Mount& mount = scenario_.mount;
    double& requests = write ? traffic_.write_requests : traffic_.read_requests;
    const double bytes = write ? traffic_.written : traffic_.read;
    Bytes longest = mount.largest_request;
    if (mount.direct) {
      longest = std::min(longest, traffic_.call);
    } else if (!write) {
      longest = std::min(longest, mount.read_ahead);
    }
    longest = std::max(longest, Bytes{page_size});
    traffic_.request = std::max(traffic_.request, longest);
    requests = std::max(bytes / count_of(longest), mount.direct ? traffic_.calls : 0);
  }

  void stream(const StreamLoad& load) {
    const Mount& mount = scenario_.mount;
    calls_through_file(load.record);
    traffic_.bytes = count_of(scenario_.files.size) / traffic_.calls;
    traffic_.calls = 1;
    const double nodes = mount.nodes;
    const double processes = load.processes;
    traffic_.processes = nodes * processes;
    const auto users_of = [&](double users) {
      const double files = std::min(static_cast<double>(scenario_.files.count), users);
      return Users{files * count_of(scenario_.files.size), users / files, 0, load.again};
    };
    if (load.operation == BlockOperation::write) {
      write(users_of(processes), users_of(nodes * processes));
      return;
    }
    read_through_caches(users_of(processes), users_of(nodes * processes));
  }

  void web(const WebLoad& load) {
    const Mount& mount = scenario_.mount;
    const FileSet& files = scenario_.files;
    calls_through_file(load.record);
    traffic_.bytes = count_of(files.size);
    traffic_.processes = static_cast<double>(mount.nodes) * load.processes;
    const auto users_of = [&](double users) {
      const double chosen = files.count * -std::expm1(users * std::log1p(-1 / std::max<double>(files.count, 1 + 1e-9)));
      return Users{files.count * traffic_.bytes, users / chosen, traffic_.bytes, load.again};
    };
    read_through_caches(users_of(load.processes), users_of(traffic_.processes));
    // Heads go from file to file.
    const DiskArrayParameters& raid = scenario_.server.raid;
    const double disks = static_cast<double>(std::min<std::int64_t>(raid.disks, ceil_div(files.size, raid.chunk)));
    traffic_.seeks = traffic_.media_read / traffic_.bytes * disks * (1 - 1.0 / files.count);
  }

  void read_through_caches(const Users& of_node, const Users& of_all) {
    const Mount& mount = scenario_.mount;
    double missing = 1;
    double elsewhere = 0;
    if (!mount.direct) {
      traffic_.copied = traffic_.bytes;
      missing = std::max(share_of_lost(of_node, count_of(mount.page_cache)),
                         share_of_first_time(of_node, progress(mount.nodes)));
      elsewhere = count_of(mount.page_cache);
    }
    traffic_.read = missing * traffic_.bytes;
    requests_of(false);
    const double first = share_of_first_time(of_all, progress(1));
    const auto behind = [&](double capacity, double before) {
      const double lost = of_all.file > 0 ? before * share_of_lost(of_all, capacity, elsewhere)
                                          : std::min(before, share_of_lost(of_all, capacity));
      return std::max(lost, first);
    };
    const double from_disks = is_cached() ? behind(count_of(scenario_.disks.page_cache), missing) : missing;
    traffic_.disk_read = from_disks * traffic_.bytes;
    traffic_.media_read = std::min(from_disks, behind(traffic_.disk_buffers, from_disks)) * traffic_.bytes;
  }

  void write(const Users& of_node, const Users& of_all) {
    const Mount& mount = scenario_.mount;
    // A page that several have written goes back once, and what may stay behind is not missed in a short run.
    const auto written_back = [&](const Users& users, Bytes capacity, double caches) {
      const double dirty = mount.dirty_limit * count_of(capacity);
      const double measured = progress(caches).measured;
      if (users.distinct <= dirty) return 0.0;
      return std::max(0.0, 1 / users.sharers - (std::isfinite(measured) ? dirty / measured : 0));
    };
    const double sent = mount.direct ? 1 : written_back(of_node, mount.page_cache, mount.nodes);
    if (!mount.direct) traffic_.copied = traffic_.bytes;
    traffic_.written = sent * traffic_.bytes;
    requests_of(true);
    double kept = is_cached() ? std::min(sent, written_back(of_all, scenario_.disks.page_cache, 1)) : sent;
    traffic_.disk_written = kept * traffic_.bytes;
    // Neither need what is written again there reach the medium.
    if (write_caches() > 0) kept = of_all.distinct <= write_caches() ? 0 : std::min(kept, 1 / of_all.sharers);
    // What the disks' write caches take may stay there.
    const double behind =
        std::isfinite(progress_.measured) && progress_.measured > 0 ? write_caches() / progress_.measured : 0;
    traffic_.media_written = std::max(0.0, kept - behind) * traffic_.bytes;
    traffic_.into_caches = std::min(kept, behind) > 0;
  }

  void tiles(const TileLoad& load) {
    const Mount& mount = scenario_.mount;
    const double tiles = static_cast<double>(load.columns) * load.rows;
    traffic_.processes = tiles;
    TileWalk walk{load};
    traffic_.bytes = count_of(walk.bytes());
    double asked = 0;
    while (const auto call = walk.next()) {
      ++traffic_.calls;
      asked += count_of(call->size);
      traffic_.call = std::max(traffic_.call, call->size);
    }
    const double of_node = std::ceil(tiles / mount.nodes);
    traffic_.read = mount.direct ? asked : std::max(traffic_.bytes, asked / of_node);
    if (!mount.direct) traffic_.copied = asked;
    requests_of(false);
    const double distinct = std::max(traffic_.bytes, asked / tiles);
    traffic_.disk_read = is_cached() ? std::min(traffic_.read, distinct) : traffic_.read;
    traffic_.media_read = std::min(traffic_.disk_read, distinct);
  }

  void trace(const TraceLoad& load) {
    const auto requests = static_cast<double>(load.requests.size());
    if (requests == 0) return;
    const Bytes largest = scenario_.mount.largest_request;
    traffic_.processes = load.at_recorded_times ? 0 : 1;
    std::vector<Extent> reads;
    std::vector<Extent> writes;
    for (const TraceRequest& request : load.requests) {
      if (load.at_recorded_times) traffic_.arrival = std::max(traffic_.arrival, request.when);
      const bool write = request.operation == BlockOperation::write;
      const double size = count_of(request.size);
      traffic_.bytes += size / requests;
      (write ? traffic_.written : traffic_.read) += size / requests;
      (write ? traffic_.write_requests : traffic_.read_requests) +=
          static_cast<double>(ceil_div(request.size, largest)) / requests;
      traffic_.call = std::max(traffic_.call, request.size);
      const std::int64_t begin = request.offset.count;
      (write ? writes : reads).emplace_back(begin, begin + request.size.count);
    }
    traffic_.arrival /= static_cast<std::int64_t>(load.requests.size());
    traffic_.request = std::min(traffic_.call, largest);
    const double read = covered(std::move(reads));
    const double written = covered(std::move(writes));
    if (is_cached()) {
      // What has been written need not be read, and may stay behind.
      const double dirty = scenario_.mount.dirty_limit * count_of(scenario_.disks.page_cache);
      traffic_.disk_read = std::max(0.0, read - written) / requests;
      traffic_.disk_written = std::max(0.0, written - dirty) / requests;
      traffic_.media_written = std::max(0.0, written - dirty - write_caches()) / requests;
    } else {
      traffic_.disk_read = traffic_.read;
      traffic_.disk_written = traffic_.written;
      traffic_.media_written = traffic_.written;
    }
    double from_media = read;
    if (write_caches() > 0) {
      // What is written again, or read, before it is on the medium costs the heads nothing.
      traffic_.media_written = std::min(traffic_.media_written, std::max(0.0, written - write_caches()) / requests);
      traffic_.into_caches = written > 0;
      from_media = std::max(0.0, read - written);
    }
    traffic_.media_read = std::min(traffic_.disk_read, from_media / requests);
  }

  const SharedFilesScenario& scenario_;
  Progress progress_;
  FileTraffic traffic_;
};

}  // namespace

FileTraffic file_traffic(const SharedFilesScenario& scenario, const Progress& progress) {
  return Traffic{scenario, progress}.take();
}

}  // namespace doorbell::analytic
