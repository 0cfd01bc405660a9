#include "models/fabric/fluid_network.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <simgrid/kernel/resource/Model.hpp>
#include <simgrid/kernel/resource/NetworkModelIntf.hpp>
#include <simgrid/s4u.hpp>
#include <stdexcept>
#include <utility>

namespace doorbell::model {

namespace s4u = simgrid::s4u;

namespace {

bool engine_exists = false;  // SimGrid's rule, not ours: one engine in the life of a process

}  // namespace

struct FluidNetwork::SimGrid {
  s4u::Engine engine;
  s4u::NetZone* zone = nullptr;
  std::vector<std::pair<s4u::Host*, s4u::Host*>> ends;  // of each route
  std::vector<s4u::CommPtr> activities;                 // of each flow; SimGrid wants them kept until they end
  simgrid::kernel::resource::Model* model = nullptr;
  bool sealed = false;

  SimGrid(int* count, char** words) : engine{count, words} {}
};

FluidNetwork::FluidNetwork(core::Calendar& calendar, core::Priority priority)
    : calendar_{calendar}, priority_{priority} {
  if (std::exchange(engine_exists, true)) throw std::logic_error("SimGrid allows one network per process");
  std::string name = "doorbell";
  std::string log = "--log=root.thres:critical";
  std::vector<char*> words{name.data(), log.data(), nullptr};
  int count = 2;
  simgrid_ = std::make_unique<SimGrid>(&count, words.data());
  // Plain max-min sharing: none of the factors that mimic TCP, and dates that are apart by a picosecond stay apart.
  s4u::Engine::set_config("network/model:CM02");
  s4u::Engine::set_config("network/bandwidth-factor:1");
  s4u::Engine::set_config("network/latency-factor:1");
  s4u::Engine::set_config("network/TCP-gamma:0");
  s4u::Engine::set_config("network/crosstraffic:0");
  s4u::Engine::set_config("network/optim:Full");
  s4u::Engine::set_config("surf/precision:1e-12");
  s4u::Engine::set_config("maxmin/precision:1e-9");
  simgrid_->zone = s4u::create_full_zone("server");
}

FluidNetwork::~FluidNetwork() {
  if (!simgrid_->sealed) return;
  // What is still under way must end before SimGrid lets go of it, and has nobody to tell.
  for (const s4u::CommPtr& activity : simgrid_->activities) {
    if (activity->get_state() == s4u::Activity::State::STARTED) activity->cancel();
  }
}

FluidNetwork::Resource FluidNetwork::add_resource(std::string name, Bandwidth bandwidth, Limit limit, int flows) {
  if (simgrid_->sealed) throw std::logic_error("a fluid resource after the first transfer");
  simgrid_->zone->create_link("resource " + std::to_string(resources_.size()), bandwidth.bytes_per_second)
      ->set_latency(0.0)
      ->set_sharing_policy(flows > 0 ? s4u::Link::SharingPolicy::FATPIPE : s4u::Link::SharingPolicy::SHARED)
      ->seal();
  Capacity& added = resources_.emplace_back();
  added.name = std::move(name);
  added.bandwidth = bandwidth;
  added.limit = limit;
  added.servers = flows;
  return resources_.size() - 1;
}

FluidNetwork::Route FluidNetwork::add_route(const std::vector<Resource>& resources) {
  if (simgrid_->sealed) throw std::logic_error("a fluid route after the first transfer");
  const std::string name = "route " + std::to_string(routes_.size());
  s4u::Host* from = simgrid_->zone->create_host(name + " from", 1e9)->seal();
  s4u::Host* to = simgrid_->zone->create_host(name + " to", 1e9)->seal();
  std::vector<s4u::LinkInRoute> links;
  links.reserve(resources.size());
  for (const Resource resource : resources) {
    links.emplace_back(s4u::Link::by_name("resource " + std::to_string(resource)));
  }
  simgrid_->zone->add_route(from->get_netpoint(), to->get_netpoint(), nullptr, nullptr, links, false);
  simgrid_->ends.emplace_back(from, to);
  routes_.push_back(resources);
  ended_on_.push_back(0);
  return routes_.size() - 1;
}

void FluidNetwork::seal() {
  simgrid_->zone->seal();
  simgrid_->sealed = true;
  simgrid_->model = dynamic_cast<simgrid::kernel::resource::Model*>(simgrid_->zone->get_network_model());
  if (simgrid_->model == nullptr) throw std::logic_error("SimGrid's network model tells no dates");
  s4u::Activity::on_completion_cb([this](const s4u::Activity& activity) {
    ended_.push_back(static_cast<std::size_t>(std::stoull(activity.get_name())));
  });
}

void FluidNetwork::start(Route route, Bytes size, std::coroutine_handle<> coroutine, Narrowest& narrowest) {
  if (!simgrid_->sealed) seal();
  catch_up(to_seconds(calendar_.now()));
  std::size_t index = flows_.size();
  if (free_flows_.empty()) {
    flows_.emplace_back();
  } else {
    index = free_flows_.back();
    free_flows_.pop_back();
  }
  flows_[index] = {route, size, calendar_.now(), coroutine, &narrowest};
  for (const Resource resource : routes_[route]) resources_[resource].flows.add(calendar_.now(), 1);
  narrowest.first = this->narrowest(route);
  const auto& [from, to] = simgrid_->ends[route];
  simgrid_->activities.resize(flows_.size());
  s4u::CommPtr& activity = simgrid_->activities[index];
  activity = s4u::Comm::sendto_init(from, to);
  activity->set_payload_size(static_cast<std::uint64_t>(size.count))->set_name(std::to_string(index));
  activity->start();
  expect_next(calendar_.now());
}

FluidNetwork::Bound FluidNetwork::narrowest(Route route) const {
  Resource narrow = 0;
  double least = std::numeric_limits<double>::infinity();
  double next = least;
  for (const Resource resource : routes_[route]) {
    const Capacity& capacity = resources_[resource];
    const double sharers = capacity.servers > 0 ? 1 : static_cast<double>(capacity.flows.level());
    const double rate = capacity.bandwidth.bytes_per_second / sharers;
    if (rate < least) {
      next = least;
      least = rate;
      narrow = resource;
    } else if (resource != narrow) {
      next = std::min(next, rate);
    }
  }
  return {narrow, 1 - least / std::min(2 * least, next)};
}

bool FluidNetwork::catch_up(double seconds) {
  // SimGrid may return early and is then asked again; less than the clock's resolution it could not advance at all.
  const double target = std::nextafter(seconds, std::numeric_limits<double>::infinity());
  constexpr int more_than_enough = 1000;
  for (int attempt = 0; attempt < more_than_enough; ++attempt) {
    const double rest = target - s4u::Engine::get_clock();
    if (rest <= 2 * std::numeric_limits<double>::epsilon() * target) break;
    s4u::Engine::get_instance()->run_until(target);
  }
  for (const std::size_t index : ended_) flows_[index].narrowest->last = narrowest(flows_[index].route);
  for (const std::size_t index : ended_) {
    const Flow flow = flows_[index];
    free_flows_.push_back(index);
    ended_on_[flow.route] += static_cast<double>(flow.size.count);
    for (const Resource resource : routes_[flow.route]) {
      resources_[resource].bytes += static_cast<double>(flow.size.count);
      resources_[resource].flows.add(calendar_.now(), -1);
    }
    // What takes no time could be repeated for ever at one instant.
    calendar_.post_coroutine(std::max(calendar_.now(), flow.began + Time{1}), priority_, flow.waiting);
  }
  const bool any = !ended_.empty();
  ended_.clear();
  return any;
}

void FluidNetwork::expect_next(Time earliest) {
  if (expecting_) calendar_.cancel(next_event_);
  const double clock = s4u::Engine::get_clock();
  const double rest = simgrid_->model->next_occurring_event(clock);
  expecting_ = rest >= 0;
  if (!expecting_) return;
  expected_ = clock + rest;
  // To the next picosecond, but not for the sake of a rounding error of doubles.
  constexpr double noise = 0.01;
  const Time date{static_cast<std::int64_t>(std::ceil(expected_ * 1e12 - noise))};
  next_event_ = calendar_.at<&FluidNetwork::advance>(std::max(date, earliest), priority_, *this);
}

void FluidNetwork::advance(std::uint64_t) {
  expecting_ = false;
  const bool ended = catch_up(std::max(expected_, to_seconds(calendar_.now())));
  // A remainder below the resolution of SimGrid's clock may outlive its date; it must not stop ours.
  expect_next(calendar_.now() + Time{ended ? 0 : 1});
}

template <class Visit> void FluidNetwork::visit_under_way(Visit visit) {
  if (!simgrid_->sealed) return;
  catch_up(to_seconds(calendar_.now()));
  for (std::size_t index = 0; index < flows_.size(); ++index) {
    const s4u::CommPtr& activity = simgrid_->activities[index];
    if (!activity || activity->get_state() != s4u::Activity::State::STARTED) continue;
    visit(flows_[index], static_cast<double>(flows_[index].size.count) - activity->get_remaining());
  }
}

void FluidNetwork::add_moved(double factor) {
  visit_under_way([&](const Flow& flow, double moved) {
    for (const Resource resource : routes_[flow.route]) resources_[resource].bytes += factor * moved;
  });
}

std::vector<double> FluidNetwork::passed() {
  std::vector<double> under_way(routes_.size());
  visit_under_way([&](const Flow& flow, double moved) { under_way[flow.route] += moved; });
  // What has ended just now no longer is under way.
  for (std::size_t route = 0; route < routes_.size(); ++route) under_way[route] += ended_on_[route];
  return under_way;
}

void FluidNetwork::measure() {
  measured_from_ = calendar_.now();
  for (Capacity& resource : resources_) resource.bytes = 0;
  add_moved(-1);
}

std::vector<FluidNetwork::Load> FluidNetwork::loads() {
  add_moved(1);
  std::vector<Load> loads;
  const double seconds = to_seconds(calendar_.now() - measured_from_);
  for (const Capacity& resource : resources_) {
    const double most = resource.bandwidth.bytes_per_second * std::max(1, resource.servers) * seconds;
    const double busy = most > 0 ? resource.bytes / most : 0;
    loads.push_back({resource.name, std::min(1.0, busy), resource.limit, resource.bytes});
  }
  return loads;
}

void FluidNetwork::trace(core::TraceWriter& writer) {
  std::map<std::string, int> seen;
  for (Capacity& resource : resources_) {
    const std::size_t slash = resource.name.rfind('/');
    const std::string machine = slash == std::string::npos ? "resources" : resource.name.substr(0, slash);
    const int number = seen[resource.name]++;
    // Counters of one machine with equal names would be drawn as one.
    resource.title = "flows on " + resource.name.substr(slash == std::string::npos ? 0 : slash + 1) +
                     (number == 0 ? "" : " " + std::to_string(number));
    resource.flows.trace({&writer, machine, resource.title}, resource.title);
  }
}

}  // namespace doorbell::model
