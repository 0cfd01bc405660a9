// Memory of programs that nothing touches, or that lacks a device for what it does not hold; and stores of records.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "models/remote_memory/record_touches.hpp"
#include "scenario/checks.hpp"
#include "scenario/form.hpp"

namespace doorbell::scenario {

using namespace model;

namespace {

/// Memory always holds twice what is evicted at a time: of fewer pages none would be missing, whatever `resident` says.
void check_some_missing(const Examined& examined, const Pointer& pointer, const MemoryLimit& limit, std::int64_t pages,
                        ErrorCode code) {
  if (limit.resident >= 1 || frames_of(limit, pages) < pages) return;
  examined.refuse(code, pointer,
                  fmt::format("more than {} pages, of which memory always holds so many (twice reclaim), or resident 1",
                              2 * limit.reclaim),
                  fmt::format("{}", pages));
}

}  // namespace

void check_records(const Examined& examined, const Pointer& pointer, RecordChoice& store, const MemoryLimit& limit) {
  constexpr std::int64_t fewest_records = 64;
  constexpr std::int64_t most_pages = 1 << 26;
  const Pointer scale = pointer / member_name(store, store.scale);
  if (simulated_records(store) < fewest_records) {
    examined.refuse(ErrorCode::unfit_scale, scale,
                    fmt::format("at most {}, which leaves {} records", store.records / fewest_records, fewest_records),
                    fmt::format("{}", store.scale));
  }
  const std::int64_t pages = record_pages(store) + index_pages(store);
  if (pages > most_pages) {
    const std::int64_t enough = store.scale * ((pages + most_pages - 1) / most_pages);
    examined.refuse(ErrorCode::unfit_scale, scale,
                    fmt::format("{} or so, for {} pages at the most", enough, most_pages),
                    fmt::format("{}, which makes {} pages", store.scale, pages));
  }
  check_some_missing(examined, scale, limit, pages, ErrorCode::unfit_scale);
}

void check_pages(const Examined& examined, const Pointer& pointer, PageChoice& pages, const MemoryLimit& limit,
                 int threads) {
  check_some_missing(examined, pointer / member_name(pages, pages.pages), limit, pages.pages, ErrorCode::out_of_range);
  if (pages.order == AccessOrder::random) return;
  if (pages.skew > 0) {
    examined.refuse(ErrorCode::skew_in_order, pointer / member_name(pages, pages.skew),
                    "0, as threads that walk through their pages touch all equally often", text_of(pages.skew));
  }
  if (pages.pages < threads) {
    examined.refuse(ErrorCode::out_of_range, pointer / member_name(pages, pages.pages),
                    fmt::format("at least {}, one for each thread that walks through its own", threads),
                    fmt::format("{}", pages.pages));
  }
}

void check_memory(const Examined& examined) {
  for (auto& [name, program] : examined.scenario.programs) {
    if (!program.memory) continue;
    ProgramMemory& memory = *program.memory;
    const Pointer at = examined.program(name) / member_name(program, program.memory);
    const auto refuse = [&](ErrorCode code, const std::string& expected, const std::string& found) {
      examined.refuse(code, at, expected, found);
    };
    if (!has_step<TouchStep>(program)) refuse(ErrorCode::memory_misplaced, "a step that touches it", "none");
    if (memory.pages.has_value() == memory.records.has_value()) {
      refuse(ErrorCode::memory_misplaced, R"(one of "pages" and "records")", memory.pages ? "both" : "neither");
    }
    if (!find(examined.scenario.machines, program.machine)->remote_device) {
      refuse(ErrorCode::no_remote_device,
             "a remote_device in machine " + in_quotes(program.machine) + " for pages that are not resident", "none");
    }
    if (memory.pages)
      check_pages(examined, at / member_name(memory, memory.pages), *memory.pages, memory, program.threads);
    if (memory.records) check_records(examined, at / member_name(memory, memory.records), *memory.records, memory);
  }
}

void check_touch(const Examined& examined, const StepSite& site, TouchStep& step) {
  const auto refuse = [&](const Pointer& pointer, const std::string& expected, const std::string& found) {
    examined.refuse(ErrorCode::memory_misplaced, pointer, expected, found);
  };
  if (!site.program.memory) refuse(site.pointer, "a program with a \"memory\"", "none");
  if (step.per_pass == 0 && step.per_item == 0) {
    refuse(site.pointer / member_name(step, step.per_item), "operations per pass or per item", "none");
  }
  const auto end = site.program.loop.begin() + static_cast<std::ptrdiff_t>(site.index);
  const bool has_items = std::any_of(site.program.loop.begin(), end, [](const Step& before) {
    return std::holds_alternative<CollectStep>(before) || std::holds_alternative<AwaitStep>(before);
  });
  if (step.per_item > 0 && !has_items) {
    refuse(site.pointer / member_name(step, step.per_item), "0 where no collect or await step comes before",
           std::to_string(step.per_item));
  }
}

}  // namespace doorbell::scenario
