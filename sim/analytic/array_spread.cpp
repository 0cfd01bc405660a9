#include "analytic/array_spread.hpp"

#include <algorithm>
#include <numeric>

#include "models/memory/page.hpp"

namespace doorbell::analytic {

using namespace model;

ArraySpread::ArraySpread(const SharedFilesScenario& scenario, const FileTraffic& traffic, Bytes size)
    : chunk_{scenario.server.raid.chunk.count}, disks_{scenario.server.raid.disks} {
  const bool in_order = scenario.mount.direct && (scenario.stream || scenario.web);
  if (in_order && size <= traffic.call) follow_calls(scenario, traffic.call, size.count);
  if (!requests_.empty()) return;
  const bool in_step = traffic.call.count % size.count == 0;
  const bool aligned = in_step && (chunk_ % size.count == 0 || size.count % chunk_ == 0);
  const std::int64_t chunks = std::min(ceil_div(size, Bytes{chunk_}) + (aligned ? 0 : 1), disks_);
  requests_.emplace_back(static_cast<std::size_t>(chunks),
                         static_cast<double>(size.count) / static_cast<double>(chunks));
}

void ArraySpread::follow_calls(const SharedFilesScenario& scenario, Bytes call, std::int64_t size) {
  constexpr std::size_t enough = 1024;  // odd sizes repeat late
  const std::int64_t width = chunk_ * disks_;
  const std::int64_t length = scenario.files.size.count;
  const std::int64_t next_file = ceil_div(scenario.files.size, Bytes{page_size}) * page_size;
  // In a long file the calls after these begin as they did.
  const std::int64_t calls = width / std::gcd(width, call.count);
  const std::int64_t repeats = calls > length / call.count ? length : calls * call.count;
  for (std::int64_t file = 0; file < scenario.files.count; ++file) {
    for (std::int64_t at = 0; at < repeats; at += call.count) {
      const std::int64_t end = std::min(at + call.count, length);
      for (std::int64_t begin = at; begin + size <= end; begin += size) {
        add(file * next_file + begin, size);
        if (requests_.size() >= enough) return;
      }
    }
    if (next_file % width == 0) return;
  }
}

void ArraySpread::add(std::int64_t begin, std::int64_t size) {
  Pieces on_disk(static_cast<std::size_t>(disks_));
  for (std::int64_t at = begin; at < begin + size;) {
    const std::int64_t end = std::min(begin + size, (at / chunk_ + 1) * chunk_);
    on_disk[static_cast<std::size_t>(at / chunk_ % disks_)] += static_cast<double>(end - at);
    at = end;
  }
  std::erase(on_disk, 0.0);
  std::sort(on_disk.begin(), on_disk.end());
  requests_.push_back(std::move(on_disk));
}

double ArraySpread::disks() const {
  double sum = 0;
  for (const Pieces& pieces : requests_) sum += static_cast<double>(pieces.size());
  return sum / static_cast<double>(requests_.size());
}

double ArraySpread::largest(Bytes beyond) const {
  double sum = 0;
  for (const Pieces& pieces : requests_) {
    if (pieces.back() > static_cast<double>(beyond.count)) sum += pieces.back();
  }
  return sum / static_cast<double>(requests_.size());
}

Seconds ArraySpread::moving(const SharedFilesRoutes& routes, const SharedFilesRoutes::Route& route) const {
  double sum = 0;
  for (const Pieces& pieces : requests_) {
    double moved = 0;
    for (std::size_t done = 0; done < pieces.size(); ++done) {
      double longest = 0;
      for (const std::size_t crossed : route) {
        const SharedFilesRoutes::Resource& resource = routes.resources[crossed];
        const bool alone = resource.owner == SharedFilesRoutes::Owner::disk;
        const double bytes = (pieces[done] - moved) * (alone ? 1 : static_cast<double>(pieces.size() - done));
        longest = std::max(longest, bytes / resource.bandwidth.bytes_per_second);
      }
      sum += longest;
      moved = pieces[done];
    }
  }
  return Seconds{sum / static_cast<double>(requests_.size())};
}

}  // namespace doorbell::analytic
