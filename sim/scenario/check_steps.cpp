// Steps of a program, other than posts, that contradict the program or the scenario.
#include <fmt/format.h>

#include <algorithm>

#include "scenario/check_shares.hpp"
#include "scenario/checks.hpp"
#include "scenario/form.hpp"

namespace doorbell::scenario {

using namespace model;

void check_sectors(const Examined& examined, const Pointer& pointer, Bytes size) {
  constexpr std::int64_t sector = 512;
  if (size.count % sector == 0) return;
  examined.refuse(ErrorCode::broken_sector, pointer, "whole sectors of 512 B of a block device", in_bytes(size));
}

void check_compute(const Examined& examined, const StepSite& site, ComputeStep& step) {
  check_shares(examined, site.pointer / member_name(step, step.mix), step.mix);
  if (!step.keep) return;
  const Pointer keep = site.pointer / member_name(step, step.keep);
  const std::vector<Step>& loop = site.program.loop;
  const auto here = loop.begin() + static_cast<std::ptrdiff_t>(site.index);
  // What is kept are requests that are at hand: collected, not answered, and nothing else has been taken since.
  const auto last = std::find_if(std::make_reverse_iterator(here), loop.rend(), [&](const Step& other) {
    return std::holds_alternative<CollectStep>(other) || std::holds_alternative<AwaitStep>(other) || is_answer(other);
  });
  if (last == loop.rend() || !std::holds_alternative<CollectStep>(*last)) {
    examined.refuse(ErrorCode::access_misplaced, keep,
                    "a place behind a collect step, before others are awaited and before these are answered",
                    last == loop.rend() ? "none"
                    : is_answer(*last)  ? "answers before"
                                        : "an await step between");
  }
  const bool acknowledged = std::any_of(here, loop.end(), [&](const Step& other) {
    return is_answer(other) && std::get<PostStep>(other).acknowledgement;
  });
  if (step.keep->per_item || acknowledged) return;
  examined.refuse(ErrorCode::without_effect, keep,
                  "a time for each (per_item), or a step behind it that answers with an acknowledgement", "neither");
}

void check_collect(const Examined& examined, const StepSite& site, CollectStep& step) {
  const auto& programs = examined.scenario.programs;
  const bool fed = std::any_of(programs.begin(), programs.end(), [&](const auto& entry) {
    const bool asked = sends_to(site.program, entry.first);
    return has_step<PostStep>(entry.second,
                              [&](const PostStep& post) { return feeds(post, site.program_name, asked, step); });
  });
  if (fed) return;
  const std::string needed =
      step.via == Channel::memory ? text_of(Verb::write) + " of at least 1 B" : text_of(Verb::send);
  examined.refuse(ErrorCode::collect_without_requests, site.pointer / member_name(step, step.via),
                  fmt::format("a program that posts {} to {}", needed, in_quotes(site.program_name)), "none");
}

namespace {

/// That the machine has what the step accesses, and that nothing is said of what it does not access.
void check_accessed_device(const Examined& examined, const StepSite& site, AccessStep& step) {
  const MachineGroup& machine = *find(examined.scenario.machines, site.program.machine);
  const auto refuse = [&](const auto& member, const std::string& expected, const std::string& found) {
    examined.refuse(ErrorCode::no_remote_device, site.pointer / member_name(step, member), expected, found);
  };
  check_sectors(examined, site.pointer / member_name(step, step.size), step.size);
  if (step.device == AccessedDevice::drives) {
    if (step.operation == AccessKind::read && step.write_amplification != 1) {
      examined.refuse(ErrorCode::without_effect, site.pointer / member_name(step, step.write_amplification),
                      "1 where nothing is written", text_of(step.write_amplification));
    }
    if (!machine.drives)
      examined.refuse(ErrorCode::no_drives, site.pointer, "drives in machine " + in_quotes(site.program.machine),
                      "none");
    if (step.order != AccessOrder::random) refuse(step.order, "no order of accesses to drives", text_of(step.order));
    if (step.extent != AccessStep{}.extent)
      refuse(step.extent, "no extent of accesses to drives", text_of(step.extent));
    return;
  }
  if (!machine.remote_device)
    refuse(step.device, "a remote_device in machine " + in_quotes(site.program.machine), "none");
  if (step.write_amplification != 1)
    refuse(step.write_amplification, "1 on remote memory", text_of(step.write_amplification));
  const int parts = step.order == AccessOrder::sequential ? site.program.threads : 1;
  if (step.extent.count / parts < step.size.count) {
    refuse(step.extent, "room for one access of " + in_bytes(step.size) + (parts > 1 ? " of each thread" : ""),
           in_bytes(step.extent));
  }
}

}  // namespace

void check_access(const Examined& examined, const StepSite& site, AccessStep& step) {
  check_accessed_device(examined, site, step);
  const auto refuse = [&](const std::string& expected, const std::string& found) {
    examined.refuse(ErrorCode::access_misplaced, site.pointer, expected, found);
  };
  bool collected = false;
  for (std::size_t i = 0; i < site.index; ++i) {
    const Step& before = site.program.loop[i];
    if (std::holds_alternative<CollectStep>(before)) collected = true;
    if (std::holds_alternative<AccessStep>(before)) refuse("one step that accesses storage", "another before it");
    if (is_answer(before)) refuse("no answers before it", "some");
  }
  if (!collected) refuse("a collect step before it", "none");
  const auto behind = site.program.loop.begin() + static_cast<std::ptrdiff_t>(site.index) + 1;
  if (std::none_of(behind, site.program.loop.end(), is_answer)) refuse("a post step behind it that answers", "none");
}

void check_arrivals(const Examined& examined, const StepSite& site, PostStep& step) {
  const auto refuse = [&](const std::string& expected, const std::string& found) {
    examined.refuse(ErrorCode::arrivals_misplaced, site.pointer / member_name(step, step.arrivals), expected, found);
  };
  if (!starts_work(step)) refuse("a step that starts work", step.relay ? "a relay" : "answers");
  for (const Step& other : site.program.loop) {
    const auto* post = std::get_if<PostStep>(&other);
    if (post != nullptr && post != &step) refuse("no other post step in the program", "another");
    if (std::holds_alternative<CollectStep>(other)) refuse("no collect step in the program", "one");
  }
  const auto* await = find_step<AwaitStep>(site.program);
  if (await == nullptr) refuse("an await step in the loop", "none");
  if (await->at_least != 1) refuse("an await step with at_least 1", std::to_string(await->at_least));
}

}  // namespace doorbell::scenario
