// The posting half of a thread: which queue pair, how many WQEs in a call, when it must first poll for completions.
#include <algorithm>
#include <numeric>

#include "models/programs/thread.hpp"

namespace doorbell::model {

void Thread::begin_post(const PostPlan& post) {
  const PostStep& step = *post.step;
  if (step.relay) return begin_relay(post);
  if (step.arrivals) return begin_arrivals(step);
  if (step.destination != Destination::origin) {
    to_post_ = step.window > 0 ? std::max(0, step.window - static_cast<int>(outstanding_.size())) : step.batch;
    return;
  }
  // Answers posted one by one go out in the order of collection; a batch is a list on one queue pair.
  to_answer_.begin(ports_ * post.connected_to);
  for (Message* request : collected_) to_answer_.add(step.batch == 1 ? 0 : list_of(post, *request), *request);
  collected_.clear();
}

bool Thread::next_call(const PostPlan& post, PostingCall& call) {
  const PostStep& step = *post.step;
  if (step.relay) return next_relayed(post, call);
  call.goes_on = unfinished_.can_go_on(post.number);
  if (step.destination != Destination::origin) {
    if (call.goes_on) {
      choose_to_go_on(post, call);
      return true;
    }
    if (to_post_ == 0) return false;
    call.wqes = std::min(to_post_, step.batch);
    to_post_ -= call.wqes;
    call.peer = nullptr;
    if (step.destination == Destination::others) {
      choose_random_connection(post, call);
    } else if (post.connected_to > 1) {
      choose_connection_to_target(post, call);
    } else {
      call.queue_pair = &queue_pair(post, post.all_ports ? turns(post).calls % ports_ : 0);
    }
    call.plans = &plans_towards(post, *post.targets.front()->plan().program);
    ++turns(post).calls;
    return true;
  }
  const std::size_t left = to_answer_.left();
  if (left == 0) return false;
  const Message& request = to_answer_[0];
  call.wqes = static_cast<int>(std::min(left, static_cast<std::size_t>(step.batch)));
  call.queue_pair = &way_back(post, request);
  call.plans = &plans_towards(post, *request.queue_pair->program);
  if (step.rotate == Rotation::per_operation) ++turns(post).calls;
  return true;
}

void Thread::end_post(const PostPlan& post) {
  if (post.step->destination == Destination::origin && post.step->rotate == Rotation::per_batch) ++turns(post).calls;
  if (post.step->relay) take_relayed(post);
}

core::Task<> Thread::make_room(const PostingCall& call, std::uint64_t needed) {
  QueuePair& pair = *call.queue_pair;
  while (pair.reclaimed < needed) {
    const Time asked = clock_.now();
    const bool in_round = static_cast<int>(pair.posted - pair.reclaimed) + call.wqes <= pair.depth;
    const auto waited = [&] {
      plan_->statistics.without_room += clock_.now() - asked;
      if (in_round) plan_->statistics.in_rounds += clock_.now() - asked;
    };
    if (pair.completions.empty()) {
      wait_ = Wait::completion;
      waited_for_ = &pair;
      co_await Park{*this};
      waited();
      continue;  // an operation that is awaited may have made room
    }
    clock_.advance_to(pair.completions.front().visible);
    co_await CatchUp{*this};
    waited();
    pair.poll_completion();
    clock_.work("polls for room", machine_->profile().cpu.poll_cqe);
  }
}

void Thread::prepare_wqes(const PostPlan& post, PostingCall& call) {
  call.began = clock_.now();
  drawn_.clear();
  Time each{0};
  for (int i = 0; i < call.wqes; ++i) {
    const bool answers = post.step->destination == Destination::origin;
    const Message* request = answers ? &to_answer_[static_cast<std::size_t>(i)] : nullptr;
    // A list can answer several programs.
    const StepPlans& plans =
        request != nullptr && i > 0 ? plans_towards(post, *request->queue_pair->program) : *call.plans;
    DrawnOperation& drawn =
        drawn_.emplace_back(call.goes_on ? next_part(post, plans, to_go_on_[static_cast<std::size_t>(i)], call.wqes)
                                         : draw_operation(*post.step, plans, call.wqes));
    if (request != nullptr && request->wrote && plans.acknowledgement)
      drawn.plan = &plans.acknowledgement->of(call.wqes);
    each += drawn.plan->core_per_wqe;
  }
  call.plan = drawn_.back().plan;
  const Time time = each + call.plan->core_per_call;
  const Time begin = clock_.now();
  clock_.work("posts", time);
  if (could_be_longer(post, call)) clock_.count_per_pass(begin, share_of(call.plan->core_per_call, time));
}

void Thread::hand_over(const PostPlan& post, PostingCall& call, Time left) {
  // The barrier after a post waits for the last write to leave; its own cost covers an idle link.
  const auto& writes = call.plan->mmio_writes;
  const Time begin = clock_.now();
  clock_.stall_until(left - std::accumulate(writes.begin(), writes.end(), Time{0}));
  if (could_be_longer(post, call)) clock_.count_per_pass(begin);
  write_wqes(post, call);
  QueuePair& pair = *call.queue_pair;
  pair.unit->accept(pair, {.arrival = left + machine_->nic().dma().latency(),
                           .plan = call.plan,
                           .wqes = call.wqes,
                           .fetched = !call.plan->by_doorbell,
                           .in_hand = 0,
                           .started = false});
}

QueuePair& Thread::queue_pair(const PostPlan& post, std::size_t port) {
  auto& pairs = queue_pairs_[post.queue_pairs];
  const std::uint64_t calls = turns(post).calls;
  if (!post.all_ports) return *pairs[calls % pairs.size()];
  const std::size_t per_port = pairs.size() / ports_;
  const bool answers = post.step->destination == Destination::origin;
  const std::uint64_t turn = answers ? calls : calls / ports_;
  return *pairs[port * per_port + turn % per_port];
}

QueuePair& Thread::connection(const PostPlan& post, std::size_t port, std::size_t peer, std::uint64_t turn) {
  const auto& pairs = queue_pairs_[post.queue_pairs];
  const std::size_t on_port = pairs.size() / (post.all_ports ? ports_ : 1);
  const std::size_t of_peer = (on_port - peer + post.connected_to - 1) / post.connected_to;
  return *pairs[port * on_port + peer + turn % of_peer * post.connected_to];
}

QueuePair& Thread::way_back(const PostPlan& post, const Message& request) {
  const std::size_t port = post.all_ports ? request.responder_port : 0;
  if (post.connected_to == 1) return queue_pair(post, port);
  return connection(post, port, plan_->peer_of_source[request.queue_pair->source], turns(post).calls);
}

std::size_t Thread::list_of(const PostPlan& post, const Message& request) const {
  const std::size_t peer = post.connected_to == 1 ? 0 : plan_->peer_of_source[request.queue_pair->source];
  return peer * ports_ + (post.all_ports ? request.responder_port : 0U);
}

void Thread::choose_random_connection(const PostPlan& post, PostingCall& call) {
  auto& pairs = queue_pairs_[post.queue_pairs];
  const std::size_t choice = random_.below(pairs.size());
  call.queue_pair = pairs[choice].get();
  // Consecutive targets are on consecutive machines.
  const Program* asked = post.targets.front()->plan().program;
  const auto threads = static_cast<std::size_t>(asked->threads);
  const std::size_t machines = post.targets.size() / threads;
  const std::size_t own = machine_number();
  const bool among_them = &post.targets[own % machines]->machine() == machine_;
  const std::size_t others = machines - (among_them ? 1 : 0);
  // Of those that ask one another, each begins with the machine behind its own and the thread of its own number, so
  // that as many queue pairs lead to every thread; of those that ask others, each where the one before it ends.
  std::size_t place = choice;
  std::size_t first_thread = static_cast<std::size_t>(number_on_machine());
  if (asked != plan_->program) {
    place += static_cast<std::size_t>(number_) * pairs.size();
    first_thread = 0;
  }
  const bool datagrams = plan_->program->queue_pairs[post.queue_pairs].second.transport == Transport::ud;
  if (datagrams) place = random_.below(others * threads);
  const std::size_t first_machine = among_them ? own + 1 : 0;
  const std::size_t machine = (first_machine + place % others) % machines;
  const std::size_t thread = (first_thread + place / others) % threads;
  call.peer = post.targets[thread * machines + machine];
}

void Thread::choose_connection_to_target(const PostPlan& post, PostingCall& call) {
  call.peer = choose_target(post, call);
  const std::size_t ports = post.all_ports ? ports_ : 1;
  // Consecutive threads are on consecutive machines, so that a queue pair to a thread also leads to its machine.
  const std::size_t peer = static_cast<std::size_t>(call.peer->number_) % post.connected_to;
  std::vector<std::uint64_t>& calls = turns(post).to_peer;
  calls.resize(std::max(calls.size(), post.connected_to));
  const std::uint64_t turn = calls[peer]++;
  call.queue_pair = &connection(post, turn % ports, peer, turn / ports);
}

const StepPlans& Thread::plans_towards(const PostPlan& post, const Program& responder) {
  const auto towards = [&](const StepPlans& plans) { return plans.responder == &responder; };
  return *std::find_if(post.plans.begin(), post.plans.end(), towards);
}

bool Thread::signals(const PostPlan& post, const QueuePair& pair, bool last) const {
  const PostStep& step = *post.step;
  if (step.relay && post.completes_itself && last) return true;
  if (post.whole_windows && step.signal_every >= step.window) return last;
  return !pair.signaled || pair.posted - *pair.signaled >= static_cast<std::uint64_t>(step.signal_every);
}

bool Thread::ends_window(const PostPlan& post, const PostingCall& call) const {
  const std::size_t pairs = queue_pairs_[post.queue_pairs].size();
  if (pairs == 1) return to_post_ == 0 && !unfinished_.can_go_on(post.number);
  if (call.goes_on || at_random(post.step->destination)) return true;
  // Peers take turns, and of each its queue pairs: the one that is used least often comes after so many calls.
  const std::size_t dealt = (post.all_ports ? ports_ : 1) * std::max<std::size_t>(1, post.connected_to);
  const std::size_t turn = (pairs + dealt - 1) / dealt * dealt;
  return static_cast<std::size_t>(calls_for(*post.step, to_post_)) < turn;
}

std::uint64_t Thread::reclaim_needed(const PostPlan& post, const PostingCall& call) const {
  if (!post.checks_room) return 0;
  const QueuePair& pair = *call.queue_pair;
  const std::uint64_t end = pair.posted + static_cast<std::uint64_t>(call.wqes);
  const auto depth = static_cast<std::uint64_t>(pair.depth);
  std::uint64_t needed = end > depth ? end - depth : 0;
  const auto every = static_cast<std::uint64_t>(post.step->signal_every);
  if (every == 1 || !post.polls_for_room) return needed;
  // Selective signaling: before the last WQE of a round is posted, the round's first (the signaled one) must be done. A
  // call as long as a round waits for the last signaled WQE of those before it, not for its own.
  if (!pair.signaled || end < *pair.signaled + every) return needed;
  return std::max(needed, *pair.signaled + 1);
}

Thread* Thread::choose_target(const PostPlan& post, const PostingCall& call) {
  if (call.peer != nullptr) return call.peer;
  const std::size_t count = post.targets.size();
  switch (post.step->destination) {
    case Destination::fixed: return post.targets[static_cast<std::size_t>(number_) % count];
    case Destination::random: return post.targets[random_.below(count)];
    default: return post.targets[targets(post).next++ % count];
  }
}

DrawnOperation Thread::draw_operation(const PostStep& step, const StepPlans& plans, int wqes) {
  double left = step.mix.empty() ? 0 : random_.uniform();
  for (std::size_t i = 0; i < step.mix.size(); ++i) {
    left -= step.mix[i].share;
    if (left < 0) return {&plans.alternatives[i].of(wqes), &step.mix[i].region, i + 1};
  }
  return {&plans.own.of(wqes), &step.region, 0};
}

std::int64_t Thread::choose_address(const PostPlan& post, const Region& region, std::size_t number) {
  std::int64_t object = 0;
  if (const auto& popularity = post.popularities[number]) {
    object = popularity->choose(random_);
  } else if (region.pattern == AddressPattern::random) {
    object = static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(region.count)));
  } else {
    std::int64_t& next = next_objects_[post.first_region + number];
    object = next;
    next = next + 1 == region.count ? 0 : next + 1;
  }
  return object * region.stride.count + region.offset.count;
}

void Thread::begin_operation(const PostPlan& post, const PostingCall& call, std::size_t kind, Message& message,
                             Thread* target) {
  message.posted = post.step->arrivals ? arrivals_->take() : call.began;
  if (plan_->counts != Counts::answers && post.step->window == 0) return;  // nobody takes what comes of it
  if (const auto next = post.follow_ups.first(kind, random_))
    message.unfinished = unfinished_.keep({post.number, *next, message.queue_pair, target, message.posted});
  outstanding_.begin(message.posted);
  message.number = outstanding_.begin_part(message.posted);
}

void Thread::write_wqes(const PostPlan& post, PostingCall& call) {
  QueuePair& pair = *call.queue_pair;
  pair.polled_for_room = post.polls_for_room;
  pair.told_by_cqes = post.told_by_cqes;
  ++plan_->statistics.calls;
  plan_->statistics.posted += static_cast<std::uint64_t>(call.wqes);
  ++plan_->calls_of_steps[post.number];
  const bool answers = post.step->destination == Destination::origin;
  for (int i = 0; i < call.wqes; ++i) {
    const DrawnOperation& drawn = drawn_[static_cast<std::size_t>(i)];
    Message* message = pool_.take();
    message->plan = drawn.plan;
    if (*drawn.region) message->address = choose_address(post, **drawn.region, drawn.number);
    message->queue_pair = &pair;
    message->signaled = signals(post, pair, i + 1 == call.wqes && ends_window(post, call));
    if (message->signaled) pair.signaled = pair.posted;
    if (answers) {
      Message& request = to_answer_.take();
      let_go(request);
      message->destination = request.queue_pair->owner;
      message->responder = request.queue_pair->nic;
      message->responder_port = static_cast<std::uint8_t>(request.queue_pair->port);
      message->answers = true;
      message->posted = request.posted;
      message->unfinished = request.unfinished;
      message->add_sleep(request.asleep());
      message->relayed = request.relayed;
      pool_.give_back(&request);
    } else {
      Thread* target = post.step->relay ? choose_thread(post, *call.relay_peer) : choose_target(post, call);
      message->destination = message->plan->answered ? target : nullptr;
      message->responder = &target->machine().nic();
      message->responder_port = target->arrival_port(pair, message->plan->operation);
      if (post.step->relay) {
        message->posted = call.began;
        message->relayed = call.relay_peer->waiting.pop();
      } else if (call.goes_on) {
        go_on_with(post, to_go_on_[static_cast<std::size_t>(i)], *message);
      } else {
        begin_operation(post, call, drawn.number, *message, target);
      }
    }
    if (!call.plan->by_doorbell) {
      message->by_mmio = !message->plan->gets_response();
      // READs and atomics, which wait for responses, have a cache.
      if (message->plan->gets_response()) message->ticket = machine_->nic().wqe_cache().insert();
    }
    pair.append(message);
  }
}

}  // namespace doorbell::model
