#include "analytic/window_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/random.hpp"

namespace doorbell::analytic {
namespace {

using namespace model;

bool merges(const RemoteAccess& access) {
  return access.batching == Batching::merge || access.batching == Batching::hybrid;
}
bool chains(const RemoteAccess& access) {
  return access.batching == Batching::doorbell || access.batching == Batching::hybrid;
}

double requests_of(Bytes all, Bytes one) { return static_cast<double>(all.count) / static_cast<double>(one.count); }

class Window {
 public:
  Window(const RemoteMemoryScenario& scenario, const RemoteMemorySoftware& software, const HardwareProfile& peer,
         double most)
      : scenario_{scenario}, access_{scenario.access}, software_{software}, peer_{peer} {
    const Bytes size = scenario.block->size;
    batches_ = std::ceil(requests_of(access_.window, size));
    if (!merges(access_)) return;
    const double fit = std::floor(requests_of(std::max(access_.window, access_.largest_merge), size));
    const bool adjacent = std::max(software.traffic().reads.merged, software.traffic().writes.merged) > 1;
    longest_ = std::max(1.0, std::min({fit, most, adjacent ? fit : access_.chain}));
  }

  /// `awake`: whether handlers may still be polling when completions come.
  [[nodiscard]] InWindow in_flight(bool awake) const {
    const RemoteRequest request{scenario_, software_, awake, peer_};
    InWindow all{.requests = batches_ * longest_, .each = {}};
    for (const bool write : {false, true}) {
      const Requests& requests = of(write);
      if (requests.requests > 0) all.each = all.each + batch(request, write) * requests.requests;
    }
    return all;
  }

  /// Whether the handler has found nothing for so long that it sleeps when the only batch in flight is done. The last
  /// that it does for the one before is to wake who waits for it.
  [[nodiscard]] bool surely_asleep() const {
    const DeviceTraffic& traffic = software_.traffic();
    if (batches_ > 1 || uses_disk(access_) || access_.replicas > 1) return false;
    if (std::max(traffic.reads.merged, traffic.writes.merged) > 1) return false;
    if (longest_ > 1 && !chains(access_)) return false;
    if (load_threads(scenario_) + software_.handlers() > software_.hardware_threads()) return false;
    const double slowest = software_.slowdown(software_.hardware_threads()) *
                           (1 + core::RandomStream::farthest_from_one(scenario_.hardware.cpu.variation));
    const Seconds soonest = RemoteRequest{scenario_, software_, true, peer_}.shortest_way() -
                            Seconds{scenario_.software.driver.wakeup} * slowest;
    return !software_.still_polls(soonest);
  }

 private:
  [[nodiscard]] const Requests& of(bool write) const {
    return write ? software_.traffic().writes : software_.traffic().reads;
  }

  /// The longest batch: shorter ones take longer for each of their requests. One that goes to the disk, or whose
  /// requests become fewer WQEs, is taken for a single request: how many WQEs it has decides how far they overlap.
  [[nodiscard]] Latency batch(const RemoteRequest& request, bool write) const {
    // A request passes the queue once before it waits for the window.
    const Latency pass{Seconds{scenario_.software.block.merge_check}, Seconds{scenario_.software.lock.transfer}};
    const Requests& requests = of(write);
    if (requests.to_disk > 0 || requests.merged > 1) return request.at_device(write) + pass * (requests.to_disk - 1);
    const double others = longest_ - 1;
    const Latency taken = request.at_device(write) + pass * (others - 1);
    const Seconds prepared = software_.preparing(write, requests.size) * others;
    const Seconds posted = software_.posting_more(chains(access_)) * others;
    const int handlers = handlers_of_queue(access_.completion);
    const Seconds ended = software_.ending_more(write, requests.size) * (others / handlers);
    // What is posted one by one can be done one by one meanwhile.
    const Seconds rest = chains(access_) ? posted + ended : std::max(posted, ended);
    return taken + Latency{prepared + rest, Seconds{0}};
  }

  const RemoteMemoryScenario& scenario_;
  const RemoteAccess& access_;
  const RemoteMemorySoftware& software_;
  const HardwareProfile& peer_;
  double batches_ = 1;
  double longest_ = 1;
};

}  // namespace

InWindow in_window(const RemoteMemoryScenario& scenario, const RemoteMemorySoftware& software, double most) {
  const Window window{scenario, software, scenario.hardware, most};
  return window.in_flight(!window.surely_asleep());
}

InWindow in_window_of_programs(const RemoteMemoryScenario& scenario, const RemoteMemorySoftware& software,
                               const HardwareProfile& peer) {
  return Window{scenario, software, peer, std::numeric_limits<double>::infinity()}.in_flight(true);
}

}  // namespace doorbell::analytic
