// The part of a thread that takes requests to storage: commands for those at hand, completions of earlier ones.
#include <cmath>

#include "models/programs/thread.hpp"
#include "models/remote_memory/program_requests.hpp"

namespace doorbell::model {

core::Task<> Thread::access_storage(const AccessPlan& plan) {
  clock_.work("writes commands", plan.step->per_command * static_cast<std::int64_t>(collected_.size()));
  co_await CatchUp{*this};
  if (plan.step->device == AccessedDevice::drives) {
    add_commands(plan);
  } else if (!collected_.empty()) {
    co_await submit_requests(plan);
    clock_.advance_to(calendar_.now());
  }
  take_accessed(plan);
}

bool Thread::pass_on(const AccessPlan& plan, Message& request) const {
  const bool write = writes(*plan.step, request.plan->operation.payload);
  request.wrote = request.wrote || write;
  let_go(request);
  return write;
}

void Thread::add_commands(const AccessPlan& plan) {
  auto& drives = machine_->drives();
  for (Message* request : collected_) {
    const bool write = pass_on(plan, *request);
    const double programmed = static_cast<double>(plan.step->size.count) * plan.step->write_amplification;
    drives[random_.below(drives.size())]->add({.client = this,
                                               .tag = request,
                                               .cost = write ? &plan.write : &plan.read,
                                               .size = plan.step->size,
                                               .place = random_.bits(),
                                               .programmed = Bytes{std::llround(programmed)}});
  }
  collected_.clear();
  for (auto& drive : drives) drive->ring();
}

std::int64_t Thread::choose_place(const AccessPlan& plan) {
  if (plan.step->order == AccessOrder::random) {
    const auto block = static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(plan.blocks)));
    return plan.begin.count + block * plan.step->size.count;
  }
  const std::int64_t block = number_on_machine() * plan.blocks + next_block_++ % plan.blocks;
  return plan.begin.count + block * plan.step->size.count;
}

core::Task<> Thread::submit_requests(const AccessPlan& plan) {
  std::vector<ProgramRequests::Request> requests;
  for (Message* request : collected_) {
    const bool write = pass_on(plan, *request);
    requests.push_back(
        {.client = this, .tag = request, .offset = choose_place(plan), .size = plan.step->size, .write = write});
  }
  collected_.clear();
  co_await machine_->remote_device().submit(std::move(requests), core_, Submitter{calendar_, *this});
}

Time Thread::spend(Time time) {
  clock_.advance_to(calendar_.now());
  const Time began = clock_.now();
  clock_.work("takes requests to the device", time);
  spent_ += clock_.now() - began;
  return clock_.now();
}

void Thread::take_accessed(const AccessPlan& plan) {
  const Time began = clock_.now();
  for (int i = 0; i < plan.step->at_most && !accessed_.empty() && accessed_.front().visible <= began; ++i) {
    clock_.work("takes completions", plan.take + plan.step->per_completion);
    const Accessed accessed = accessed_.pop();
    accessed.request->visible = accessed.visible;
    count_sleep(*accessed.request, accessed.visible);
    collected_.push_back(accessed.request);
  }
  handled_ = collected_.size();
}

void Thread::command_done(void* tag, Time visible) {
  // Drives tell in no common order what will be there when.
  accessed_.insert({static_cast<Message*>(tag), visible},
                   [](const Accessed& a, const Accessed& b) { return a.visible < b.visible; });
  if (wait_ == Wait::requests) wake_at(visible);
}

}  // namespace doorbell::model
