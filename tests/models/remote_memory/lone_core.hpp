// A core for tests of what takes requests to a device: nobody shares it, and it counts what it does.
#pragma once

#include "core/calendar.hpp"
#include "models/remote_memory/submitter.hpp"

namespace doorbell::model {

class LoneCore final : public OwnCore {
 public:
  explicit LoneCore(core::Calendar& calendar) : calendar_{calendar} {}

  Time spend(Time time) override {
    spent_ += time;
    return calendar_.now() + time;
  }
  [[nodiscard]] Time spent() const { return spent_; }
  [[nodiscard]] Submitter submitter() { return {calendar_, *this}; }

 private:
  core::Calendar& calendar_;
  Time spent_{0};
};

}  // namespace doorbell::model
