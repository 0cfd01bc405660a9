#include "models/programs/thread.hpp"

#include <algorithm>

#include "models/programs/arrival_port.hpp"

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
      write_combining_{machine.profile().mmio.buffers},
      clock_{random_, plan.statistics},
      outstanding_{plan.in_order} {
  const int ports = machine.profile().port.ports;
  ports_ = static_cast<std::size_t>(ports);
  own_port_ = static_cast<std::size_t>(own_port) % ports_;
  open_loop_ = open_loop(*plan.program);
  for (const auto& [name, set] : plan.program->queue_pairs) {
    auto& pairs = queue_pairs_.emplace_back();
    const bool sends = sends_over(*plan.program, name);
    for (const int port : ports_of(set, own_port, ports)) {
      for (int i = 0; i < set.count; ++i) {
        auto pair = std::make_unique<QueuePair>();
        machine.open(*pair, *this);
        pair->port = port;
        pair->program = plan.program;
        pair->leads_to_thread = sends;
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
  const std::string refilled = plan_->recvs == nullptr ? "" : plan_->recvs->queue_pairs;
  for (std::size_t set = 0; set < queue_pairs_.size(); ++set) {
    if (plan_->program->queue_pairs[set].first != refilled) continue;
    recvs_of_each_ = plan_->recvs->recvs.value_or(plan_->program->queue_pairs[set].second.depth);
    recvs += queue_pairs_[set].size() * static_cast<std::uint64_t>(recvs_of_each_);
  }
  requests.join(recvs);
}

void Thread::start(Time stagger) {
  const Time when = random_.uniform(Time{0}, stagger);
  clock_.begin(when, machine_->clock_stretch(), machine_->profile().cpu.variation);
  prepare_relays();
  next_objects_.resize(plan_->regions);
  turns_.resize(queue_pairs_.size());
  targets_.resize(plan_->steps.size());
  if (open_loop_ != nullptr) let_arrive(when);
  core::start(calendar_, run(), when, priority_);
}

core::Process Thread::run() {
  if (plan_->steps.empty()) co_return;
  PostingCall call;
  for (;;) {
    const Time pass_began = calendar_.now();
    handled_ = 0;
    bool collecting = false;  // one step after the other
    for (const StepPlan& step : plan_->steps) {
      if (!std::exchange(collecting, std::holds_alternative<CollectStep>(step)) && collecting) handled_ = 0;
      if (const auto* post = std::get_if<PostPlan>(&step)) {
        begin_post(*post);
        while (next_call(*post, call)) {
          const std::uint64_t needed = reclaim_needed(*post, call);
          if (call.queue_pair->reclaimed < needed) co_await make_room(call, needed);
          prepare_wqes(*post, call);
          co_await CatchUp{*this};
          Time left{0};
          for (const Time service : call.plan->mmio_writes) {
            clock_.advance_to(write_combining_.available(clock_.now()));
            co_await CatchUp{*this};
            left = machine_->nic().dma().mmio_write(service);
            write_combining_.hold_until(left);
          }
          hand_over(*post, call, left);
        }
        end_post(*post);
      } else if (const auto* collect = std::get_if<CollectStep>(&step)) {
        co_await CatchUp{*this};
        if (!finds_requests(*collect)) co_await wait_for_requests(*collect);
      } else if (const auto* await = std::get_if<AwaitStep>(&step)) {
        const std::size_t at_least = awaited(*await);
        if (arrivals_ || !outstanding_.has(at_least)) {
          co_await CatchUp{*this};
          if (waits_for_answers(at_least)) {
            co_await Park{*this};
            if (!arrivals_ && plan_->patience < Time::max()) sleep_through(at_least);
          }
        }
        take_answers(*await, at_least);
      } else if (const auto* compute = std::get_if<ComputeStep>(&step)) {
        this->compute(*compute);
      } else if (const auto* increment = std::get_if<IncrementStep>(&step)) {
        for (std::size_t left = increment->per_item ? handled_ : std::min<std::size_t>(1, handled_); left > 0; --left) {
          co_await CatchUp{*this};
          this->increment(*increment);
        }
      } else if (const auto* replenish = std::get_if<ReplenishStep>(&step)) {
        if (requests_->shared()) co_await CatchUp{*this};
        post_recvs(*replenish);
      } else if (const auto* access = std::get_if<AccessPlan>(&step)) {
        co_await access_storage(*access);
      } else if (const auto* touch = std::get_if<TouchStep>(&step)) {
        co_await touch_pages(*touch);
      }
    }
    if (!plan_->answers) forget_requests();
    if (calendar_.now() > pass_began) continue;
    // A pass in which nothing was waited for would repeat for ever in the same instant.
    if (clock_.now() == pass_began) clock_.pass(clock_.longer(machine_->profile().cpu.poll_empty));
    co_await CatchUp{*this};
  }
}

void Thread::forget_requests() {
  for (Message* request : collected_) pool_.give_back(request);
  collected_.clear();
}

void Thread::go_idle() {
  Time patience = plan_->patience;
  if (plan_->polls > 0) patience = clock_.varied(patience, plan_->polls);
  if (plan_->timed) patience = std::max(Time{0}, sleep_.woken_at() + patience - clock_.now());
  sleep_.go_idle(clock_.now(), patience);
}

bool Thread::woken() {
  if (!sleep_.sleeps_at(clock_.now())) return false;
  clock_.pass(plan_->wake_up.delay);
  sleep_.end_nap(clock_.now());
  ++plan_->statistics.interrupts;
  const Time begin = clock_.now();
  clock_.work("wakes up", plan_->wake_up.work);
  clock_.count_per_pass(begin);
  sleep_.wake(clock_.now());
  return true;
}

void Thread::sleep_through(std::size_t answers) {
  clock_.go_back_to(sleep_.idle_since());
  for (std::size_t i = 0; i < answers; ++i) {
    const Answer& answer = outstanding_[i];
    if (!answer.polled || answer.visible <= clock_.now()) continue;
    go_idle();
    clock_.advance_to(answer.visible);
    woken();
  }
}

void Thread::wake_at(Time when) {
  const Time at = std::max(when, calendar_.now());
  if (!parked_ || at >= wakes_at_) return;
  const bool sooner = wakes_at_ < Time::max();
  if (sooner) ++sleeps_;
  if (!sooner && wait_ == Wait::requests) requests_->stop_waiting(*this);
  wakes_at_ = at;
  calendar_.at<&Thread::resume_parked>(at, priority_, *this, sleeps_);
}

void Thread::resume_parked(std::uint64_t sleep) {
  if (sleep != sleeps_) return;
  ++sleeps_;
  wakes_at_ = Time::max();
  std::exchange(parked_, nullptr).resume();
}

void Thread::wake_for_answers() {
  if (wait_ == Wait::answers && outstanding_.has(answers_needed_)) wake_at(outstanding_.when(answers_needed_));
}

bool Thread::take_recv(const Message& message) {
  // Clients post a RECV for every answer before they ask.
  if (plan_->recvs == nullptr || message.answers) return true;
  if (!has_its_own_recvs(message)) {
    if (requests_->take_recv()) return true;
  } else if (message.queue_pair->recvs_used < recvs_of_each_) {
    ++message.queue_pair->recvs_used;
    return true;
  }
  ++(message.plan->operation.transport == Transport::rc ? plan_->statistics.refused : plan_->statistics.dropped);
  return false;
}

bool Thread::has_its_own_recvs(const Message& message) const {
  return message.plan->operation.transport != Transport::ud && plan_->program->completion.shared_queues == 0;
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
      const bool polled = leaves_recv_cqe(message.plan->operation);
      outstanding_.answer(
          {message.visible, message.posted, polled, Time{0}, message.queue_pair->program, message.unfinished});
      plan_->statistics.asleep += message.asleep();
      count_answer(message);
    }
    pool_.give_back(&message);
    wake_for_answers();
    return;
  }
  const Operation& operation = message.plan->operation;
  const bool has_cqe = operation.verb == Verb::send || operation.immediate;
  const bool in_memory = operation.verb == Verb::write && operation.payload > Bytes{0};
  if (has_cqe && plan_->collects_completions) {
    requests_->push(message);
    if (Thread* next = requests_->next_waiting(message.visible)) {
      next->wake_at(message.visible);
    } else if (!requests_->shared() && wait_ == Wait::requests) {
      wake_at(message.visible);  // before what it was to be woken for
    }
  } else if (in_memory && plan_->collects_memory) {
    region_.write(plan_->slot_of_source[message.queue_pair->source], message);
    if (wait_ == Wait::requests) wake_at(message.visible);
  } else {
    pool_.give_back(&message);
  }
}

void Thread::transmitted(const Message& message, Time) {
  plan_->statistics.count(message.plan->operation);
  if (plan_->counts == Counts::transmitted) ++plan_->statistics.operations;
}

void Thread::completed(Message& message) {
  plan_->statistics.count(message.plan->operation);
  if (message.destination == nullptr && message.relayed == nullptr) {
    if (plan_->counts != Counts::collected) count_answer(message);
    tell(message);
    return;
  }
  if (message.destination == nullptr) {
    message.relayed->state->completed(message);
    const Time seen = message.relayed->state->earliest();
    if (wait_ == Wait::requests && seen < Time::max()) wake_at(seen);
  } else if (plan_->counts == Counts::transmitted) {
    ++plan_->statistics.operations;
    plan_->statistics.latency.add(message.visible - message.posted);
  }
  pool_.give_back(&message);
}

void Thread::tell(Message& message) {
  QueuePair& pair = *message.queue_pair;
  if (pair.told_by_cqes && !message.signaled && message.wqe >= pair.reclaimed) {
    pair.untold.push(&message);
    return;
  }
  if (message.signaled) {
    // They have finished in any order.
    const auto is_told = [&](const Message* earlier) { return earlier->wqe < message.wqe; };
    pair.untold.take_if(is_told, [&](Message* earlier) {
      plan_->statistics.told_late += message.visible - earlier->visible;
      earlier->visible = message.visible;
      know(*earlier);
    });
  }
  know(message);
}

void Thread::know(Message& message) {
  take_completion(message);
  wake_for_answers();
  if (plan_->counts == Counts::transmitted) plan_->statistics.latency.add(message.visible - message.posted);
  if (plan_->counts != Counts::answers) (void)outstanding_.take();
  pool_.give_back(&message);
}

void Thread::completion_written(QueuePair& queue_pair) {
  if (wait_ == Wait::completion && waited_for_ == &queue_pair) wake_at(queue_pair.completions.front().visible);
}

}  // namespace doorbell::model
