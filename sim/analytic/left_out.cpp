#include "analytic/left_out.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "analytic/page_faults.hpp"
#include "analytic/service_times.hpp"
#include "analytic/unrelated.hpp"
#include "models/programs/nic_tables.hpp"

namespace doorbell::analytic {
namespace {

using namespace model;

/// Kalia et al. 2016, section 5.3.2: how often WQEs are read again depends on the order in which responses come.
void tell_displaced_wqes(const Flow& flow, std::vector<std::string>& left_out) {
  std::map<std::string, double> under_way;  // READs and atomics of a machine, by group
  for (const ProgramFlow& program : flow.programs()) {
    double reads = 0;
    double all = 0;
    double places = 0;  // in send queues
    for (const PostFlow& post : program.posts) {
      all += post.work_requests;
      if (carries_payload(post.step->verb)) continue;
      reads += post.work_requests;
      places =
          std::max(places, static_cast<double>(queue_pairs_of(program, *post.queue_pairs)) * post.queue_pairs->depth);
    }
    if (reads <= 0) continue;
    const double window = program.outstanding ? *program.outstanding / program.machine->count : places;
    under_way[program.program->machine] += std::min(window, places) * reads / all;
  }
  for (const auto& [machine, count] : under_way) {
    const int kept = find(flow.scenario().machines, machine)->hardware.nic.wqe_cache;
    if (count <= kept) continue;
    left_out.push_back(
        fmt::format("WQEs that the NIC of {} reads again: {:.0f} READs and atomics may be under way, and it keeps {}",
                    machine, count, kept));
  }
}

/// How often a context is there depends on the order in which queue pairs are used.
void tell_contexts(const Flow& flow, std::vector<std::string>& left_out) {
  for (const auto& [machine, contexts] : contexts_by_machine(flow.scenario())) {
    const int kept = find(flow.scenario().machines, machine)->hardware.nic.qp_contexts;
    if (contexts <= kept) continue;
    left_out.push_back(fmt::format("contexts of queue pairs that the NIC of {} reads again: it has {}, and keeps {}",
                                   machine, contexts, kept));
  }
}

/// What is popular stays, and how much of it the NIC holds depends on where it lies.
void tell_translations(const Flow& flow, std::vector<std::string>& left_out) {
  std::map<std::string, std::int64_t> skewed;
  for (const ProgramFlow& program : flow.programs()) {
    for (const PostFlow& post : program.posts) {
      if (!reaches_memory(post.step->verb, post.step->payload)) continue;
      if (!post.step->region || post.step->region->skew <= 0) continue;
      std::int64_t& pages = skewed[flow.programs()[post.to].program->machine];
      pages = std::max(pages, pages_of(*post.step->region));
    }
  }
  for (const auto& [machine, pages] : skewed) {
    const int kept = find(flow.scenario().machines, machine)->hardware.nic.translations;
    if (pages <= kept) continue;
    left_out.push_back(fmt::format(
        "translations that the NIC of {} fetches: some pages of {} are more popular than others, and it keeps {}",
        machine, pages, kept));
  }
}

/// Who increments for each of several requests, or comes back to a queue, may still have the line from the last time.
void tell_shared_lines(const Flow& flow, std::vector<std::string>& left_out) {
  for (const ProgramFlow& program : flow.programs()) {
    if (queue_lock_time(program) > Time{0}) {
      left_out.push_back(
          fmt::format("locks of {}'s queues that are taken by the core that had them last, which can make a run faster",
                      program.name));
    }
    if (program.threads() <= program.machine->count || program.items <= 1) continue;
    for (const Step& step : program.program->loop) {
      const auto* increment = std::get_if<IncrementStep>(&step);
      if (increment == nullptr || !increment->per_item) continue;
      left_out.push_back(fmt::format("increments of {} by the core that has it already, which can make a run faster",
                                     increment->line));
    }
  }
}

/// An engine serves its queue in order: what wants a free lock waits behind what wants a held one.
void tell_atomic_queues(const Flow& flow, std::vector<std::string>& left_out) {
  constexpr double crowded = 8;  // locks for each operation under way: with more of them, hardly two want the same
  for (const ProgramFlow& program : flow.programs()) {
    for (const PostFlow& post : program.posts) {
      const ProgramFlow& to = flow.programs()[post.to];
      const AtomicParameters& atomics = to.hardware.atomics;
      if (!is_atomic(post.step->verb) || atomics.engines == 0) continue;
      const double locks = lock_servers(post.step->region, atomics.address_bits);
      const double under_way = flow.in_flight();
      if (locks <= 1 || (under_way > 0 && locks > crowded * under_way)) continue;
      left_out.push_back(
          fmt::format("the queues of {}'s atomic engines: an atomic may wait behind those for one of {:.0f} locks",
                      to.program->machine, locks));
      return;
    }
  }
}

/// Under load the next CQE may be there before a thread sleeps.
void tell_interrupts(const Flow& flow, std::vector<std::string>& left_out) {
  for (const ProgramFlow& program : flow.programs()) {
    if (program.program->completion.mode == WaitMode::busy || program.passes <= 0) continue;
    left_out.push_back(
        fmt::format("interrupts of {}: how often its threads sleep depends on what others do", program.name));
  }
}

/// Nothing holds back who awaits no answers.
void tell_unawaited(const Flow& flow, std::vector<std::string>& left_out) {
  if (!flow.floods()) return;
  left_out.push_back(fmt::format("what receivers do with the requests of {}, which waits for no answers",
                                 flow.scenario().measure.program));
}

/// How long packets take into memory, and by which of the ports they come, depends on what else there is.
void tell_receive_buffers(const Flow& flow, std::vector<std::string>& left_out) {
  std::set<std::string> receivers;
  for (const ProgramFlow& program : flow.programs()) {
    for (const PostFlow& post : program.posts) {
      const ProgramFlow& to = flow.programs()[post.to];
      if (receive_buffer_is_short(flow, to.hardware.port)) receivers.insert(to.program->machine);
    }
  }
  for (const std::string& machine : receivers) {
    left_out.push_back(fmt::format(
        "what keeps packets in the receive buffers of {} besides the way of their credits, and ports that take more of "
        "them than others",
        machine));
  }
}

bool answers_before_recvs(const Program& program) {
  for (const Step& step : program.loop) {
    if (std::holds_alternative<ReplenishStep>(step)) return false;
    const auto* post = std::get_if<PostStep>(&step);
    if (post != nullptr && post->destination == Destination::origin) return true;
  }
  return false;
}

/// On RC a queue pair waits long before it sends again what was refused.
void tell_missing_recvs(const Flow& flow, std::vector<std::string>& left_out) {
  for (const ProgramFlow& receiver : flow.programs()) {
    const auto* replenish = find_step<ReplenishStep>(*receiver.program);
    if (replenish == nullptr) continue;
    const bool shared = receiver.program->completion.shared_queues > 0;
    double under_way = 0;  // over one connection, or to shared receive queues
    for (const ProgramFlow& sender : flow.programs()) {
      const auto asks = std::ranges::find_if(sender.posts, [&](const PostFlow& post) {
        return &flow.programs()[post.to] == &receiver && post.queue_pairs->transport == Transport::rc;
      });
      // Of what arrives, no more is under way than takes its time unless more arrives than is served.
      if (asks == sender.posts.end() || sender.arrivals) continue;
      const double all = sender.outstanding.value_or(std::numeric_limits<double>::infinity());
      const double connections =
          static_cast<double>(queue_pairs_of(sender, *asks->queue_pairs)) * sender.machine->count;
      under_way = shared ? under_way + all : std::max(under_way, all / connections);
    }
    const QueuePairs& set = *find(receiver.program->queue_pairs, replenish->queue_pairs);
    const int each = replenish->recvs.value_or(set.depth);
    const double all = static_cast<double>(queue_pairs_of(receiver, set)) * receiver.machine->count * each;
    // An answer may bring the next request before its RECV is posted again.
    const double spare = answers_before_recvs(*receiver.program) ? 1 : 0;
    if (under_way + spare <= (shared ? all : each)) continue;
    left_out.push_back(
        shared ? fmt::format("requests that find no RECV: {} has {:.0f}", receiver.name, all)
               : fmt::format("requests that find no RECV: {} has {} for each connection", receiver.name, each));
  }
}

/// Bounds count full lists. Who has only what has been answered or collected meanwhile posts shorter ones, and more.
void tell_short_lists(const Flow& flow, std::vector<std::string>& left_out) {
  for (const ProgramFlow& program : flow.programs()) {
    for (const PostFlow& post : program.posts) {
      const PostStep& step = *post.in_loop;
      const bool answers = step.destination == Destination::origin;
      const bool refills = step.window > 0 && !waits_for_whole_windows(*program.program, step);
      if (step.batch == 1 || post.by_device || !(answers || refills)) continue;
      left_out.push_back(fmt::format("lists of {} that are shorter than {}: they hold what {} meanwhile", program.name,
                                     step.batch, answers ? "has been collected" : "has been answered"));
      break;
    }
  }
}

/// A round's CQE comes while the window is half empty, or posts wait for it.
void tell_rounds(const Flow& flow, std::vector<std::string>& left_out) {
  for (const ProgramFlow& program : flow.programs()) {
    for (const PostFlow& post : program.posts) {
      const PostStep& step = *post.in_loop;
      if (step.signal_every == 1 || step.window == 0 || step.relay || post.by_device || !post.completes_itself)
        continue;
      if (waits_for_whole_windows(*program.program, step)) continue;
      left_out.push_back(fmt::format("waits of {} for the CQEs of rounds: one WQE in {} is signaled", program.name,
                                     step.signal_every));
      break;
    }
  }
}

/// Whether READs of a queue pair go out in rounds: now and then none is under way.
bool starts_in_rounds(const Flow& flow, const ProgramFlow& program, const PostFlow& post) {
  const NicParameters& nic = program.machine->hardware.nic;
  const PostStep& step = *post.in_loop;
  if (post.step->verb != Verb::read || nic.read_growth == 0) return false;
  if (step.arrivals) return true;
  const double pairs = static_cast<double>(queue_pairs_of(program, *post.queue_pairs)) / program.program->threads;
  const double window = step.window / pairs;
  const int most = most_in_flight(nic, flow.programs()[post.to].hardware.nic);
  return window > 1 && (window <= most || waits_for_whole_windows(*program.program, step));
}

/// Pages of a thread that is slower are older when they are evicted.
void tell_walkers(const Flow& flow, std::vector<std::string>& left_out) {
  for (const ProgramFlow& program : flow.programs()) {
    const std::optional<ProgramMemory>& memory = program.program->memory;
    if (!memory || !memory->pages || walkers_that_fit(*memory, *memory->pages, program.program->threads) <= 0) continue;
    left_out.push_back("pages that " + program.name + " misses: threads that get ahead keep theirs, and miss none");
  }
}

/// How often a queue pair pauses depends on how its operations follow one another.
void tell_pauses(const Flow& flow, std::vector<std::string>& left_out) {
  for (const ProgramFlow& program : flow.programs()) {
    bool rests = false;
    bool waits = false;
    for (const PostFlow& post : program.posts) {
      if (post.queue_pairs->transport != Transport::rc || post.by_device) continue;
      const bool acknowledged = post.step->verb != Verb::read;
      rests = rests || (acknowledged && program.machine->hardware.nic.turnaround > Time{0});
      waits = waits || starts_in_rounds(flow, program, post);
    }
    if (rests) left_out.push_back("rests of queue pairs of " + program.name + " that have sent their last WQE");
    if (waits) left_out.push_back("READs of " + program.name + " that wait: an idle queue pair sends few at first");
  }
}

}  // namespace

void tell_left_out(const Flow& flow, std::vector<std::string>& left_out) {
  tell_unrelated(flow, left_out);
  tell_displaced_wqes(flow, left_out);
  tell_contexts(flow, left_out);
  tell_translations(flow, left_out);
  tell_shared_lines(flow, left_out);
  tell_atomic_queues(flow, left_out);
  tell_interrupts(flow, left_out);
  tell_unawaited(flow, left_out);
  tell_receive_buffers(flow, left_out);
  tell_missing_recvs(flow, left_out);
  tell_short_lists(flow, left_out);
  tell_rounds(flow, left_out);
  tell_pauses(flow, left_out);
  tell_walkers(flow, left_out);
}

}  // namespace doorbell::analytic
