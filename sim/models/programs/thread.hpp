// A thread: runs its program's steps on a core, in simulated time.
#pragma once

#include <coroutine>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "core/calendar.hpp"
#include "core/process.hpp"
#include "core/random.hpp"
#include "core/ring_queue.hpp"
#include "core/task.hpp"
#include "core/trace.hpp"
#include "models/machine/machine.hpp"
#include "models/nic/endpoint.hpp"
#include "models/nic/message.hpp"
#include "models/nic/queue_pair.hpp"
#include "models/programs/answer_lists.hpp"
#include "models/programs/core_clock.hpp"
#include "models/programs/core_sleep.hpp"
#include "models/programs/outstanding.hpp"
#include "models/programs/polled_region.hpp"
#include "models/programs/posting_call.hpp"
#include "models/programs/program_plan.hpp"
#include "models/programs/relay_state.hpp"
#include "models/remote_memory/submitter.hpp"

namespace doorbell::model {

/// Polls and posts as the program says. A thread that finds nothing to do sleeps in the simulation, and wakes when a
/// spinning core would have noticed; CPU time counts as busy only where it serves an operation.
class Thread final : public Endpoint, public CommandClient, public OwnCore {
 public:
  /// `number` counts the threads of the program over all machines; `port`, modulo the number of ports, is its own one.
  Thread(core::Calendar& calendar, MessagePool& pool, Machine& machine, ProgramPlan& plan, int number, int port,
         std::uint64_t seed, core::Priority priority);

  /// Starts at a random moment within `stagger`: threads of a real program do not start at once.
  void start(Time stagger);

  // From the NIC.
  bool take_recv(const Message& message) override;
  [[nodiscard]] Time rnr_timer() const override { return plan_->recvs->rnr_timer; }
  void deliver(Message& message) override;
  void transmitted(const Message& message, Time when) override;
  void completed(Message& message) override;
  void completion_written(QueuePair& queue_pair) override;
  // From a drive, or the device on remote memory.
  void command_done(void* tag, Time visible) override;
  // From the software on its way to that device.
  Time spend(Time time) override;

  [[nodiscard]] ProgramPlan& plan() { return *plan_; }
  [[nodiscard]] Machine& machine() { return *machine_; }
  /// The port of its NIC to which what it is sent is addressed: of a queue pair always the same one.
  [[nodiscard]] std::uint8_t arrival_port(const QueuePair& sender, const Operation& operation) const {
    const bool own = sender.leads_to_thread && plan_->sends_by_own_port[static_cast<std::size_t>(operation.transport)];
    return static_cast<std::uint8_t>(own ? own_port_ : facing_port(static_cast<std::size_t>(sender.port), ports_));
  }
  /// Among those of its program.
  [[nodiscard]] std::size_t machine_number() const { return static_cast<std::size_t>(number_ % machines()); }
  void set_source_number(std::size_t number);
  /// Draws what its core does from now on.
  void trace(core::TraceTrack track) { clock_.trace(track); }
  void prepare_slots(std::size_t slots) { region_.resize(slots); }
  /// Where it finds its requests; comes before `start`.
  void take_from(RequestQueue& requests);
  /// What its touch steps touch, if it has some.
  void use(PagedMemory& memory) { memory_ = &memory; }
  /// Whether it sleeps at `when`, if nothing comes before.
  [[nodiscard]] bool sleeps_at(Time when) const { return sleep_.sleeps_at(when); }
  /// Requests in its part of the request region.
  [[nodiscard]] std::size_t requests_in_memory() const { return region_.requests(); }
  /// What arrived at it since the warm-up, or was unanswered then; nothing if its program does not post that.
  [[nodiscard]] ArrivalCount arrivals() const {
    if (!arrivals_) return {};
    return {arrivals_->arrived() + outstanding_.before(), arrivals_->waiting() + outstanding_.size()};
  }
  /// Of all sets, in their order.
  [[nodiscard]] const std::vector<std::vector<std::unique_ptr<QueuePair>>>& queue_pairs() const { return queue_pairs_; }
  /// CPU time spent on work since the warm-up; polling for nothing is not work.
  [[nodiscard]] Time busy() const { return clock_.busy(); }
  /// For how long it has waited since for its MMIO writes to leave.
  [[nodiscard]] Time stalled() const { return clock_.stalled(); }
  /// Ends the warm-up, for what its queue pairs count.
  void measure(Time now) {
    for (auto& set : queue_pairs_) {
      for (auto& pair : set) {
        pair->held_back.reset(now);
        pair->in_unit = Time{0};
        pair->refused.waiting.reset(now);
      }
    }
    if (arrivals_) arrivals_->measure();
    clock_.measure();
    sleep_.measure(now);
    outstanding_.measure(now);
  }
  /// For how long it has slept since the warm-up.
  [[nodiscard]] Time slept(Time now) const { return sleep_.slept() + (sleeping() ? sleep_.nap(now) : Time{0}); }
  /// What was outstanding at the end of the warm-up, if nothing came back since.
  [[nodiscard]] std::size_t stuck() const { return outstanding_.stuck(); }
  /// How much older what is outstanding has become since the warm-up, all operations together.
  [[nodiscard]] Time aged(Time now) const { return outstanding_.aged(now); }

 private:
  [[nodiscard]] bool sleeping() const { return parked_ && wait_ != Wait::completion && plan_->patience < Time::max(); }
  /// Lets the core know that an operation of its own has completed, now or with a later CQE.
  void tell(Message& message);
  void know(Message& message);

  /// A request whose data are there.
  struct Accessed {
    Message* request = nullptr;
    Time visible{0};
  };
  enum class Wait { nothing, requests, answers, completion };

  struct CatchUp {
    Thread& thread;
    [[nodiscard]] bool await_ready() const { return thread.clock_.now() <= thread.calendar_.now(); }
    void await_suspend(std::coroutine_handle<> handle) const {
      thread.calendar_.post_coroutine(thread.clock_.now(), thread.priority_, handle);
    }
    void await_resume() const {}
  };
  struct Park {
    Thread& thread;
    [[nodiscard]] bool await_ready() const { return false; }
    void await_suspend(std::coroutine_handle<> handle) const { thread.parked_ = handle; }
    void await_resume() const {
      thread.wait_ = Wait::nothing;
      thread.clock_.advance_to(thread.calendar_.now());
    }
  };

  core::Process run();
  /// Hardware threads beyond the cores share them in turn.
  [[nodiscard]] int physical_core() const { return core_ % machine_->profile().cpu.cores; }
  [[nodiscard]] static double share_of(Time part, Time time) {
    return time > Time{0} ? to_seconds(part) / to_seconds(time) : 0;
  }
  /// From now on the core has nothing to do. Its polls vary like all that it does.
  void go_idle();
  /// The core, which has had nothing to do, goes on. Whether it slept and was woken.
  bool woken();
  /// Lives again from when it had nothing to do until so many answers are there: each CQE that finds the thread asleep
  /// wakes it, and it goes back to sleep where more are awaited.
  void sleep_through(std::size_t answers);
  void wake_at(Time when);
  /// If it waits for answers, and so many have come.
  void wake_for_answers();
  void resume_parked(std::uint64_t sleep);

  // collect
  /// The requests at hand are computed with.
  void compute(const ComputeStep& step);
  /// `collected`: the request, unless that does not matter.
  Time time_of_request(const ComputeStep& step, const Message* collected);
  void increment(const IncrementStep& step);
  void post_recvs(const ReplenishStep& step);
  /// Whether it comes by a connection with a receive queue of its own. Datagrams may come by any queue pair of the
  /// thread, and shared queues have one for all.
  [[nodiscard]] bool has_its_own_recvs(const Message& message) const;
  /// Whether there is something to go on with: requests, which it takes, or a return.
  [[nodiscard]] bool finds_requests(const CollectStep& step);
  /// Until it finds something.
  core::Task<> wait_for_requests(const CollectStep& step);
  int take_requests(const CollectStep& step);
  int sweep_memory(const CollectStep& step);
  int poll_queue(const CollectStep& step);
  [[nodiscard]] Time earliest_request(const CollectStep& step) const;
  [[nodiscard]] Time detection_delay(const CollectStep& step) const;
  void take_request(Message* message, Time cost);
  /// A request that it takes, to begin or to go on with, could be seen since `visible`.
  void count_sleep(Message& request, Time visible) const {
    if (visible >= slept_until_) return;
    request.add_sleep(slept_until_ - visible);
    plan_->statistics.at_threads -= slept_until_ - visible;
  }
  /// A request that is passed on, or answered, is no longer in hand.
  void let_go(const Message& request) const { plan_->statistics.at_threads += clock_.now() - request.visible; }
  /// Requests that have come through all steps, where nobody is answered.
  void forget_requests();

  // access
  core::Task<> access_storage(const AccessPlan& plan);
  /// Hands a request over to storage; returns whether that writes for it.
  bool pass_on(const AccessPlan& plan, Message& request) const;
  void add_commands(const AccessPlan& plan);
  core::Task<> submit_requests(const AccessPlan& plan);
  [[nodiscard]] std::int64_t choose_place(const AccessPlan& plan);
  /// Among the threads of its program on its machine.
  [[nodiscard]] int number_on_machine() const { return number_ / machines(); }
  [[nodiscard]] int machines() const { return static_cast<int>(plan_->threads.size()) / plan_->program->threads; }
  void take_accessed(const AccessPlan& plan);

  // touch
  core::Task<> touch_pages(const TouchStep& step);

  // relay
  void prepare_relays();
  /// Those machines, other than its own, and the queue pairs connected to them.
  [[nodiscard]] std::vector<RelayPeer> relay_peers(const PostPlan& post);
  /// Takes over the requests at hand that are to be relayed.
  void begin_relay(const PostPlan& post);
  [[nodiscard]] bool next_relayed(const PostPlan& post, PostingCall& call);
  /// Of the machine that an operation goes to.
  [[nodiscard]] Thread* choose_thread(const PostPlan& post, RelayPeer& peer);
  void take_relayed(const PostPlan& post);
  /// When the core can see that a request goes on, or one of its operations is done.
  [[nodiscard]] Time earliest_return() const;

  // await
  /// How many answers it waits for; none where the next arrival may come first.
  [[nodiscard]] std::size_t awaited(const AwaitStep& step) const;
  /// Whether it has to wait until it is woken.
  [[nodiscard]] bool waits_for_answers(std::size_t at_least);
  /// An operation that completes by itself is done.
  void take_completion(const Message& message);
  /// What comes back to a thread that posts what arrives counts when it is taken: an overloaded one never takes it all.
  void count_answer(const Message& message) {
    if (!arrivals_ && message.unfinished == 0) ++plan_->statistics.operations;
  }
  void take_answers(const AwaitStep& step, std::size_t at_least);

  // arrivals
  void let_arrive(Time begin);
  void begin_arrivals(const PostStep& step);
  [[nodiscard]] bool window_is_full(const PostStep& step) const {
    return step.window > 0 && outstanding_.size() >= static_cast<std::size_t>(step.window);
  }
  /// Whether there is nothing to do before the next answer or arrival. If so, that will wake the thread.
  [[nodiscard]] bool nothing_came();

  // post
  void begin_post(const PostPlan& post);
  [[nodiscard]] bool next_call(const PostPlan& post, PostingCall& call);
  void end_post(const PostPlan& post);
  /// An operation of the program is outstanding from now on; `message` is its first part.
  void begin_operation(const PostPlan& post, const PostingCall& call, std::size_t kind, Message& message,
                       Thread* target);
  /// `message` is the part that follows of operation `number`.
  void go_on_with(const PostPlan& post, std::uint32_t number, Message& message);
  /// Chooses those that the next call goes on with.
  void choose_to_go_on(const PostPlan& post, PostingCall& call);
  [[nodiscard]] static const StepPlans& plans_towards(const PostPlan& post, const Program& responder);
  [[nodiscard]] PostingTurns& turns(const PostPlan& post) { return turns_[post.queue_pairs]; }
  [[nodiscard]] PostingTargets& targets(const PostPlan& post) { return targets_[post.number]; }
  [[nodiscard]] QueuePair& queue_pair(const PostPlan& post, std::size_t port);
  /// Of those on `port` that lead to the peer of this number, whose `turn` it is.
  [[nodiscard]] QueuePair& connection(const PostPlan& post, std::size_t port, std::size_t peer, std::uint64_t turn);
  /// One that answers `request`.
  [[nodiscard]] QueuePair& way_back(const PostPlan& post, const Message& request);
  /// Number of the list that `request` is answered with.
  [[nodiscard]] std::size_t list_of(const PostPlan& post, const Message& request) const;
  [[nodiscard]] std::uint64_t reclaim_needed(const PostPlan& post, const PostingCall& call) const;
  /// Polls CQEs until the first `needed` WQEs of the queue pair are done.
  core::Task<> make_room(const PostingCall& call, std::uint64_t needed);
  /// Decides what the WQEs of the call ask for, and spends the time to prepare them.
  void prepare_wqes(const PostPlan& post, PostingCall& call);
  /// Whether a call would have taken more, had a pass found more.
  [[nodiscard]] static bool could_be_longer(const PostPlan& post, const PostingCall& call) {
    return call.wqes < post.step->batch;
  }
  /// To the NIC, which what the core has written reaches after `left`.
  void hand_over(const PostPlan& post, PostingCall& call, Time left);
  /// Whether no more calls of this window come to the queue pair of `call`, as far as the thread can know. (Queue pairs
  /// take turns; one that gets two of the last calls is signaled twice.)
  [[nodiscard]] bool ends_window(const PostPlan& post, const PostingCall& call) const;
  [[nodiscard]] bool signals(const PostPlan& post, const QueuePair& pair, bool last) const;
  void write_wqes(const PostPlan& post, PostingCall& call);
  /// Chooses a queue pair at random; each is connected to a thread of another machine.
  void choose_random_connection(const PostPlan& post, PostingCall& call);
  /// Chooses a target, and in turn a queue pair that is connected to it or to its machine.
  void choose_connection_to_target(const PostPlan& post, PostingCall& call);
  [[nodiscard]] Thread* choose_target(const PostPlan& post, const PostingCall& call);
  [[nodiscard]] DrawnOperation draw_operation(const PostStep& step, const StepPlans& plans, int wqes);
  [[nodiscard]] DrawnOperation next_part(const PostPlan& post, const StepPlans& plans, std::uint32_t number, int wqes);
  /// `number` tells the regions of the step apart.
  [[nodiscard]] std::int64_t choose_address(const PostPlan& post, const Region& region, std::size_t number);

  core::Calendar& calendar_;
  MessagePool& pool_;
  Machine* machine_;
  ProgramPlan* plan_;
  int number_;
  int core_;  // the hardware thread
  core::Priority priority_;
  std::uint64_t seed_;
  core::RandomStream random_;
  WriteCombiningBuffers write_combining_;
  std::vector<std::vector<std::unique_ptr<QueuePair>>> queue_pairs_;  // by set

  CoreClock clock_;  // at least now when it runs
  CoreSleep sleep_;
  Time slept_until_{0};  // where it was to take requests
  std::coroutine_handle<> parked_;
  Wait wait_ = Wait::nothing;
  Time wakes_at_ = Time::max();
  std::uint64_t sleeps_ = 0;  // events that were to end an earlier sleep do nothing
  QueuePair* waited_for_ = nullptr;
  std::size_t answers_needed_ = 0;

  PolledRegion region_;
  RequestQueue* requests_ = nullptr;
  std::vector<Message*> collected_;
  int recvs_of_each_ = 0;                  // connection
  core::RingQueue<QueuePair*> to_refill_;  // the senders' ends of those that collected requests came by
  std::vector<DrawnOperation> drawn_;      // for the call that is being posted
  PagedMemory* memory_ = nullptr;
  core::RingQueue<Accessed> accessed_;
  std::int64_t next_block_ = 0;          // of its part of the device on remote memory
  Time spent_{0};                        // on the way to that device
  const PostStep* open_loop_ = nullptr;  // posts what arrives
  std::optional<ArrivalStream> arrivals_;
  std::deque<RelayState> relays_;  // by number; a deque, because operations point into them
  std::size_t handled_ = 0;        // requests collected, or answers taken, in this pass
  std::size_t recvs_due_ = 0;      // to be posted for what has been collected

  Outstanding outstanding_;
  FollowUps unfinished_;                 // all of them are outstanding, too
  std::vector<std::uint32_t> to_go_on_;  // of these, those that the call that is being posted goes on with

  std::size_t ports_ = 1;  // of its machine
  std::size_t own_port_ = 0;
  AnswerLists to_answer_;
  int to_post_ = 0;
  std::vector<PostingTurns> turns_;         // by set of queue pairs
  std::vector<PostingTargets> targets_;     // by step of the loop
  std::vector<std::int64_t> next_objects_;  // by region
};

}  // namespace doorbell::model
