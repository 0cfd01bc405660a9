#include "models/storage/flash.hpp"

#include <algorithm>

namespace doorbell::model {

Flash::Flash(core::Calendar& calendar, const FlashParameters& parameters, core::Priority priority)
    : calendar_{calendar},
      priority_{priority},
      page_{parameters.page},
      read_{parameters.read},
      program_{parameters.program},
      rate_{parameters.channels},
      units_(static_cast<std::size_t>(parameters.units)),
      free_{parameters.write_buffer},
      free_before_{free_} {}

Time Flash::read(std::uint64_t place, Bytes size) {
  const std::int64_t pages = std::max<std::int64_t>(1, ceil_div(size, page_));
  Time last{0};
  for (std::int64_t i = 0; i < pages; ++i) {
    core::FifoServer& unit = units_[(place + static_cast<std::uint64_t>(i)) % units_.size()];
    last = std::max(last, unit.reserve(calendar_.now(), read_, "reads"));
  }
  return last;
}

Time Flash::transfer(Bytes size) { return channels_.reserve(calendar_.now(), transfer_time(size, rate_)); }

void Flash::write(Bytes programmed, const Continuation& safe) {
  waiting_.push({programmed, safe});
  admit();
}

void Flash::admit() {
  // Where nothing is being programmed, no room will come from waiting.
  while (!waiting_.empty() && (waiting_.front().programmed <= free_ || programs_ == 0)) {
    const Write write = waiting_.pop();
    free_ = free_ - write.programmed;
    taken_ += write.programmed;
    unprogrammed_ += write.programmed;
    for (; unprogrammed_ >= page_; unprogrammed_ = unprogrammed_ - page_) program();
    write.safe();
  }
  full_.set(calendar_.now(), waiting_.empty() ? 0 : 1);
}

void Flash::program() {
  // A page is loaded while the one before it is being programmed.
  const Time loaded = transfer(page_);
  calendar_.at<&Flash::loaded>(loaded, priority_, *this, next_unit_);
  if (++next_unit_ == units_.size()) next_unit_ = 0;
  ++programs_;
}

void Flash::loaded(std::uint64_t unit) {
  const Time end = units_[unit].reserve(calendar_.now(), program_, "programs");
  calendar_.at<&Flash::programmed>(end, priority_, *this);
}

void Flash::programmed(std::uint64_t) {
  --programs_;
  free_ += page_;
  admit();
}

double Flash::units_busy(Time now) const {
  double sum = 0;
  for (const core::FifoServer& unit : units_) sum += unit.utilisation(now);
  return sum / static_cast<double>(units_.size());
}

void Flash::measure(Time from, Time until) {
  for (core::FifoServer& unit : units_) unit.measure(from, until);
  channels_.measure(from, until);
  full_.reset(from);
  free_before_ = free_;
  taken_ = Bytes{0};
}

}  // namespace doorbell::model
