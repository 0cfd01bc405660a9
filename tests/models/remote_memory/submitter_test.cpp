#include "models/remote_memory/submitter.hpp"

#include <gtest/gtest.h>

#include "core/process.hpp"
#include "models/remote_memory/host_software.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;

/// A core that is twice as slow as a lone one.
class SlowCore final : public OwnCore {
 public:
  explicit SlowCore(core::Calendar& calendar) : calendar_{calendar} {}
  Time spend(Time time) override {
    spent += time * 2;
    return calendar_.now() + time * 2;
  }

  Time spent{0};

 private:
  core::Calendar& calendar_;
};

CpuParameters two_threads() {
  CpuParameters cpu;
  cpu.cores = 2;
  cpu.threads_per_core = 1;
  cpu.smt_gain = 1;
  cpu.turbo = {Rate{2e9}, Rate{1e9}};
  return cpu;
}

core::Process work_once(core::Calendar& calendar, Submitter by, Time time, Time& done) {
  co_await by.work(time);
  done = calendar.now();
}

TEST(Submitter, OnACoreOfItsOwnWaitsForNobody) {
  core::Calendar calendar;
  SlowCore core{calendar};
  Time first{0}, second{0};
  core::start(calendar, work_once(calendar, Submitter{calendar, core}, 100ns, first));
  core::start(calendar, work_once(calendar, Submitter{calendar, core}, 50ns, second));
  calendar.run_until(1us);
  EXPECT_EQ(first, Time{200ns});
  EXPECT_EQ(second, Time{100ns});
  EXPECT_EQ(core.spent, Time{300ns});
}

TEST(Submitter, UnderASchedulerSharesTheCores) {
  core::Calendar calendar;
  HostCpu cpu{calendar, two_threads(), HostSoftware{}, 1, "host"};
  Time alone{0};
  core::start(calendar, work_once(calendar, Submitter{cpu}, 100ns, alone));
  calendar.run_until(1us);
  EXPECT_EQ(alone, Time{100ns});
  // Who spins takes a core, and its clock.
  Submitter{cpu}.spin(1);
  Time beside{0};
  core::start(calendar, work_once(calendar, Submitter{cpu}, 100ns, beside));
  calendar.run_until(3us);
  EXPECT_EQ(beside - Time{1us}, Time{200ns});
}

}  // namespace
}  // namespace doorbell::model
