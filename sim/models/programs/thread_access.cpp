// The part of a thread that takes requests to drives: commands for those at hand, completions of earlier ones.
#include <cmath>

#include "models/programs/thread.hpp"

namespace doorbell::model {

void Thread::add_commands(const AccessPlan& plan) {
  auto& drives = machine_->drives();
  for (Message* request : collected_) {
    const bool write = writes(*plan.step, request->plan->operation.payload);
    request->wrote = write;
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

void Thread::take_accessed(const AccessPlan& plan) {
  const Time began = clock_;
  for (int i = 0; i < plan.step->at_most && !accessed_.empty() && accessed_.front().visible <= began; ++i) {
    work("takes completions", machine_->profile().cpu.poll_cqe + plan.step->per_completion);
    collected_.push_back(accessed_.pop().request);
  }
  handled_ = collected_.size();
}

void Thread::command_done(void* tag, Time visible) {
  accessed_.push({static_cast<Message*>(tag), visible});
  if (wait_ == Wait::requests) wake_at(visible);
}

}  // namespace doorbell::model
