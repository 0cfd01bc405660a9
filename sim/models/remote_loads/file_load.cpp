#include "models/remote_loads/file_load.hpp"

#include <algorithm>
#include <vector>

#include "models/common/bottleneck.hpp"

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
  hardware_thread_ = cpu_.place();
  std::int64_t offset = 0;
  for (;;) {
    const Time began = calendar_.now();
    const bool write = !random_.chance(load_.read_share);
    co_await cpu_.work(software_.user_files.call);
    spent_.on_calls += calendar_.now() - began;
    for (Bytes done{0}; done < load_.record; done = done + load_.largest_request) {
      const Bytes size = std::min(load_.largest_request, load_.record - done);
      cpu_.count_context_switch();
      const Time passed_on = calendar_.now();
      co_await cpu_.work(software_.user_files.request + transfer_time(size, software_.user_files.copy));
      spent_.on_calls += calendar_.now() - passed_on;
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
    request.thread = hardware_thread_;
    request.issued = calendar_.now();
    at = end;
  }
  pending_ = static_cast<int>(requests.size());
  std::vector<BlockRequest*> all;
  all.reserve(requests.size());
  for (BlockRequest& request : requests) all.push_back(&request);
  const Time asked = calendar_.now();
  co_await device_.submit(*this, std::move(all), Submitter{cpu_});
  const Time waits = calendar_.now();
  spent_.on_requests += waits - asked;
  wait(waits, 1);
  while (pending_ > 0) co_await arrival_.wait();
  hardware_thread_ = cpu_.place();
  const Time answered = calendar_.now();
  spent_.on_waiting += answered - waits;
  wait(answered, -1);
  co_await cpu_.work(software_.driver.context_switch);
  spent_.on_switches += calendar_.now() - answered;
}

void FileLoadGenerator::measure(Time now) {
  Load::measure(now);
  spent_ = {};
}

std::string FileLoadGenerator::parts_of_time() const {
  const double all = to_seconds(spent_.on_calls + spent_.on_requests + spent_.on_waiting + spent_.on_switches);
  if (all <= 0) return {};
  const auto share = [all](Time part) { return percent(to_seconds(part) / all); };
  std::string parts = share(spent_.on_calls) + " are its calls and copies, " + share(spent_.on_requests) +
                      " passing requests to the device, " + share(spent_.on_waiting) + " waiting for these, " +
                      share(spent_.on_switches) + " switches back to it";
  if (load_.record > load_.largest_request) parts += "; with a larger \"largest_request\" they would be fewer";
  return parts;
}

core::Task<> FileLoadGenerator::finished(BlockRequest&) {
  if (--pending_ > 0) co_return;
  co_await cpu_.work(software_.driver.wakeup);
  cpu_.count_context_switch();
  arrival_.notify_one();
}

}  // namespace doorbell::model
