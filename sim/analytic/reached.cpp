#include "analytic/reached.hpp"

#include <algorithm>

namespace doorbell::analytic {
namespace {

using namespace model;

/// Threads of the receiver. Those who ask fixed ones take the first, one each, and begin again after the last.
double threads_reached(const Flow& flow, const ProgramFlow& from, const PostFlow& post) {
  const double all = flow.programs()[post.to].threads();
  const bool fixed = post.step->destination == Destination::fixed && !post.step->relay && !post.by_device;
  return fixed ? std::min(all, from.threads()) : all;
}

/// The most of `reached` by any who ask, as all begin with the same thread; `all` where nobody need ask.
template <class Reached>
double most_reached(const Flow& flow, const ProgramFlow& program, double all, Reached reached) {
  if (!has_step<CollectStep>(*program.program)) return all;
  const std::size_t index = flow.index_of(program.name);
  double most = 0;
  for (const ProgramFlow& from : flow.programs()) {
    for (const PostFlow& post : from.posts) {
      if (post.to == index && post.step->destination != Destination::origin)
        most = std::max(most, static_cast<double>(reached(flow, from, post)));
    }
  }
  return most > 0 ? most : all;
}

}  // namespace

int machines_reached(const Flow& flow, const ProgramFlow& from, const PostFlow& post) {
  // Threads are numbered across the machines of their group.
  const int all = flow.programs()[post.to].machine->count;
  return static_cast<int>(std::min<double>(all, threads_reached(flow, from, post)));
}

int machines_at_work(const Flow& flow, const ProgramFlow& program) {
  return static_cast<int>(most_reached(flow, program, program.machine->count, machines_reached));
}

double threads_at_work(const Flow& flow, const ProgramFlow& program) {
  return most_reached(flow, program, program.threads(), threads_reached);
}

}  // namespace doorbell::analytic
