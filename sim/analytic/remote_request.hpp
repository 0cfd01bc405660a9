// One request at a device on remote memory that meets no other.
#pragma once

#include "analytic/remote_memory_software.hpp"
#include "analytic/timeline.hpp"
#include "models/remote_loads/remote_memory.hpp"

namespace doorbell::analytic {

/// A wait: for software, which takes longer where pollers occupy the cores, and for all else.
struct Latency {
  Seconds software{0};
  Seconds hardware{0};

  friend Latency operator+(const Latency& a, const Latency& b) {
    return {a.software + b.software, a.hardware + b.hardware};
  }
  friend Latency operator*(const Latency& a, double times) { return {a.software * times, a.hardware * times}; }
};

/// What the disk of the host takes at the least: of blocks or pages in no order it seeks at least to the next track for
/// those that are not in its buffer, which keeps as much behind a stream as it reads ahead. Of writes into its cache
/// only the command counts. `joined`: with others that adjoin, and beside those that the disk holds.
[[nodiscard]] Seconds disk_service(const model::RemoteMemoryScenario& scenario, bool write, Bytes size, bool joined);
/// The same for all that an operation has on the disk.
[[nodiscard]] Seconds disk_service(const model::RemoteMemoryScenario& scenario, const DeviceTraffic& traffic);

/// `awake`: handlers are still polling when its completions come. The scenario and the software must outlive it.
class RemoteRequest {
 public:
  /// To machines like the host.
  RemoteRequest(const model::RemoteMemoryScenario& scenario, const RemoteMemorySoftware& software, bool awake)
      : RemoteRequest{scenario, software, awake, scenario.hardware} {}
  /// To others, which answer one-sided requests.
  RemoteRequest(const model::RemoteMemoryScenario& scenario, const RemoteMemorySoftware& software, bool awake,
                const model::HardwareProfile& peer)
      : scenario_{scenario}, access_{scenario.access}, software_{software}, awake_{awake}, peer_{peer} {}

  /// From a request at the device until it has been ended.
  [[nodiscard]] Latency at_device(bool write) const { return at_device(write, of(write).size); }
  [[nodiscard]] Latency at_device(bool write, Bytes size) const;
  /// Of all requests of an operation, one after the other.
  [[nodiscard]] Latency at_device() const;
  /// From a doorbell until the CQE of the WRITE or READ, or of the answer, can be seen: the shorter way.
  [[nodiscard]] Seconds shortest_way() const;

 private:
  [[nodiscard]] const Requests& of(bool write) const {
    return write ? software_.traffic().writes : software_.traffic().reads;
  }
  [[nodiscard]] const model::DriverParameters& driver() const { return scenario_.software.driver; }
  [[nodiscard]] Latency noticed() const;
  [[nodiscard]] Timeline timeline(model::Verb verb, Bytes payload) const;
  [[nodiscard]] Seconds way(bool write, Bytes size) const;
  [[nodiscard]] Latency on_disk(bool write, Bytes size) const;

  const model::RemoteMemoryScenario& scenario_;
  const model::RemoteAccess& access_;
  const RemoteMemorySoftware& software_;
  bool awake_;
  const model::HardwareProfile& peer_;
};

}  // namespace doorbell::analytic
