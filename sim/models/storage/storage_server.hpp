// One storage server at work: requests of a client through CPU, medium, buses and NIC.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/calendar.hpp"
#include "core/latency_histogram.hpp"
#include "core/process.hpp"
#include "core/random.hpp"
#include "core/signal.hpp"
#include "core/task.hpp"
#include "core/token_pool.hpp"
#include "models/common/held_time.hpp"
#include "models/common/result.hpp"
#include "models/common/tracing.hpp"
#include "models/fabric/fluid_network.hpp"
#include "models/storage/disk_array.hpp"
#include "models/storage/held_stage.hpp"
#include "models/storage/storage.hpp"

namespace doorbell::model {

/// Executes a StorageScenario (Koukis 2010, sections 3.2 and 4.2): a request costs CPU time, its data crosses the buses
/// of its path, and the NIC sends it once it is complete or, in a synchronized send, while it arrives.
class StorageServerSimulation {
 public:
  StorageServerSimulation(const StorageScenario& scenario, std::uint64_t seed);

  /// Runs warm-up and measurement. Call once.
  [[nodiscard]] RunResult run(const Tracing* trace = nullptr);

 private:
  using Route = FluidNetwork::Route;

  /// Data of one request on its way into a buffer, by stream.
  struct Arrival {
    struct Part {
      Bytes offset;
      Bytes size;
      Bytes arrived;
      Bytes sent;
    };
    Arrival(core::Calendar& calendar, Time now) : began{now}, progress{calendar} {}
    Time began;
    Time complete{0};  // when the medium has delivered everything
    std::vector<Part> parts;
    core::Signal progress;
    bool finished = false;
    Time waited{0};  // for the medium
    HeldTime held;   // by it, for commands and for data on their way
  };

  void add_routes();
  core::Process client();
  core::Task<> serve();
  core::Task<> read_and_send();
  core::Task<> send_what_was_read();
  core::Task<> pass_through_tcp();
  core::Task<> receive_and_write();
  /// Software and firmware never take quite the same time, so that requests do not fall into step.
  [[nodiscard]] Time varied(Time mean) { return stretched(mean, random_.around_one(scenario_.server.variation)); }
  core::Task<> use_cpu(Time mean);
  core::Task<> message(Route route, Bytes size);
  core::Task<> read_medium(Arrival& arrival);
  core::Task<> write_medium();
  core::Task<> read_disks(Arrival& arrival);
  core::Task<> read_segments(Arrival& arrival);
  [[nodiscard]] Bytes grain(Bytes size) const;
  void advance(Arrival& arrival, std::size_t part, Bytes step, Time since);
  /// What requests hold while they use buses and disks, innermost first.
  [[nodiscard]] std::vector<Utilisation> holders(Bandwidth moved, const std::vector<FluidNetwork::Load>& loads) const;
  /// What a stage of holding something is called, and how busy what it is spent on is.
  [[nodiscard]] std::vector<Utilisation> held_stages(Bandwidth moved,
                                                     const std::vector<FluidNetwork::Load>& loads) const;
  /// What copies wait for, if more of that would help more than a faster core.
  [[nodiscard]] std::string copies_remark(const std::vector<Utilisation>& stages) const;
  void report_states(RunResult& result) const;
  core::Task<> send_while_arriving(Arrival& arrival);
  /// The next part to send from, if its data have come.
  [[nodiscard]] Arrival::Part* next_to_send(Arrival& arrival, Bytes sent) const;
  /// A send of data while they arrive, from the NIC's point of view.
  struct Sending {
    Time waited{0};         // for the NIC
    Time has{0};            // since when it has it
    Time from{0};           // when it last had to wait for data, or `has`
    HeldTime held;          // from then on
    HeldTime data;          // what the medium had been held for by then
    bool had_wait = false;  // for data
    Time end{0};
  };
  void account(const Arrival& arrival, const Sending& sending);
  core::Process compute();

  StorageScenario scenario_;
  core::Calendar calendar_;
  core::RandomStream random_;
  FluidNetwork network_;
  core::TokenPool cpu_;
  core::TokenPool device_;  // one request at a time is with the controller
  core::TokenPool nic_;     // one message at a time is with the NIC's processor
  core::TokenPool sram_;    // bytes of message buffers in the NIC
  DiskArray array_;
  std::vector<Route> from_disks_;  // by the number of disks that move data together
  Route from_device_ = 0;
  Route to_device_ = 0;
  Route send_ = 0;
  Route receive_ = 0;
  Route copies_ = 0;
  Route memory_ = 0;
  Bandwidth memory_alone_;  // what the compute process has of it when nothing else does

  core::LatencyHistogram latency_;
  std::uint64_t requests_ = 0;
  std::uint64_t work_ = 0;  // units of the compute process

  // What is held for what.
  struct Held {
    HeldTime cpu;
    HeldTime device;
    HeldTime nic;
    HeldTime beside;  // of these two, what took a request no time, as the other one took longer
    Time nic_for_data{0};
    Time cpu_waits{0};
    Time device_waits{0};
    Time nic_waits{0};
    Time sram_waits{0};
    Time latency{0};
  };
  Held held_;

  // What the server was doing for its requests, added up over them (Koukis 2010, section 4.4.2).
  struct States {
    Time reading{0};  // until the medium has delivered everything
    Time sending{0};  // from then on
    std::uint64_t requests = 0;
    struct Marker {
      Time arrived{0};
      std::uint64_t seen = 0;
    };
    std::vector<Marker> markers;  // every so many bytes of the buffer
  };
  States states_;
};

}  // namespace doorbell::model
