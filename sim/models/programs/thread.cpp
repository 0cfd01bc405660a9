#include "models/programs/thread.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace doorbell::model {

Thread::Thread(core::Calendar& calendar, MessagePool& pool, Machine& machine, ProgramPlan& plan, int number,
               int own_port, std::uint64_t seed, core::Priority priority)
    : calendar_{calendar},
      pool_{pool},
      machine_{&machine},
      plan_{&plan},
      number_{number},
      core_{machine.take_core(!plan.program->loop.empty())},
      priority_{priority},
      seed_{seed},
      random_{seed, plan.name + "/" + std::to_string(number)},
      write_combining_{machine.profile().mmio.buffers} {
  const int ports = machine.profile().port.ports;
  ports_ = static_cast<std::size_t>(ports);
  open_loop_ = open_loop(*plan.program);
  for (const auto& [name, set] : plan.program->queue_pairs) {
    auto& pairs = queue_pairs_.emplace_back();
    const int used_ports = set.ports == PortUse::all ? ports : 1;
    for (int port = 0; port < used_ports; ++port) {
      for (int i = 0; i < set.count; ++i) {
        auto pair = std::make_unique<QueuePair>();
        machine.open(*pair, *this);
        pair->port = set.ports == PortUse::all ? port : own_port % ports;
        pair->program = plan.program;
        pair->depth = set.depth;
        pairs.push_back(std::move(pair));
      }
    }
  }
}

void Thread::set_source_number(std::size_t number) {
  for (auto& set : queue_pairs_) {
    for (auto& pair : set) pair->source = number;
  }
}

void Thread::take_from(RequestQueue& requests) {
  requests_ = &requests;
  std::uint64_t recvs = 0;
  for (const auto& set : queue_pairs_) {
    for (const auto& pair : set) recvs += static_cast<std::uint64_t>(pair->depth);
  }
  requests.join(recvs);
}

void Thread::start(Time stagger) {
  const Time when = random_.uniform(Time{0}, stagger);
  clock_ = when;
  stretch_ = machine_->clock_stretch();
  variation_ = machine_->profile().cpu.variation;
  prepare_relays();
  next_objects_.resize(plan_->regions);
  if (open_loop_ != nullptr) let_arrive(when);
  core::start(calendar_, run(), when, priority_);
}

core::Process Thread::run() {
  if (plan_->steps.empty()) co_return;
  Call call;
  for (;;) {
    const Time pass_began = calendar_.now();
    handled_ = 0;
    for (const StepPlan& step : plan_->steps) {
      if (const auto* post = std::get_if<PostPlan>(&step)) {
        begin_post(*post);
        while (next_call(*post, call)) {
          QueuePair& pair = *call.queue_pair;
          const std::uint64_t needed = reclaim_needed(*post, call);
          while (pair.reclaimed < needed) {
            const Time asked = clock_;
            if (pair.completions.empty()) {
              wait_ = Wait::completion;
              waited_for_ = &pair;
              co_await Park{*this};
              plan_->statistics.without_room += clock_ - asked;
              continue;  // an operation that is awaited may have made room
            }
            clock_ = std::max(clock_, pair.completions.front().visible);
            co_await CatchUp{*this};
            plan_->statistics.without_room += clock_ - asked;
            pair.poll_completion();
            work("polls for room", call.plan->poll);
          }
          call.began = clock_;
          work("posts", call.plan->core_per_wqe * call.wqes + call.plan->core_per_call);
          co_await CatchUp{*this};
          Time left{0};
          Time unhindered{0};
          for (const Time service : call.plan->mmio_writes) {
            clock_ = write_combining_.available(clock_);
            co_await CatchUp{*this};
            left = machine_->nic().dma().mmio_write(service);
            write_combining_.hold_until(left);
            unhindered += service;
          }
          // The barrier after a post waits for the last write to leave; its own cost covers an idle link.
          stall_until(left - unhindered);
          write_wqes(*post, call);
          pair.unit->accept(pair, {.arrival = left + machine_->nic().dma().latency(),
                                   .plan = call.plan,
                                   .wqes = call.wqes,
                                   .fetched = !call.plan->by_doorbell,
                                   .in_hand = 0,
                                   .started = false});
        }
        end_post(*post);
        if (post->step->relay) take_relayed(*post);
      } else if (const auto* collect = std::get_if<CollectStep>(&step)) {
        bool idle = false;
        for (;;) {
          co_await CatchUp{*this};
          const Time returned = earliest_return();
          if (take_requests(*collect) > 0 || returned <= clock_) break;
          const Time earliest = std::min(earliest_request(*collect), returned);
          if (!idle) go_idle();
          if (earliest == Time::max()) {
            wait_for_requests();
            co_await Park{*this};
          } else {
            clock_ = std::max(clock_, earliest);
          }
          idle = !woken();  // and goes on waiting if another thread has been faster
          if (idle) clock_ += detection_delay(*collect);
        }
      } else if (const auto* await = std::get_if<AwaitStep>(&step)) {
        if (arrivals_) {
          co_await CatchUp{*this};
          if (nothing_came()) co_await Park{*this};
          take_answers(*await, 0);
          continue;
        }
        const std::size_t at_least =
            await->at_least == 0 ? outstanding_ : std::min(outstanding_, static_cast<std::size_t>(await->at_least));
        if (!answered(at_least)) {
          co_await CatchUp{*this};
          if (!answered(at_least)) {
            answers_needed_ = at_least;
            wait_ = Wait::answers;
            go_idle();
            co_await Park{*this};
            if (plan_->patience < Time::max()) sleep_through(at_least);
          }
        }
        take_answers(*await, at_least);
      } else if (const auto* compute = std::get_if<ComputeStep>(&step)) {
        this->compute(*compute);
      } else if (const auto* increment = std::get_if<IncrementStep>(&step)) {
        SharedLine& line = machine_->line(increment->line);
        const std::size_t times = increment->per_item ? handled_ : std::min<std::size_t>(1, handled_);
        for (std::size_t i = 0; i < times; ++i) {
          co_await CatchUp{*this};
          occupy("increments", line.increment(clock_, core_) - clock_);
        }
      } else if (const auto* replenish = std::get_if<ReplenishStep>(&step)) {
        if (requests_->shared()) co_await CatchUp{*this};
        post_recvs(*replenish);
      } else if (const auto* access = std::get_if<AccessPlan>(&step)) {
        work("writes commands", access->step->per_command * static_cast<std::int64_t>(collected_.size()));
        co_await CatchUp{*this};
        if (access->step->device == AccessedDevice::drives) {
          add_commands(*access);
        } else if (!collected_.empty()) {
          co_await submit_requests(*access);
          clock_ = std::max(clock_, calendar_.now());
        }
        take_accessed(*access);
      } else if (const auto* touch = std::get_if<TouchStep>(&step)) {
        co_await CatchUp{*this};
        co_await touch_pages(*touch);
      }
    }
    if (calendar_.now() > pass_began) continue;
    // A pass in which nothing was waited for would repeat for ever in the same instant.
    if (clock_ == pass_began) clock_ += machine_->profile().cpu.poll_empty;
    co_await CatchUp{*this};
  }
}

// ---- waking --------------------------------------------------------------------------------------------------------

bool Thread::woken() {
  if (clock_ - idle_since_ <= patience_) return false;
  clock_ += plan_->wake_up.delay;
  slept_ += nap(clock_);
  ++plan_->statistics.interrupts;
  work("wakes up", plan_->wake_up.work);
  woken_at_ = clock_;
  return true;
}

void Thread::sleep_through(std::size_t answers) {
  clock_ = idle_since_;
  for (std::size_t i = 0; i < answers; ++i) {
    if (!answers_[i].polled || answers_[i].visible <= clock_) continue;
    go_idle();
    clock_ = answers_[i].visible;
    woken();
  }
}

void Thread::wake_at(Time when) {
  if (!parked_ || wake_pending_) return;
  wake_pending_ = true;
  if (wait_ == Wait::requests) requests_->stop_waiting(*this);
  calendar_.at<&Thread::resume_parked>(std::max(when, calendar_.now()), priority_, *this, sleeps_);
}

void Thread::resume_parked(std::uint64_t sleep) {
  if (sleep != sleeps_) return;
  ++sleeps_;
  wake_pending_ = false;
  std::exchange(parked_, nullptr).resume();
}

bool Thread::take_recv(const Message& message) {
  // Clients post a RECV for every answer before they ask.
  if (!plan_->tracks_recvs || message.answers) return true;
  if (requests_->take_recv()) return true;
  // The requester tries again until there is one; how long that takes is not modelled.
  if (message.plan->operation.transport == Transport::rc) return true;
  ++plan_->statistics.dropped;
  return false;
}

void Thread::deliver(Message& message) {
  if (message.relayed != nullptr && message.answers) {
    message.relayed->state->answered(message);
    if (wait_ == Wait::requests) wake_at(message.visible);
    pool_.give_back(&message);
    return;
  }
  if (message.answers) {
    // Who awaits nothing has counted its request when that was done.
    if (plan_->counts == Counts::answers) {
      answers_.push({message.visible, message.posted, true, Time{0}});
      count_answer();
    }
    pool_.give_back(&message);
    if (wait_ == Wait::answers && answered(answers_needed_)) wake_at(answered_when(answers_needed_));
    return;
  }
  if (!plan_->collects) {
    pool_.give_back(&message);
    return;
  }
  const Operation& operation = message.plan->operation;
  if (operation.verb == Verb::write && !(operation.immediate && plan_->collects_completions)) {
    slots_[plan_->slot_of_source[message.queue_pair->source]].push(&message);
    ++in_slots_;
    if (wait_ == Wait::requests) wake_at(message.visible);
    return;
  }
  requests_->push(message);
  if (Thread* next = requests_->next_waiting(message.visible)) next->wake_at(message.visible);
}

void Thread::transmitted(const Message& message, Time) {
  plan_->statistics.count(message.plan->operation);
  if (plan_->counts == Counts::transmitted) ++plan_->statistics.operations;
}

void Thread::completed(Message& message) {
  plan_->statistics.count(message.plan->operation);
  if (message.destination == nullptr && message.relayed != nullptr) {
    message.relayed->state->completed(message);
    const Time seen = message.relayed->state->earliest();
    if (wait_ == Wait::requests && seen < Time::max()) wake_at(seen);
  } else if (message.destination == nullptr) {
    take_completion(message);
    if (wait_ == Wait::answers && answered(answers_needed_)) wake_at(answered_when(answers_needed_));
    count_answer();
    if (plan_->counts == Counts::transmitted) {
      plan_->statistics.latency.add(message.visible - message.posted);
      answers_.pop();
    }
  } else if (plan_->counts == Counts::transmitted) {
    ++plan_->statistics.operations;
    plan_->statistics.latency.add(message.visible - message.posted);
  }
  pool_.give_back(&message);
}

void Thread::take_completion(const Message& message) {
  QueuePair& pair = *message.queue_pair;
  const bool polled = message.signaled && !pair.polled_for_room;
  // Its CQE is polled with the answer.
  if (polled) pair.poll_completion();
  const Answer answer{message.visible, message.posted, polled, message.plan->take_data};
  if (plan_->in_order) {
    // The oldest operation that has not been taken is the front.
    const std::uint32_t oldest = next_number_ - static_cast<std::uint32_t>(answers_.size());
    answers_[message.number - oldest] = answer;
  } else {
    answers_.push(answer);
  }
}

void Thread::completion_written(QueuePair& queue_pair) {
  if (wait_ == Wait::completion && waited_for_ == &queue_pair) wake_at(queue_pair.completions.front().visible);
}

// ---- await ---------------------------------------------------------------------------------------------------------

bool Thread::answered(std::size_t at_least) const {
  if (answers_.size() < at_least) return false;
  return !plan_->in_order || answered_when(at_least) < Time::max();
}

Time Thread::answered_when(std::size_t at_least) const {
  if (!plan_->in_order) return answers_[at_least - 1].visible;
  Time last{0};
  for (std::size_t i = 0; i < at_least; ++i) last = std::max(last, answers_[i].visible);
  return last;
}

void Thread::take_answers(const AwaitStep& step, std::size_t at_least) {
  std::size_t taken = 0;
  Time posted{0};  // sum over those taken
  while (!answers_.empty() && (taken < at_least || answers_.front().visible <= clock_)) {
    const Answer answer = answers_.pop();
    go_idle();
    clock_ = std::max(clock_, answer.visible);
    if (answer.polled) woken();
    const Time poll = answer.polled ? machine_->profile().cpu.poll_cqe : Time{0};
    work("takes answers", step.per_item + poll + answer.take_data);
    plan_->statistics.latency.add(clock_ - answer.posted);
    posted += answer.posted;
    ++taken;
  }
  // Nothing is posted in their place before all of them have been taken.
  plan_->statistics.in_window += clock_ * static_cast<std::int64_t>(taken) - posted;
  outstanding_ -= taken;
  posted_ -= posted;
  handled_ = taken;
  if (arrivals_) plan_->statistics.operations += taken;
}

}  // namespace doorbell::model
