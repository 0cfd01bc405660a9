// A program made ready to run: its steps with costs looked up and names resolved. Shared by the program's threads.
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/latency_histogram.hpp"
#include "models/memory/popularity.hpp"
#include "models/nic/operation_plan.hpp"
#include "models/programs/follow_ups.hpp"
#include "models/programs/program.hpp"
#include "models/programs/request_queue.hpp"
#include "models/remote_memory/paged_memory.hpp"

namespace doorbell::model {

class Thread;

/// The plans of one kind of operation, which may be posted alone or with others.
struct CallPlans {
  OperationPlan single;
  OperationPlan batched;

  [[nodiscard]] const OperationPlan& of(int wqes) const { return wqes == 1 ? single : batched; }
};

/// The plans of what one step posts towards one program.
struct StepPlans {
  const Program* responder = nullptr;
  CallPlans own;
  std::vector<CallPlans> alternatives;  ///< In the order of PostStep::mix.
  std::vector<CallPlans> follow_ups;    ///< In the order of PostPlan::follow_ups.
  std::optional<CallPlans> acknowledgement;
};

struct PostPlan {
  const PostStep* step = nullptr;
  std::size_t queue_pairs = 0;  ///< Index of the set.
  bool all_ports = false;
  std::vector<StepPlans> plans;
  std::vector<Thread*> targets;   ///< Empty for answers to the origin.
  std::size_t connected_to = 1;   ///< Machines or threads among which connected queue pairs are divided.
  bool completes_itself = false;  ///< One-sided: finished by its own completion, not by an answer.
  bool whole_windows = false;     ///< Of those: posted when all before are done, and only the last is signaled.
  bool polls_for_room = true;     ///< CQEs are polled before posting, not when operations are awaited.
  bool told_by_cqes = false;      ///< That an operation has finished, the next CQE of its queue pair tells.
  bool checks_room = true;        ///< More may be posted than the send queues hold.
  FollowUpList follow_ups;
  /// Of the objects that the step's own operation accesses, those that are mixed in, and those that follow; none:
  /// equally popular.
  std::vector<std::optional<Popularity>> popularities;
  std::size_t first_region = 0;  ///< Number of the step's own region among the program's; those mixed in follow.
  std::size_t relay = 0;         ///< Number of the relay among the program's.
  std::size_t number = 0;        ///< Of the step in the loop.
};

struct AccessPlan {
  const AccessStep* step = nullptr;
  Time take{0};           ///< CPU time to find a completion.
  DriveCommandCost read;  ///< Of drives.
  DriveCommandCost write;
  Bytes begin{0};           ///< Of the program's part of a device on remote memory.
  std::int64_t blocks = 1;  ///< Of each thread's part of that, or of all of it where the order is random.
};

using StepPlan =
    std::variant<PostPlan, CollectStep, AwaitStep, ComputeStep, IncrementStep, ReplenishStep, AccessPlan, TouchStep>;

/// What operations of a program have waited for another one that answers them.
struct AnsweringService {
  const Program* program = nullptr;  ///< None of what completes by itself.
  Time until_answered{0};            ///< From their post until the answer is there, of all together.
  Time in_window{0};                 ///< As of ProgramStatistics, where its answer was the last of those awaited.
};

/// What the threads of one program have done since the warm-up ended.
struct ProgramStatistics {
  std::uint64_t operations = 0;  ///< As measured for this program: see ProgramPlan::counts.
  std::uint64_t work_requests = 0;
  Bytes payload{0};               ///< Of these work requests.
  std::uint64_t calls = 0;        ///< Posting calls.
  std::uint64_t posted = 0;       ///< WQEs of these calls.
  std::uint64_t dropped = 0;      ///< Datagrams that found no RECV.
  std::uint64_t refused = 0;      ///< Requests on RC that found none.
  std::uint64_t interrupts = 0;   ///< That woke a thread.
  Time busy{0};                   ///< CPU time spent on work, of all threads; polling for nothing is not work.
  Time stalled{0};                ///< Time that they wait for their MMIO writes to leave.
  Time per_pass{0};               ///< Of both, what serves all requests of a pass, and would serve more of them.
  Time without_page{0};           ///< Time that they wait for pages.
  Time without_room{0};           ///< Time that they wait for CQEs before they can post more.
  Time in_rounds{0};              ///< Of that, time with room in the send queue: a round of signal_every is not done.
  Time in_window{0};              ///< Time for which operations awaited take a place in the window, of all together.
  Time told_late{0};              ///< Of that, time for which they, or a part, were done and a later CQE was to tell.
  Time taken_late{0};             ///< And for which the thread had not yet taken as many as it waits for.
  Time asleep{0};                 ///< And for which they had come to a thread that sleeps, or wakes up.
  Time at_threads{0};             ///< Time for which requests were in hand, or could be taken by a thread awake.
  std::uint64_t collections = 0;  ///< Passes that found requests.
  std::uint64_t collected = 0;    ///< Requests that these found.
  std::vector<AnsweringService> services;  ///< Where it asks several.
  core::LatencyHistogram latency;
  core::LatencyHistogram relayed;  ///< For how long requests waited for what was relayed.

  [[nodiscard]] AnsweringService& service(const Program* program) {
    for (AnsweringService& known : services) {
      if (known.program == program) return known;
    }
    services.push_back({program, Time{0}, Time{0}});
    return services.back();
  }
  void count(const Operation& completed) {
    ++work_requests;
    payload += completed.payload;
  }
};

/// Which event of a thread's life counts as one operation of its program.
enum class Counts { answers, collected, transmitted };

struct ProgramPlan {
  std::string name;
  const Program* program = nullptr;
  std::vector<StepPlan> steps;
  Counts counts = Counts::transmitted;
  bool collects_memory = false;       ///< What it does not collect is received and forgotten.
  bool collects_completions = false;  ///< From its completion queue, where WRITEs with immediate data are seen, too.
  [[nodiscard]] bool collects() const { return collects_memory || collects_completions; }
  bool answers = false;  ///< What it collects.
  std::array<bool, EnumNames<Transport>::values.size()>
      sends_by_own_port{};               ///< By transport: come to each thread by that; see arrival_port.hpp.
  const ReplenishStep* recvs = nullptr;  ///< None: there are always enough. SENDs beyond those posted are lost, or
                                         ///< refused on RC.
  bool asks_several = false;             ///< Posts of its own to more than one program, and awaits answers.
  bool in_order = false;                 ///< Takes completions in the order of posting.
  Time patience = Time::max();           ///< For how long a lone core polls for CQEs before it sleeps, on average ...
  int polls = 0;                         ///< ... and how many polls that is, where they are counted.
  bool timed = false;                    ///< It polls for so long since it was woken.
  WakeUp wake_up;
  std::vector<std::size_t> slot_of_source;  ///< Place in the request region, by number of the thread that sends here.
  std::vector<std::size_t> peer_of_source;  ///< Its number among those that a thread answers, likewise.
  std::size_t regions = 0;                  ///< Of all steps, and of what they mix in.
  std::size_t relays = 0;                   ///< Steps that relay requests.
  std::vector<Thread*> threads;
  std::deque<RequestQueue> request_queues;             ///< Machine by machine.
  std::vector<std::unique_ptr<PagedMemory>> memories;  ///< One for each machine, if it has any.
  ProgramStatistics statistics;
  std::vector<std::uint64_t> calls_of_steps;  ///< Posting calls since the warm-up ended, by step of the loop.
  std::uint64_t dropped_before = 0;           ///< Datagrams that found no RECV during the warm-up.
  std::uint64_t backlog_before = 0;           ///< Requests that it had not collected at the end of the warm-up.
};

}  // namespace doorbell::model
