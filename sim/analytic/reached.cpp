#include "analytic/reached.hpp"

#include <algorithm>

#include "models/programs/connected_peers.hpp"

namespace doorbell::analytic {
namespace {

using namespace model;

double threads_working(const Flow& flow, const ProgramFlow& program, std::size_t depth);

/// Threads of the receiver. Those who ask fixed ones take the first, one each, and begin again after the last.
double threads_reached(const Flow& flow, const ProgramFlow& from, const PostFlow& post, std::size_t depth) {
  const ProgramFlow& to = flow.programs()[post.to];
  if (post.step->destination == Destination::origin) return threads_working(flow, to, depth);
  if (post.by_device) return to.threads();
  if (post.step->relay && relays_to_one_thread(*post.step, *from.program))
    return to.machine->count * std::min<double>(to.program->threads, threads_working(flow, from, depth));
  const bool fixed = post.step->destination == Destination::fixed && !post.step->relay;
  return fixed ? std::min(to.threads(), threads_working(flow, from, depth)) : to.threads();
}

/// Those among which are all that have something to do, in their order. `depth` ends where programs ask each other.
double threads_working(const Flow& flow, const ProgramFlow& program, std::size_t depth) {
  if (!has_step<CollectStep>(*program.program) || depth == 0) return program.threads();
  const std::size_t index = flow.index_of(program.name);
  double most = 0;
  for (const ProgramFlow& from : flow.programs()) {
    for (const PostFlow& post : from.posts) {
      if (post.to == index && post.step->destination != Destination::origin)
        most = std::max(most, threads_reached(flow, from, post, depth - 1));
    }
  }
  return most > 0 ? most : program.threads();
}

/// Threads are numbered across the machines of their group.
int machines_of(const ProgramFlow& program, double threads) {
  return static_cast<int>(std::min<double>(program.machine->count, threads));
}

}  // namespace

int machines_reached(const Flow& flow, const ProgramFlow& from, const PostFlow& post) {
  return machines_of(flow.programs()[post.to], threads_reached(flow, from, post, flow.programs().size()));
}

int machines_at_work(const Flow& flow, const ProgramFlow& program) {
  return machines_of(program, threads_working(flow, program, flow.programs().size()));
}

double queues_at_work(const Flow& flow, const ProgramFlow& program) {
  return std::min(program.request_queues(), threads_working(flow, program, flow.programs().size()));
}

double threads_at_work(const Flow& flow, const ProgramFlow& program) {
  const double asked = threads_working(flow, program, flow.programs().size());
  if (program.program->completion.shared_queues == 0) return asked;
  // What comes to one of them is taken by any that shares its queue.
  return static_cast<double>(machines_of(program, asked)) * program.program->threads;
}

}  // namespace doorbell::analytic
