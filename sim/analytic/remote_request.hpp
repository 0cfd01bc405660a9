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

/// How requests come to the disk of the host.
enum class DiskUse {
  alone,     ///< One after the other, none of which is in its buffer by chance.
  shortest,  ///< Of several, one that meets the best of circumstances.
  joined     ///< With others that adjoin, and beside those that the disk holds: for how long it is busy.
};

/// What the disk of the host takes. Of reads in order only the command is waited for, as the disk reads ahead
/// meanwhile, and of writes into its cache. Blocks or pages in no order, alone, lie as far from each other as random
/// places do; otherwise it seeks at least to the next track for those that are not in its buffer, which keeps as much
/// behind a stream as it reads ahead.
[[nodiscard]] Seconds disk_service(const model::RemoteMemoryScenario& scenario, bool write, Bytes size, DiskUse use);
/// How long all that an operation has on the disk keeps that busy.
[[nodiscard]] Seconds disk_service(const model::RemoteMemoryScenario& scenario, const DeviceTraffic& traffic);

/// `awake`: handlers are still polling when its completions come. The scenario and the software must outlive it.
class RemoteRequest {
 public:
  /// To machines like the host.
  RemoteRequest(const model::RemoteMemoryScenario& scenario, const RemoteMemorySoftware& software, bool awake,
                DiskUse disk = DiskUse::shortest)
      : RemoteRequest{scenario, software, awake, scenario.hardware, disk} {}
  /// To others, which answer one-sided requests.
  RemoteRequest(const model::RemoteMemoryScenario& scenario, const RemoteMemorySoftware& software, bool awake,
                const model::HardwareProfile& peer, DiskUse disk = DiskUse::shortest)
      : scenario_{scenario}, access_{scenario.access}, software_{software}, awake_{awake}, peer_{peer}, disk_{disk} {}

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
  DiskUse disk_;
};

}  // namespace doorbell::analytic
