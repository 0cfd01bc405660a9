// The relaying half of a thread: requests at hand become operations towards other machines, and go on when these are
// done.
#include "models/programs/connected_peers.hpp"
#include "models/programs/thread.hpp"

namespace doorbell::model {

void Thread::prepare_relays() {
  for (const StepPlan& step : plan_->steps) {
    const auto* post = std::get_if<PostPlan>(&step);
    if (post != nullptr && post->step->relay) relays_.emplace_back(*post->step->relay, relay_peers(*post));
  }
}

std::vector<RelayPeer> Thread::relay_peers(const PostPlan& post) {
  // Threads of the target come machine by machine, and then the next thread of each.
  const Program& target = *post.targets.front()->plan().program;
  const std::size_t threads = static_cast<std::size_t>(target.threads);
  const std::size_t machines = post.targets.size() / threads;
  const std::size_t own = static_cast<std::size_t>(number_) % threads;
  std::vector<RelayPeer> peers;
  for (std::size_t machine = 0; machine < machines; ++machine) {
    if (&post.targets[machine]->machine() == machine_) continue;
    RelayPeer& peer = peers.emplace_back();
    peer.next_thread = own;
    for (std::size_t thread = 0; thread < threads; ++thread) {
      if (!relays_to_one_thread(*post.step, *plan_->program) || thread == own)
        peer.threads.push_back(post.targets[thread * machines + machine]);
    }
  }
  const QueuePairs& set = plan_->program->queue_pairs[post.queue_pairs].second;
  const auto& pairs = queue_pairs_[post.queue_pairs];
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    // By port, and on each port `count` of them.
    const std::size_t on_port = i % static_cast<std::size_t>(set.count);
    for (std::size_t peer = 0; peer < peers.size(); ++peer) {
      if (set.transport == Transport::ud || on_port % peers.size() == peer) {
        peers[peer].queue_pairs.push_back(pairs[i].get());
      }
    }
  }
  return peers;
}

void Thread::begin_relay(const PostPlan& post) {
  RelayState& state = relays_[post.relay];
  std::size_t kept = 0;
  for (Message* request : collected_) {
    if (request->plan->operation.payload < state.relay().carrying) {
      collected_[kept++] = request;
      continue;
    }
    request->wrote = request->wrote || state.relay().carrying > Bytes{0};
    std::size_t first = static_cast<std::size_t>(number_);
    if (post.step->destination == Destination::random) first = random_.below(state.peers());
    if (post.step->destination == Destination::round_robin) first = targets(post).next++;
    let_go(*request);
    state.add(request, first, clock_.now());
  }
  collected_.resize(kept);
}

bool Thread::next_relayed(const PostPlan& post, PostingCall& call) {
  const auto list = relays_[post.relay].next(post.step->batch);
  if (!list) return false;
  call.queue_pair = list->queue_pair;
  call.relay_peer = list->peer;
  call.wqes = list->operations;
  call.plans = &plans_towards(post, *post.targets.front()->plan().program);
  return true;
}

Thread* Thread::choose_thread(const PostPlan& post, RelayPeer& peer) {
  const bool at_random = post.step->destination == Destination::random && peer.threads.size() > 1;
  const std::size_t turn = at_random ? random_.below(peer.threads.size()) : peer.next_thread++;
  return peer.threads[turn % peer.threads.size()];
}

void Thread::take_relayed(const PostPlan& post) {
  RelayState& state = relays_[post.relay];
  const Time began = clock_.now();
  while (const auto done = state.take(began)) {
    const Time poll = done->polled ? machine_->profile().cpu.poll_cqe : Time{0};
    clock_.work("takes completions", state.relay().per_completion + poll);
    if (done->request == nullptr) continue;
    done->request->visible = done->visible;
    done->request->add_sleep(done->asleep);
    count_sleep(*done->request, done->visible);
    collected_.push_back(done->request);
    plan_->statistics.relayed.add(clock_.now() - done->began);
  }
  handled_ = collected_.size();
}

Time Thread::earliest_return() const {
  Time earliest = accessed_.empty() ? Time::max() : accessed_.front().visible;
  for (const RelayState& state : relays_) earliest = std::min(earliest, state.earliest());
  return earliest;
}

}  // namespace doorbell::model
