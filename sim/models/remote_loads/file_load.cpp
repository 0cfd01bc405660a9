#include "models/remote_loads/file_load.hpp"

#include <algorithm>
#include <vector>

namespace doorbell::model {

FileLoadGenerator::FileLoadGenerator(core::Calendar& calendar, HostCpu& cpu, DevicePart device,
                                     const HostSoftware& software, const FileLoad& load, Bytes stripe,
                                     std::uint64_t seed)
    : Load{kinds_of_mix(load.read_share)},
      calendar_{calendar},
      cpu_{cpu},
      device_{device},
      load_{load},
      software_{software},
      stripe_{stripe},
      random_{seed, "file load"},
      arrival_{calendar} {}

void FileLoadGenerator::start() { core::start(calendar_, run()); }

core::Process FileLoadGenerator::run() {
  std::int64_t offset = 0;
  for (;;) {
    const Time began = calendar_.now();
    const bool write = !random_.chance(load_.read_share);
    co_await cpu_.work(software_.user_files.call);
    for (Bytes done{0}; done < load_.record; done = done + load_.largest_request) {
      const Bytes size = std::min(load_.largest_request, load_.record - done);
      cpu_.count_context_switch();
      co_await cpu_.work(software_.user_files.request + transfer_time(size, software_.user_files.copy));
      co_await transfer(offset + done.count, size, write);
    }
    offset += load_.record.count;
    if (offset + load_.record.count > load_.file.count) offset = 0;
    count(calendar_.now() - began, load_.record, write ? 1 : 0);
  }
}

core::Task<> FileLoadGenerator::transfer(std::int64_t offset, Bytes size, bool write) {
  std::vector<BlockRequest> requests;  // one for each machine's share
  for (std::int64_t at = offset; at < offset + size.count;) {
    const std::int64_t end = std::min(offset + size.count, (at / stripe_.count + 1) * stripe_.count);
    BlockRequest& request = requests.emplace_back();
    request.offset = at;
    request.size = Bytes{end - at};
    request.write = write;
    request.issued = calendar_.now();
    at = end;
  }
  pending_ = static_cast<int>(requests.size());
  std::vector<BlockRequest*> all;
  all.reserve(requests.size());
  for (BlockRequest& request : requests) all.push_back(&request);
  co_await device_.submit(*this, std::move(all), Submitter{cpu_});
  wait(calendar_.now(), 1);
  while (pending_ > 0) co_await arrival_.wait();
  wait(calendar_.now(), -1);
  co_await cpu_.work(software_.driver.context_switch);
}

core::Task<> FileLoadGenerator::finished(BlockRequest&) {
  if (--pending_ > 0) co_return;
  co_await cpu_.work(software_.driver.wakeup);
  cpu_.count_context_switch();
  arrival_.notify_one();
}

}  // namespace doorbell::model
