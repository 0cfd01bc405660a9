// Parts of machines and programs that no program uses: whoever describes them expects an effect.
#include <fmt/format.h>

#include <algorithm>

#include "scenario/checks.hpp"
#include "scenario/form.hpp"
#include "scenario/without_effect.hpp"

namespace doorbell::scenario {

using namespace model;

namespace {

/// Whether a program on `machine` has such an access step.
template <class Predicate> bool accesses(const Scenario& scenario, const std::string& machine, Predicate is_such) {
  return std::ranges::any_of(scenario.programs, [&](const auto& entry) {
    return entry.second.machine == machine && has_step<AccessStep>(entry.second, is_such);
  });
}

void check_devices(const Examined& examined) {
  for (auto& [name, group] : examined.scenario.machines) {
    const Pointer machine = Pointer{} / keys::machines / name;
    const auto goes_to = [](AccessedDevice device) {
      return [device](const AccessStep& step) { return step.device == device; };
    };
    if (group.drives && !accesses(examined.scenario, name, goes_to(AccessedDevice::drives))) {
      examined.refuse(ErrorCode::without_effect, machine / keys::drives,
                      "a program on this machine that accesses its drives", "none");
    }
    // What a document about remote memory has on its host serves its load.
    if (!group.remote_device || examined.has_load(name)) continue;
    const bool pages = std::ranges::any_of(examined.scenario.programs, [&name = name](const auto& entry) {
      return entry.second.machine == name && entry.second.memory;
    });
    if (!pages && !accesses(examined.scenario, name, goes_to(AccessedDevice::remote))) {
      examined.refuse(ErrorCode::without_effect, machine / keys::remote_device,
                      "a program on this machine with a memory, or that accesses its device", "none");
    }
  }
}

/// What a program without posts of its own receives on is not named in its steps.
void check_sets(const Examined& examined, const std::string& name, Program& program) {
  if (!has_step<PostStep>(program)) return;
  for (const auto& [set, queue_pairs] : program.queue_pairs) {
    const auto names = [&set = set](const auto& step) { return step.queue_pairs == set; };
    if (has_step<PostStep>(program, names) || has_step<ReplenishStep>(program, names) || queue_pairs.inline_receive)
      continue;
    examined.refuse(ErrorCode::without_effect, examined.program(name) / member_name(program, program.queue_pairs) / set,
                    "a step that posts on these queue pairs", "none");
  }
}

/// The largest payload of what a program collects, and where payloads of what is posted to it are written.
struct LargestRequest {
  Bytes payload{0};
  std::vector<Pointer> follows_from;
};

LargestRequest largest_request(const Examined& examined, const std::string& to, const Program& receiver) {
  LargestRequest largest;
  for (auto& [name, program] : examined.scenario.programs) {
    const Pointer loop = examined.program(name) / member_name(program, program.loop);
    for (std::size_t i = 0; i < program.loop.size(); ++i) {
      auto* post = std::get_if<PostStep>(&program.loop[i]);
      if (post == nullptr || post->to != to) continue;
      const Pointer step = loop / i / PostStep::kind;
      const auto add = [&](const Pointer& at, auto& operations) {
        for (std::size_t k = 0; k < operations.size(); ++k)
          largest.follows_from.push_back(at / k / member_name(operations[k], operations[k].payload));
      };
      largest.follows_from.push_back(step / member_name(*post, post->payload));
      add(step / member_name(*post, post->mix), post->mix);
      add(step / member_name(*post, post->then), post->then);
      (void)any_operation(*post, [&](const PostStep& one) {
        if (takes(receiver, one)) largest.payload = std::max(largest.payload, one.payload);
        return false;
      });
    }
  }
  return largest;
}

/// No request carries as much as is asked for.
void check_carrying(const Examined& examined, const std::string& name, Program& program) {
  const Pointer loop = examined.program(name) / member_name(program, program.loop);
  const LargestRequest largest = largest_request(examined, name, program);
  const auto check = [&](const Pointer& step, auto& kind, Bytes& carrying) {
    const Pointer at = step / member_name(kind, carrying);
    if (first_of({{carrying > largest.payload, {}, largest.follows_from}}, examined.tree, at) == nullptr) return;
    examined.refuse(ErrorCode::without_effect, at,
                    fmt::format("at most {}, the largest payload of what is posted to {} and collected",
                                in_bytes(largest.payload), in_quotes(name)),
                    in_bytes(carrying));
  };
  for (std::size_t i = 0; i < program.loop.size(); ++i) {
    if (auto* post = std::get_if<PostStep>(&program.loop[i]); post != nullptr && post->relay)
      check(loop / i / PostStep::kind / member_name(*post, post->relay), *post->relay, post->relay->carrying);
    if (auto* compute = std::get_if<ComputeStep>(&program.loop[i]); compute != nullptr && compute->keep)
      check(loop / i / ComputeStep::kind / member_name(*compute, compute->keep), *compute->keep,
            compute->keep->carrying);
  }
}

/// Steps that do something for each request or answer of a pass, before there are any.
void check_nothing_at_hand(const Examined& examined, const std::string& name, Program& program) {
  const Pointer loop = examined.program(name) / member_name(program, program.loop);
  for (std::size_t i = 0; i < program.loop.size(); ++i) {
    Step& step = program.loop[i];
    if (std::holds_alternative<CollectStep>(step) || std::holds_alternative<AwaitStep>(step)) return;
    const auto refuse = [&](const Pointer& at) {
      examined.refuse(ErrorCode::without_effect, at, "a step before it that collects requests or awaits answers",
                      "none");
    };
    if (auto* compute = std::get_if<ComputeStep>(&step)) {
      const Pointer at = loop / i / ComputeStep::kind;
      if (compute->per_item > Time{0}) refuse(at / member_name(*compute, compute->per_item));
      if (!compute->mix.empty()) refuse(at / member_name(*compute, compute->mix));
    }
    if (std::holds_alternative<IncrementStep>(step)) refuse(loop / i / IncrementStep::kind);
    if (std::holds_alternative<ReplenishStep>(step)) refuse(loop / i / ReplenishStep::kind);
  }
}

/// Requests find the RECVs of one step; those of another would never be used.
void check_recvs(const Examined& examined, const std::string& name, Program& program) {
  if (!has_step<CollectStep>(program)) return;
  const auto* first = find_step<ReplenishStep>(program);
  for (std::size_t i = 0; i < program.loop.size(); ++i) {
    const auto* replenish = std::get_if<ReplenishStep>(&program.loop[i]);
    if (replenish == nullptr || replenish == first) continue;
    examined.refuse(ErrorCode::without_effect,
                    examined.program(name) / member_name(program, program.loop) / i / ReplenishStep::kind,
                    "one replenish step in a program that collects", "another before it");
  }
}

/// Whether what a program is sent over `transport` takes RECVs: SENDs, or WRITEs with immediate data, of those who post
/// to it and those who answer it. `verbs`: where it is written what they send.
bool is_sent(const Examined& examined, const std::string& receiver, Transport transport, std::vector<Pointer>& verbs) {
  const Program& asker = *find(examined.scenario.programs, receiver);
  bool found = false;
  for (auto& [name, program] : examined.scenario.programs) {
    const Pointer at = examined.program(name);
    for (std::size_t i = 0; i < program.loop.size(); ++i) {
      auto* post = std::get_if<PostStep>(&program.loop[i]);
      if (post == nullptr) continue;
      const bool answers = is_answer(program.loop[i]) && sends_to(asker, name);
      if (post->to != receiver && !answers) continue;
      const Pointer step = at / member_name(program, program.loop) / i / PostStep::kind;
      verbs.push_back(step / member_name(*post, post->verb));
      verbs.push_back(step / member_name(*post, post->immediate));
      verbs.push_back(at / member_name(program, program.queue_pairs) / post->queue_pairs / "transport");
      const QueuePairs* set = find(program.queue_pairs, post->queue_pairs);
      found = found || (set != nullptr && set->transport == transport && any_operation(*post, [](const PostStep& one) {
                          return arrives_by(one, Channel::completion_queue);
                        }));
    }
  }
  return found;
}

/// RECVs of queue pairs by which nothing comes that takes one.
void check_receiving(const Examined& examined, const std::string& name, Program& program) {
  const auto refuse = [&](const Pointer& at, const std::string& set, const std::string& found) {
    const QueuePairs* queue_pairs = find(program.queue_pairs, set);
    if (queue_pairs == nullptr) return;
    std::vector<Pointer> follows_from{examined.program(name) / member_name(program, program.queue_pairs) / set /
                                      "transport"};
    const bool unused = !is_sent(examined, name, queue_pairs->transport, follows_from);
    if (first_of({{unused, {}, follows_from}}, examined.tree, at) == nullptr) return;
    examined.refuse(ErrorCode::without_effect, at,
                    fmt::format("queue pairs by which {} is sent something that takes a RECV", in_quotes(name)), found);
  };
  for (auto& [set, queue_pairs] : program.queue_pairs) {
    if (!queue_pairs.inline_receive) continue;
    refuse(examined.program(name) / member_name(program, program.queue_pairs) / set /
               member_name(queue_pairs, queue_pairs.inline_receive),
           set, "true");
  }
  for (std::size_t i = 0; i < program.loop.size(); ++i) {
    auto* replenish = std::get_if<ReplenishStep>(&program.loop[i]);
    if (replenish == nullptr) continue;
    refuse(examined.program(name) / member_name(program, program.loop) / i / ReplenishStep::kind /
               member_name(*replenish, replenish->queue_pairs),
           replenish->queue_pairs, in_quotes(replenish->queue_pairs));
  }
}

/// Only answers can stay on a queue pair for a pass.
void check_rotation(const Examined& examined, const std::string& name, Program& program) {
  for (std::size_t i = 0; i < program.loop.size(); ++i) {
    auto* post = std::get_if<PostStep>(&program.loop[i]);
    if (post == nullptr || post->destination == Destination::origin || post->rotate == PostStep{}.rotate) continue;
    examined.refuse(ErrorCode::without_effect,
                    examined.program(name) / member_name(program, program.loop) / i / PostStep::kind /
                        member_name(*post, post->rotate),
                    in_quotes(text_of(PostStep{}.rotate)) +
                        " in a step that does not answer, which takes the next "
                        "queue pair with each call",
                    in_quotes(text_of(post->rotate)));
  }
}

/// Only regions have slots to look at.
void check_slots(const Examined& examined, const std::string& name, Program& program) {
  for (std::size_t i = 0; i < program.loop.size(); ++i) {
    auto* collect = std::get_if<CollectStep>(&program.loop[i]);
    if (collect == nullptr || collect->via == Channel::memory || collect->per_slot == Time{0}) continue;
    examined.refuse(ErrorCode::without_effect,
                    examined.program(name) / member_name(program, program.loop) / i / CollectStep::kind /
                        member_name(*collect, collect->per_slot),
                    fmt::format("{} {}", in_quotes("via"), text_of(Channel::memory)), text_of(collect->via));
  }
}

}  // namespace

void check_unused(const Examined& examined) {
  check_devices(examined);
  for (auto& [name, program] : examined.scenario.programs) {
    check_sets(examined, name, program);
    check_carrying(examined, name, program);
    check_nothing_at_hand(examined, name, program);
    check_slots(examined, name, program);
    check_recvs(examined, name, program);
    check_receiving(examined, name, program);
    check_rotation(examined, name, program);
  }
}

}  // namespace doorbell::scenario
