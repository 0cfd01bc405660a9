#include "analytic/service_times.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/zipf.hpp"
#include "models/programs/posted_operation.hpp"

namespace doorbell::analytic {

using namespace model;

bool ends_by_answer_with_cqe(const Flow& flow, const PostFlow& post) {
  return !post.completes_itself && answers_by_cqe(*flow.programs()[post.to].program);
}

Time return_time(const Flow& flow, const ProgramFlow& from, const PostFlow& post) {
  const Time handled = from_seconds(to_seconds(post.step->relay->per_completion) * from.stretch);
  return handled + (ends_by_answer_with_cqe(flow, post) ? from.hardware.cpu.poll_cqe : Time{0});
}

VerbPath path_of(const Flow& flow, const ProgramFlow& from, const PostFlow& post, int batch) {
  const ProgramFlow& to = flow.programs()[post.to];
  Operation operation =
      with_data_access(operation_of(*post.step, *post.queue_pairs, batch, from.hardware, {to.hardware, *to.program}),
                       *post.step, from.machine->software);
  for (Time* time : {&operation.reach_data, &operation.take_data})
    *time = from_seconds(to_seconds(*time) * from.stretch);
  return make_path(in_whole_windows(operation, *post.in_loop, *from.program, *to.program,
                                    model::per_thread(*post.queue_pairs, from.hardware.port.ports)),
                   from.hardware, to.hardware);
}

int wqes_per_fetch(const NicParameters& nic, int batch, int depth) {
  return batch * std::max(1, std::min(nic.max_fetch, depth) / batch);
}

double lock_servers(const std::optional<Region>& region, int address_bits) {
  if (!region) return 1;
  const std::int64_t locks = std::int64_t{1} << address_bits;
  const std::int64_t buckets = std::min(region->count, locks / std::gcd(region->stride.count, locks));
  // The hottest object's lock is held at least as often as that is accessed.
  const double shares =
      region->skew > 0 ? 1 / core::Zipf{region->count, region->skew}.first() : static_cast<double>(buckets);
  return std::min(shares, static_cast<double>(buckets));
}

double taking_recvs(const Flow& flow, const ProgramFlow& program) {
  double all = 0;
  double taking = 0;
  for (const ProgramFlow& from : flow.programs()) {
    for (const PostFlow& post : from.posts) {
      const bool arrives = post.step->destination != Destination::origin && takes(*program.program, *post.step);
      if (&flow.programs()[post.to] != &program || !arrives) continue;
      all += post.work_requests;
      if (arrives_by(*post.step, Channel::completion_queue)) taking += post.work_requests;
    }
  }
  return all > 0 ? taking / all : 1;
}

double translations_missing(const Flow& flow, const ProgramFlow& to, const PostFlow& post) {
  const std::optional<Region>& region = post.step->region;
  if (!reaches_memory(post.step->verb, post.step->payload)) return 0;
  if (!region || region->pattern != AddressPattern::random || region->skew > 0) return 0;
  const auto pages = static_cast<double>(pages_of(*region));
  const double at_hand = to.hardware.nic.translations + flow.in_flight();
  if (pages <= at_hand) return 0;
  // Objects begin at all multiples of this, as often at each (Hermite's identity gives the mean).
  const std::int64_t step = std::gcd(region->stride.count, region->page.count);
  const std::int64_t last = region->offset.count % step + std::max<std::int64_t>(1, post.step->payload.count) - 1;
  const std::int64_t beyond = last / step * step;
  const double touched = 1 + static_cast<double>(beyond) / static_cast<double>(region->page.count);
  return touched * (1 - at_hand / pages);
}

Time receive_buffer_round_trip(const Flow& flow) { return flow.scenario().fabric.switch_latency * 2; }

bool receive_buffer_is_short(const Flow& flow, const PortParameters& port) {
  return to_seconds(receive_buffer_round_trip(flow)) * port.bandwidth.bytes_per_second >
         static_cast<double>(port.receive_buffer.count);
}

Time shared_line_time(const SharedLineParameters& line, int threads, int cores) {
  if (threads <= 1) return line.local;
  // Of all pairs of threads, how many share a core, and how many sit on different rings.
  double together = 0;
  double first = 0;
  for (int core = 0; core < std::min(threads, cores); ++core) {
    const double here = (threads - core + cores - 1) / cores;  // NOLINT(bugprone-integer-division): whole threads
    together += here * (here - 1);
    if (core < line.ring_cores) first += here;
  }
  const double pairs = static_cast<double>(threads) * (threads - 1);
  const double across = 2 * first * (threads - first) / pairs;
  return line.local +
         from_seconds(to_seconds(line.transfer) * (1 - together / pairs) + to_seconds(line.cross_ring) * across);
}

Time queue_lock_time(const ProgramFlow& program) {
  const double threads = program.threads() / program.request_queues();
  if (threads <= 1) return Time{0};
  return shared_line_time(program.hardware.shared_line, static_cast<int>(std::ceil(threads)),
                          program.hardware.cpu.cores);
}

}  // namespace doorbell::analytic
