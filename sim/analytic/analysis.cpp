#include "analytic/analysis.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "analytic/left_out.hpp"
#include "analytic/mva.hpp"
#include "analytic/operation_cycle.hpp"
#include "analytic/reached.hpp"
#include "analytic/reads_in_flight.hpp"
#include "analytic/service_times.hpp"
#include "analytic/shares.hpp"
#include "models/common/resource_name.hpp"
#include "models/programs/loop_pass.hpp"

namespace doorbell::analytic {
namespace {

using namespace model;

void bound_resources(const DemandMatrix& demands, Bounds& bounds) {
  const Eigen::VectorXd totals = demands.totals();
  for (std::size_t r = 0; r < demands.resources.size(); ++r) {
    const ResourceRow& row = demands.resources[r];
    bounds.add(row.name, Seconds{totals(static_cast<Eigen::Index>(r))}, row.servers, row.limit);
  }
}

void bound_windows(const Flow& flow, const DemandMatrix& demands, Bounds& bounds) {
  for (const std::size_t source : flow.sources()) {
    const ProgramFlow& program = flow.programs()[source];
    if (program.arrivals) {
      bounds.add(arrivals_of(program.program->machine, program.name),
                 Seconds{started_by(program) / program.arrivals->per_second}, 1, Limit::arrivals);
    }
    if (!program.outstanding) continue;
    const Seconds turn{shortest_turn(flow, source, demands)};
    bounds.add(window_of(program.program->machine, program.name), turn * started_by(program), *program.outstanding,
               std::nullopt);
  }
}

/// A program that collects requests, and asks others for no more at a time than its threads' windows hold.
void bound_windows_of_servers(const Flow& flow, const DemandMatrix& demands, Bounds& bounds) {
  for (std::size_t index = 0; index < flow.programs().size(); ++index) {
    const ProgramFlow& program = flow.programs()[index];
    if (!has_step<CollectStep>(*program.program)) continue;
    const LoopPass pass = fresh_pass(*program.program);
    if (!pass.bounded || pass.most == 0) continue;
    const Seconds turn{shortest_turn(flow, index, demands)};
    bounds.add(window_of(program.program->machine, program.name), turn * started_by(program),
               pass.most * threads_at_work(flow, program), std::nullopt);
  }
}

/// The last WQE of a round of `signal_every` waits for the CQE of the first, which is signaled.
void bound_rounds(const Flow& flow, Bounds& bounds) {
  for (const std::size_t source : flow.sources()) {
    const ProgramFlow& program = flow.programs()[source];
    double held = 0;
    const PostStep* step = nullptr;
    bool several = false;
    double pairs = 0;
    for (const PostFlow& post : program.posts) {
      if (post.step->destination == Destination::origin || post.step->relay) continue;
      several = several || (step != nullptr && step != post.in_loop);
      step = post.in_loop;
      pairs = static_cast<double>(queue_pairs_of(program, *post.queue_pairs)) * program.machine->count;
      held += to_seconds(timeline_of(flow, program, post).completed) * post.work_requests;
    }
    // Steps that share queue pairs share rounds.
    if (step == nullptr || several || step->signal_every == 1) continue;
    const Program& target = *flow.programs()[flow.index_of(step->to)].program;
    if (!polls_for_room(*program.program, *step, target)) continue;
    bounds.add(send_queues_of(program.program->machine, program.name), Seconds{held},
               pairs * (step->signal_every + step->batch - 1), Limit::in_flight);
  }
}

Bounds limits_of(const Flow& flow, const DemandMatrix& demands) {
  Bounds limits;
  bound_resources(demands, limits);
  bound_windows(flow, demands, limits);
  bound_windows_of_servers(flow, demands, limits);
  bound_rounds(flow, limits);
  for (const ReadsInFlight& reads : reads_in_flight(flow)) limits.add(reads.name, reads.held, reads.most, std::nullopt);
  return limits;
}

std::vector<std::size_t> programs_starting(const Flow& flow) {
  std::vector<std::size_t> programs;
  for (const std::size_t source : flow.sources()) {
    if (started_by(flow.programs()[source]) > 0) programs.push_back(source);
  }
  return programs;
}

SharedServers shared_servers(const DemandMatrix& demands) {
  SharedServers servers;
  for (const ResourceRow& row : demands.resources) servers[row.name] = std::max(row.servers, row.together);
  return servers;
}

/// Who starts work itself may have all that it shares to itself. What others start, they may start in any mix.
void bound_sharing(const Flow& flow, const std::vector<std::size_t>& starting, Analysis& analysis) {
  constexpr double nothing = 1e-18;  // measured requests per operation, or seconds of a resource
  const std::size_t measured = flow.index_of(flow.scenario().measure.program);
  const bool starts_itself = std::ranges::find(starting, measured) != starting.end();
  std::vector<Claim> claims;
  for (const std::size_t source : starting) {
    const Flow alone{flow.scenario(), source};
    const DemandMatrix demands = demand_matrix(alone);
    Claim& claim = claims.emplace_back();
    claim.limits = limits_of(alone, demands).bounds;
    const double started = started_by(alone.programs()[source]);
    // What the others need all the same is nothing.
    std::erase_if(claim.limits,
                  [&](const Bound& bound) { return bound.limit.per_second * started > bound.servers / nothing; });
    if (source == measured) {
      analysis.bounds = claim.limits;
      analysis.unloaded_latency = cycle_alone(alone, source, demands);
    }
    for (Bound& bound : claim.limits) bound.limit.per_second *= started;
    claim.proportion = started_by(flow.programs()[source]);
    claim.gain = starts_itself ? (source == measured ? 1 / started : 0) : 1 / started;
    if (claim.gain < nothing) claim.gain = 0;
    analysis.sharing.push_back(flow.programs()[source].name);
  }
  const Shares shares{claims, shared_servers(analysis.demands)};
  analysis.shared = Rate{shares.gain(shares.in_proportion())};
  if (starts_itself) {
    const std::string& name = flow.programs()[measured].name;
    std::vector<std::string> others = analysis.sharing;
    std::erase(others, name);
    analysis.left_out.push_back(fmt::format("what {} takes of what {} needs: the bound is for {} alone",
                                            fmt::join(others, " and "), name, name));
  } else {
    shares.add_most(analysis);
    analysis.left_out.push_back(
        fmt::format("which shares {} get of what they share: the rows are for those with most requests per second",
                    fmt::join(analysis.sharing, " and ")));
  }
}

/// Customers are the operations in flight of the program that starts work; a cycle is one such operation.
void add_mean_values(const Flow& flow, Analysis& analysis) {
  // What storage does at once, or after the answer, is no queue of requests.
  const bool has_storage = std::ranges::any_of(flow.programs(), [](const ProgramFlow& program) {
    return has_step<AccessStep>(*program.program) || has_step<TouchStep>(*program.program);
  });
  if (has_storage) return;
  // Packets of a long message are in several places at once, and other messages go between them.
  const bool in_packets = std::ranges::any_of(analysis.demands.classes, [](const OperationClass& operation) {
    return operation.path && operation.visits > 0 && parts_of(*operation.path) > 1;
  });
  if (in_packets) return;
  double customers = 0;
  double started = 0;
  double latency = 0;
  for (const std::size_t source : flow.sources()) {
    const ProgramFlow& program = flow.programs()[source];
    if (!program.outstanding) return;
    customers += *program.outstanding;
    started += started_by(program);
    latency += to_seconds(turn_alone(flow, source, analysis.demands)) * started_by(program);
  }
  if (customers < 1 || started <= 0) return;
  analysis.in_flight = customers;

  std::vector<Station> stations;
  const Eigen::VectorXd totals = analysis.demands.totals();
  double service = 0;
  for (std::size_t r = 0; r < analysis.demands.resources.size(); ++r) {
    const ResourceRow& row = analysis.demands.resources[r];
    const double demand = totals(static_cast<Eigen::Index>(r)) / started;
    if (!row.is_station || demand <= 0) continue;
    const double queues = row.queues > 0 ? row.queues : std::max(1.0, row.servers);
    stations.push_back({from_seconds(demand), row.servers / queues, queues});
    service += demand;
  }
  // TLPs of one operation can be in several places at once: then this may be negative.
  const Time delay = from_seconds(latency / started - service);
  const MeanValues values = mean_value_analysis(stations, delay, std::llround(customers));
  analysis.mean_value = Rate{values.throughput.per_second / started};
}

/// Steps of one program take turns as their operations end, and some of these go on.
bool steps_share(const Program& program) {
  int steps = 0;
  bool some_go_on = false;
  for (const Step& step : program.loop) {
    const auto* post = std::get_if<PostStep>(&step);
    if (post == nullptr || !starts_work(*post)) continue;
    ++steps;
    some_go_on = some_go_on || has_follow_ups(*post);
  }
  return steps > 1 && some_go_on;
}

std::vector<std::string> shares_assumed(const Flow& flow) {
  std::vector<std::string> names;
  for (const std::size_t source : flow.sources()) {
    const ProgramFlow& program = flow.programs()[source];
    if (steps_share(*program.program)) names.push_back("the steps of " + program.name);
  }
  return names;
}

Time unloaded_latency(const Flow& flow, const Analysis& analysis) {
  const std::size_t measured = flow.index_of(flow.scenario().measure.program);
  const auto& sources = flow.sources();
  if (std::find(sources.begin(), sources.end(), measured) != sources.end())
    return cycle_alone(flow, measured, analysis.demands);
  // Work that others start: what they see.
  Time longest{0};
  for (const std::size_t source : sources) longest = std::max(longest, cycle_alone(flow, source, analysis.demands));
  return longest;
}

}  // namespace

Analysis analyze(const Scenario& scenario) {
  const Flow flow{scenario};
  Analysis analysis;
  analysis.demands = demand_matrix(flow);
  if (flow.programs()[flow.index_of(scenario.measure.program)].operations <= 0) return analysis;
  analysis.assumed_shares = shares_assumed(flow);
  analysis.unloaded_latency = unloaded_latency(flow, analysis);
  const std::vector<std::size_t> starting = programs_starting(flow);
  if (starting.size() > 1) {
    bound_sharing(flow, starting, analysis);
  } else {
    analysis.bounds = limits_of(flow, analysis.demands).bounds;
    add_mean_values(flow, analysis);
  }
  tell_left_out(flow, analysis.left_out);
  analysis.settle();
  if (analysis.mean_value && !analysis.bounds.empty())
    analysis.mean_value = std::min(*analysis.mean_value, analysis.throughput);
  return analysis;
}

}  // namespace doorbell::analytic
