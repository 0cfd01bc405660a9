#include "models/remote_loads/paging_load.hpp"

#include <utility>

namespace doorbell::model {

PagingLoadGenerator::PagingLoadGenerator(core::Calendar& calendar, HostCpu& cpu, DevicePart device,
                                         const HostSoftware& software, const Application& application,
                                         std::unique_ptr<TouchedPages> pages, std::uint64_t seed)
    : Load{pages->kinds()},
      calendar_{calendar},
      cpu_{cpu},
      application_{application},
      random_{seed, "paging load"},
      memory_{calendar, cpu, device, software, application, std::move(pages), application.threads, random_} {}

void PagingLoadGenerator::start() {
  for (int i = 0; i < application_.threads; ++i) {
    core::start(calendar_, run(i, cpu_.place()),
                random_.uniform(Time{0}, application_.compute + std::chrono::microseconds{1}));
  }
}

core::Process PagingLoadGenerator::run(int thread, int hardware_thread) {
  Toucher self{.submitter = Submitter{cpu_}, .hardware_thread = hardware_thread};
  std::vector<Touch> touches;
  for (;;) {
    const Time began = calendar_.now();
    const std::size_t kind = memory_.pages().next(thread, random_, touches);
    // Exponential, so that threads do not march in step.
    co_await cpu_.work(random_.exponential(application_.compute));
    for (const Touch& touched : touches) co_await memory_.touch(touched, self);
    count(calendar_.now() - began, Bytes{0}, kind);
  }
}

void PagingLoadGenerator::measure(Time now) {
  Load::measure(now);
  memory_.measure();
}

}  // namespace doorbell::model
