// Shared buses, links and disks as fluids: flows that cross several resources at once share them max-min fairly.
// SimGrid solves the sharing; our calendar owns the clock.
#pragma once

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/calendar.hpp"
#include "core/quantity.hpp"
#include "core/utilisation.hpp"
#include "models/common/result.hpp"

namespace doorbell::model {

/// One network of fluid resources. SimGrid has one engine per process, so a process can make only one of these:
/// isolated_run.hpp gives every run a process of its own. A scenario without flows never touches SimGrid.
class FluidNetwork {
 public:
  using Resource = std::size_t;
  using Route = std::size_t;

  /// Throws std::logic_error when this process has made one before.
  FluidNetwork(core::Calendar& calendar, core::Priority priority);
  ~FluidNetwork();
  FluidNetwork(const FluidNetwork&) = delete;
  FluidNetwork& operator=(const FluidNetwork&) = delete;

  // All resources and routes come before the first transfer; later calls throw std::logic_error.
  /// `flows`: each of so many at most moves at that rate at most, whatever the others do; 0: all share it.
  Resource add_resource(std::string name, Bandwidth bandwidth, Limit limit = Limit::bus_bandwidth, int flows = 0);
  /// A flow on this route moves at one rate through all of its resources.
  Route add_route(const std::vector<Resource>& resources);

  /// What leaves a transfer the least.
  struct Bound {
    Resource resource = 0;
    double gain = 0;  ///< The share of its time that twice as much of that would save it.
  };
  /// When it began and when it ended.
  struct Narrowest {
    Bound first;
    Bound last;
  };
  struct [[nodiscard]] Transfer {
    FluidNetwork& network;
    Route route;
    Bytes size;
    Narrowest narrowest = {};

    [[nodiscard]] bool await_ready() const noexcept { return size.count <= 0; }
    void await_suspend(std::coroutine_handle<> coroutine) { network.start(route, size, coroutine, narrowest); }
    Narrowest await_resume() const noexcept { return narrowest; }
  };
  /// co_await network.transfer(route, size): continues when the last byte has passed, at the first picosecond that is
  /// not before the fluid's date, and not the one at which it began.
  Transfer transfer(Route route, Bytes size) { return {*this, route, size}; }
  [[nodiscard]] std::size_t resources() const { return resources_.size(); }

  struct Load {
    std::string name;
    double busy = 0;  ///< Share of the capacity in use since measure().
    Limit limit = Limit::bus_bandwidth;
    double bytes = 0;  ///< That have passed since then.
  };
  /// Ends the warm-up.
  void measure();
  /// Of the time since then, in the order in which resources were added. Call once, at the end.
  [[nodiscard]] std::vector<Load> loads();
  /// Bytes that have passed each route so far, in the order in which routes were added, with the part that has passed
  /// of transfers under way.
  [[nodiscard]] std::vector<double> passed();
  /// Draws the number of flows on every resource from now on. What stands before the last slash of a resource's name
  /// is its machine.
  void trace(core::TraceWriter& writer);

 private:
  void start(Route route, Bytes size, std::coroutine_handle<> coroutine, Narrowest& narrowest);
  /// The resource of a route in use that has the least for each of its flows.
  [[nodiscard]] Bound narrowest(Route route) const;
  void advance(std::uint64_t);
  /// Counts what flows under way have moved so far, so many times.
  void add_moved(double factor);
  /// Calls `visit` with each flow under way and the bytes that it has moved so far.
  template <class Visit> void visit_under_way(Visit visit);
  /// Returns whether a flow has ended.
  bool catch_up(double seconds);
  void expect_next(Time earliest);
  void seal();

  struct SimGrid;
  struct Flow {
    Route route = 0;
    Bytes size;
    Time began{0};
    std::coroutine_handle<> waiting;
    Narrowest* narrowest = nullptr;  // where whoever waits finds it
  };
  struct Capacity {
    std::string name;
    Bandwidth bandwidth;
    Limit limit = Limit::bus_bandwidth;
    int servers = 0;  // of one flow each
    double bytes = 0;
    core::TimeWeighted flows;
    std::string title;  ///< In a trace.
  };

  core::Calendar& calendar_;
  core::Priority priority_;
  std::unique_ptr<SimGrid> simgrid_;
  std::vector<Capacity> resources_;
  std::vector<std::vector<Resource>> routes_;
  std::vector<double> ended_on_;  // bytes of the transfers that have ended, by route
  std::vector<Flow> flows_;
  std::vector<std::size_t> free_flows_;
  std::vector<std::size_t> ended_;
  core::EventId next_event_;
  bool expecting_ = false;
  double expected_ = 0;  // SimGrid's own date of the next event, in seconds
  Time measured_from_{0};
};

}  // namespace doorbell::model
