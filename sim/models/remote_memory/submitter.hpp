// Whoever takes a request to a device, and the CPU time that this costs.
#pragma once

#include <coroutine>
#include <variant>

#include "core/calendar.hpp"
#include "core/process.hpp"
#include "core/processor_sharing.hpp"
#include "models/remote_memory/host_cpu.hpp"

namespace doorbell::model {

/// A thread that has a core to itself and accounts for what it does there.
class OwnCore {
 public:
  virtual ~OwnCore() = default;

  /// The core works for `time` at the clock of a lone thread, from now on. Returns until when.
  virtual Time spend(Time time) = 0;
};

/// A thread under the host's scheduler, or one that has a core to itself.
class Submitter {
 public:
  explicit Submitter(HostCpu& shared) : shared_{&shared} {}
  Submitter(core::Calendar& calendar, OwnCore& own) : calendar_{&calendar}, own_{&own} {}

  class [[nodiscard]] Work {
   public:
    explicit Work(core::ProcessorSharing::Use use) : how_{use} {}
    explicit Work(core::Pause pause) : how_{pause} {}

    [[nodiscard]] bool await_ready() const noexcept {
      return std::visit([](const auto& how) { return how.await_ready(); }, how_);
    }
    void await_suspend(std::coroutine_handle<> coroutine) {
      std::visit([&](auto& how) { how.await_suspend(coroutine); }, how_);
    }
    void await_resume() const noexcept {}

   private:
    std::variant<core::ProcessorSharing::Use, core::Pause> how_;
  };
  /// co_await submitter.work(time): continues when it has worked for as long.
  Work work(Time time) const {
    return own_ == nullptr ? Work{shared_->work(time)} : Work{core::until(*calendar_, own_->spend(time))};
  }
  /// Begins (1) or ends (-1) to wait without giving its core away.
  void spin(int change) const {
    if (own_ == nullptr) shared_->spin(change);
  }

 private:
  HostCpu* shared_ = nullptr;
  core::Calendar* calendar_ = nullptr;
  OwnCore* own_ = nullptr;
};

}  // namespace doorbell::model
