#include "models/programs/relay_state.hpp"

#include <algorithm>

#include "models/nic/queue_pair.hpp"

namespace doorbell::model {

void RelayState::add(Message* request, std::size_t first, Time now) {
  if (free_.empty()) free_.push_back(&requests_.emplace_back());
  RelayedRequest* relayed = free_.back();
  free_.pop_back();
  *relayed = {this, request, now, operations_needed(relay_), relay_.copies};
  for (int i = 0; i < relay_.copies; ++i) {
    peers_[(first + static_cast<std::size_t>(i)) % peers_.size()].waiting.push(relayed);
  }
}

std::optional<RelayState::List> RelayState::next(int batch) {
  for (; posting_ < peers_.size(); ++posting_) {
    RelayPeer& peer = peers_[posting_];
    if (peer.waiting.empty()) continue;
    const std::size_t most = std::min(peer.waiting.size(), static_cast<std::size_t>(batch));
    return List{&peer, peer.queue_pairs[peer.turn++ % peer.queue_pairs.size()], static_cast<int>(most)};
  }
  posting_ = 0;
  return std::nullopt;
}

void RelayState::completed(const Message& message) {
  QueuePair& pair = *message.queue_pair;
  if (message.signaled) {
    pair.poll_completion();
  } else if (message.wqe >= pair.reclaimed) {
    pair.unseen.push({message.wqe, message.relayed});
    return;
  }
  const auto is_told = [&](const QueuePair::Unseen& earlier) { return earlier.wqe < pair.reclaimed; };
  pair.unseen.take_if(is_told, [&](const QueuePair::Unseen& earlier) {
    earlier.relayed->state->seen_.push({earlier.relayed, message.visible, false, Time{0}});
  });
  seen_.push({message.relayed, message.visible, message.signaled, Time{0}});
}

std::optional<RelayState::Done> RelayState::take(Time now) {
  if (earliest() > now) return std::nullopt;
  const Seen seen = seen_.pop();
  RelayedRequest& relayed = *seen.relayed;
  Done done{.polled = seen.polled, .visible = seen.visible, .asleep = seen.asleep};
  if (--relayed.needed == 0) {
    done.request = relayed.request;
    done.began = relayed.began;
  }
  if (--relayed.under_way == 0) free_.push_back(&relayed);
  return done;
}

}  // namespace doorbell::model
