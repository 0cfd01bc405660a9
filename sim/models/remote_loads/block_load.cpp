#include "models/remote_loads/block_load.hpp"

namespace doorbell::model {

BlockLoadGenerator::BlockLoadGenerator(core::Calendar& calendar, HostCpu& cpu, DevicePart device,
                                       const HostSoftware& software, const BlockLoad& load, std::uint64_t seed)
    : Load{kinds_of_mix(load.read_share)},
      calendar_{calendar},
      cpu_{cpu},
      device_{device},
      load_{load},
      software_{software},
      random_{seed, "block load"} {
  for (int i = 0; i < load_.threads; ++i) {
    auto& worker = *workers_.emplace_back(std::make_unique<Worker>(calendar));
    worker.number = i;
    worker.hardware_thread = cpu_.place();
    worker.requests.resize(static_cast<std::size_t>(load_.depth));
    for (BlockRequest& request : worker.requests) worker.free.push_back(&request);
  }
}

void BlockLoadGenerator::start() {
  for (auto& worker : workers_) {
    const Time when = random_.uniform(Time{0}, std::chrono::microseconds{20});
    core::start(calendar_, load_.in_handler ? begin(*worker) : run(*worker), when);
  }
}

void BlockLoadGenerator::prepare(Worker& worker, BlockRequest& request) {
  const std::int64_t blocks = part_of_block_thread / load_.size.count;
  const std::int64_t block = load_.order == AccessOrder::random
                                 ? static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(blocks)))
                                 : worker.next++ % blocks;
  request.offset = worker.number * part_of_block_thread + block * load_.size.count;
  request.size = load_.size;
  request.write = !random_.chance(load_.read_share);
  request.thread = worker.hardware_thread;
  request.issued = calendar_.now();
  flight(request.issued, 1);
  request.note = &worker;
}

core::Process BlockLoadGenerator::begin(Worker& worker) {
  for (BlockRequest& request : worker.requests) {
    prepare(worker, request);
    co_await device_.submit(*this, std::vector<BlockRequest*>(1, &request), Submitter{cpu_});
  }
}

core::Process BlockLoadGenerator::run(Worker& worker) {
  const BlockLayerParameters& block = software_.block;
  for (;;) {
    while (!worker.free.empty()) {
      BlockRequest& request = *worker.free.back();
      worker.free.pop_back();
      prepare(worker, request);
      co_await cpu_.work(block.submit);
      co_await device_.submit(*this, std::vector<BlockRequest*>(1, &request), Submitter{cpu_});
    }
    if (worker.done.empty()) {
      worker.asleep = true;
      wait(calendar_.now(), 1);
      co_await worker.arrival.wait();
      wait(calendar_.now(), -1);
      worker.hardware_thread = cpu_.place();
      cpu_.count_context_switch();
      co_await cpu_.work(software_.driver.context_switch);
    }
    const int taken = static_cast<int>(worker.done.size());
    worker.free.insert(worker.free.end(), worker.done.begin(), worker.done.end());
    worker.done.clear();
    co_await cpu_.work(block.reap * taken);
  }
}

core::Task<> BlockLoadGenerator::finished(BlockRequest& request) {
  Worker& worker = *static_cast<Worker*>(request.note);
  flight(calendar_.now(), -1);
  count(calendar_.now() - request.issued, request.size, request.write ? 1 : 0);
  if (load_.in_handler) {
    prepare(worker, request);
    co_await device_.submit(*this, std::vector<BlockRequest*>(1, &request), Submitter{cpu_});
    co_return;
  }
  worker.done.push_back(&request);
  if (!worker.asleep) co_return;
  worker.asleep = false;
  co_await cpu_.work(software_.driver.wakeup);
  worker.arrival.notify_one();
}

}  // namespace doorbell::model
