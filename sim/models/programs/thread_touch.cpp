// The part of a thread that touches memory which does not hold all pages.
#include <algorithm>
#include <vector>

#include "models/programs/thread.hpp"

namespace doorbell::model {

core::Task<> Thread::touch_pages(const TouchStep& step) {
  co_await CatchUp{*this};
  const Time began = clock_.now();
  const Time spent = spent_;
  Toucher self{.submitter = Submitter{calendar_, *this}, .hardware_thread = core_, .pinned = true};
  std::vector<Touch> touches;
  for (std::size_t left = operations_of(step, handled_); left > 0; --left) {
    (void)memory_->pages().next(number_on_machine(), random_, touches);
    for (const Touch& touched : touches) co_await memory_->touch(touched, self);
  }
  clock_.advance_to(calendar_.now());
  const Time waited = clock_.now() - began - (spent_ - spent);
  plan_->statistics.without_page += waited;
}

}  // namespace doorbell::model
