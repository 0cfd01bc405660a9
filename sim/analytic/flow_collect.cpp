// The part of a flow that is about programs that collect requests: what these post for them, and answer.
#include <algorithm>
#include <cmath>
#include <set>

#include "analytic/flow.hpp"
#include "analytic/ports.hpp"
#include "models/programs/connected_peers.hpp"

namespace doorbell::analytic {
namespace {

using model::AwaitStep;
using model::CollectStep;
using model::Destination;
using model::PostStep;
using model::Program;
using model::Step;

constexpr double largest_batch = 1 << 20;  // more than any step's

/// Whether a program takes what another one posts as a request.
bool collects(const ProgramFlow& receiver, const PostStep& step) {
  return step.destination != Destination::origin && model::takes(*receiver.program, step);
}

}  // namespace

template <class Predicate> double Flow::share_of_requests(std::size_t receiver, Predicate fits) const {
  double all = 0;
  double fitting = 0;
  for (const ProgramFlow& sender : programs_) {
    for (const PostFlow& post : sender.posts) {
      if (post.to != receiver || !collects(programs_[receiver], *post.step)) continue;
      all += post.work_requests;
      if (fits(*post.step)) fitting += post.work_requests;
    }
  }
  return all > 0 ? fitting / all : 0;
}

double Flow::items_per_pass(std::size_t receiver) const {
  const ProgramFlow& flow = programs_[receiver];
  const auto& collect = *find_step<CollectStep>(*flow.program);
  const double places = flow.request_queues();
  double senders = 0;
  double waiting = 0;
  for (const ProgramFlow& sender : programs_) {
    for (const PostFlow& post : sender.posts) {
      if (post.to != receiver || !collects(flow, *post.step)) continue;
      const bool relayed = post.step->relay.has_value();
      const bool spread = relayed ? !model::relays_to_one_thread(*post.step, *sender.program)
                                  : post.step->destination != Destination::fixed;
      // A relay reaches one thread of every machine.
      const double among = spread ? 1 : relayed ? places / flow.machine->count : places;
      senders += std::ceil(sender.threads() / among);
      waiting += sender.outstanding ? std::ceil(*sender.outstanding / among) : 1e9;
    }
  }
  double most = std::min<double>(collect.at_most, waiting);
  if (collect.via == model::Channel::memory) most = std::min(most, senders);
  return std::max(1.0, most);
}

double Flow::write_share(std::size_t receiver) const {
  const auto* access = find_step<model::AccessStep>(*programs_[receiver].program);
  if (access == nullptr) return 0;
  return share_of_requests(receiver, [&](const PostStep& post) { return model::writes(*access, post.payload); });
}

Time Flow::mean_per_item(const ProgramFlow& program, const model::ComputeStep& step) const {
  const auto kept = [&](const PostStep& post) { return model::keeps(step, post.payload); };
  return model::mean_per_item(step, step.keep ? share_of_requests(index_of(program.name), kept) : 0);
}

void Flow::collect() {
  // Work travels at most one program further in each round; a ring of programs stops after one turn.
  for (std::size_t round = 0; round < programs_.size(); ++round) {
    for (std::size_t i = 0; i < programs_.size(); ++i) {
      ProgramFlow& flow = programs_[i];
      if (!has_step<CollectStep>(*flow.program)) continue;
      double collected = 0;
      for (const ProgramFlow& sender : programs_) {
        for (const PostFlow& post : sender.posts) {
          if (post.to == i && collects(flow, *post.step)) collected += post.work_requests;
        }
      }
      flow.posts.clear();
      flow.items = items_per_pass(i);
      flow.write_share = write_share(i);
      // Full passes that only fill up their windows cost least, but where what they post themselves is measured, those
      // are worth most that find one request and post all they may.
      if (leads_to_measured(i)) {
        add_posts(flow, collected, fresh_pass(*flow.program).total);
      } else {
        add_posts(flow, collected / flow.items, steady_pass(*flow.program).total);
      }
      flow.passes = collected / flow.items;
      relay(flow, collected);
      answer(flow, collected);
      use_device(flow);
    }
  }
}

bool Flow::leads_to_measured(std::size_t program) const {
  const std::size_t measured = index_of(scenario_->measure.program);
  if (!has_step<PostStep>(*programs_[program].program, model::starts_work)) return false;
  if (program == measured) return has_step<AwaitStep>(*programs_[program].program);
  std::set<std::size_t> reached{program};
  std::vector<std::size_t> ahead{program};
  while (!ahead.empty()) {
    const Program& sender = *programs_[ahead.back()].program;
    ahead.pop_back();
    for (const Step& step : sender.loop) {
      const auto* post = std::get_if<PostStep>(&step);
      if (post == nullptr || post->destination == Destination::origin) continue;
      const std::size_t to = index_of(post->to);
      if (reached.insert(to).second) ahead.push_back(to);
    }
  }
  return reached.contains(measured) && has_step<CollectStep>(*programs_[measured].program);
}

void Flow::relay(ProgramFlow& flow, double collected) {
  double at_hand = flow.items;
  for (const Step& step : flow.program->loop) {
    // What has come back meanwhile is at hand, too.
    if (std::holds_alternative<model::AccessStep>(step)) at_hand = largest_batch;
    const auto* post = std::get_if<PostStep>(&step);
    if (post == nullptr || !post->relay) continue;
    const auto relayed = [&](const PostStep& request) { return request.payload >= post->relay->carrying; };
    const double requests = collected * share_of_requests(index_of(flow.name), relayed);
    if (requests > 0) {
      add_post(flow, *post,
               {.step = post,
                .queue_pairs = &set_of(*flow.program, post->queue_pairs),
                .to = index_of(post->to),
                .work_requests = requests * post->relay->copies,
                .batch = static_cast<int>(std::min<double>(post->batch, at_hand))});
    }
    at_hand = largest_batch;
  }
}

void Flow::answer(ProgramFlow& flow, double collected) {
  const std::size_t self = index_of(flow.name);
  if (collected <= 0) return;
  const auto* access = find_step<model::AccessStep>(*flow.program);
  double at_hand = access != nullptr ? std::max<double>(flow.items, access->at_most) : flow.items;
  if (has_step<PostStep>(*flow.program, [](const PostStep& step) { return step.relay.has_value(); }))
    at_hand = largest_batch;
  for (const Step& step : flow.program->loop) {
    const auto* post = std::get_if<PostStep>(&step);
    if (post == nullptr || post->destination != Destination::origin) continue;
    for (std::size_t i = 0; i < programs_.size(); ++i) {
      const ProgramFlow& asker = programs_[i];
      double requests = 0;
      double written = 0;
      double burst = 1;
      int ports = 1;
      for (const PostFlow& request : asker.posts) {
        if (i == self || request.to != self || !collects(flow, *request.step)) continue;
        requests += request.work_requests;
        burst = std::max<double>(burst, request.batch);
        if (model::leaves_data(*flow.program, request.step->payload)) written += request.work_requests;
        ports = std::max(ports, ports_towards(asker, *request.step, *request.queue_pairs, flow));
      }
      if (requests <= 0) continue;
      // Batches of answers are lists per port, of this side; requests of one call have come by one port.
      const int list = std::max(1, static_cast<int>(std::ceil(std::max(at_hand / ports, std::min(at_hand, burst)))));
      const auto add_answers = [&](const PostStep& answer, double count) {
        add_post(flow, answer,
                 {.step = &answer,
                  .queue_pairs = &set_of(*flow.program, post->queue_pairs),
                  .to = i,
                  .work_requests = count,
                  .batch = std::min(post->batch, list)});
      };
      if (!post->acknowledgement) written = 0;
      add_answers(*post, requests - written);
      if (written > 0) add_answers(mixed_in_.emplace_back(with_payload(*post, *post->acknowledgement)), written);
    }
  }
}

}  // namespace doorbell::analytic
