#include "models/nic/processing_unit.hpp"

#include <algorithm>
#include <utility>

#include "models/nic/rdma_nic.hpp"

namespace doorbell::model {
namespace {

Time next_arrival(const QueuePair& queue_pair) { return queue_pair.held ? Time{0} : queue_pair.work.front().arrival; }

}  // namespace

void ProcessingUnit::accept(QueuePair& queue_pair, const PostedWork& work) {
  used_ = true;
  const Time ready = nic_->context_ready(queue_pair, work.arrival);
  PostedWork announced = work;
  if (queue_pair.last->by_mmio) announced.fetched = nic_->mmio_buffer().keeps(queue_pair);
  announced.end = queue_pair.last->wqe_end();
  announced.unread_to = work.plan->last_by_mmio ? queue_pair.last->wqe_begin : announced.end;
  announced.arrival = std::max(ready, queue_pair.rests_until);
  announced.late = announced.arrival > work.arrival;
  const bool first = queue_pair.work.empty();
  queue_pair.work.push(announced);
  if (queue_pair.closed) queue_pair.note_held_back(calendar_->now());
  if (queue_pair.scheduled || queue_pair.is_aside()) return;
  if (announced.late) {
    schedule_later(queue_pair, announced.arrival);
  } else if (first) {
    schedule(queue_pair);
  }
}

void ProcessingUnit::schedule_later(QueuePair& queue_pair, Time when) {
  calendar_->at<&ProcessingUnit::ready>(when, priority_, *this, reinterpret_cast<std::uintptr_t>(&queue_pair));
}

void ProcessingUnit::ready(std::uint64_t argument) {
  QueuePair& queue_pair = *reinterpret_cast<QueuePair*>(argument);
  if (queue_pair.scheduled || queue_pair.is_aside() || queue_pair.work.empty()) return;
  if (queue_pair.work.front().arrival <= calendar_->now()) schedule(queue_pair);
}

void ProcessingUnit::schedule(QueuePair& queue_pair) {
  queue_pair.scheduled = true;
  queue_.push(&queue_pair);
  if (active_) return;
  active_ = true;
  wait_for_head();
}

void ProcessingUnit::wait_for_head() {
  const QueuePair& head = *queue_.front();
  const Time begins = std::max(next_arrival(head), calendar_->now());
  // A WQE that comes by MMIO needs no decision at its arrival: the unit goes straight to the end of its processing.
  const bool by_mmio = !head.held && head.work.front().fetched;
  if (by_mmio && !head.first->plan->gets_response()) {
    queue_pair_ = queue_.pop();
    take_work();
    process(begins);
  } else if (begins > calendar_->now()) {
    calendar_->at<&ProcessingUnit::begin>(begins, priority_, *this);
  } else {
    begin(0);
  }
}

void ProcessingUnit::begin(std::uint64_t) {
  queue_pair_ = queue_.pop();
  take_work();
  if (current_.fetched) {
    work();
  } else if (!current_.plan->by_doorbell) {
    read_ahead();
  } else {
    fetch();
  }
}

void ProcessingUnit::read_ahead() {
  const Message& first = *queue_pair_->first;
  Bytes& length = queue_pair_->read_ahead;
  length = std::clamp(length, nic_->wqe_reads().unit(), nic_->longest_read_ahead());
  const WqeReads::Ahead ahead = nic_->wqe_reads().ahead(first.wqe_begin, first.wqe_end(), length);
  core::RingQueue<PostedWork>& later = queue_pair_->work;
  const auto more = [&] {
    return !later.empty() && !later.front().plan->by_doorbell && later.front().arrival <= calendar_->now();
  };
  while (more() && later.front().end <= ahead.end) join(later.pop());
  current_.in_hand = current_.wqes;
  // WQEs as large as the last one.
  const std::int64_t room = (ahead.end - first.wqe_begin).count / current_.plan->wqe_place.count;
  if (current_.wqes >= room && (current_.wqes > 1 || more())) {
    length = length * 2;
  } else if (current_.wqes <= room / 2) {
    length = Bytes{length.count / 2};
  }
  nic_->dma().read_again(ahead.cost, arrival_of(ahead.cost));
}

void ProcessingUnit::join(const PostedWork& later) {
  current_.wqes += later.wqes;
  if (later.plan->by_doorbell) current_.calls += later.calls;
  current_.plan = later.plan;
  current_.unread_to = later.unread_to;
  current_.end = later.end;
}

void ProcessingUnit::fetch() {
  current_.in_hand = current_.wqes;
  // What the response will need again goes to the cache.
  Message* message = queue_pair_->first;
  for (int i = 0; i < current_.wqes; ++i, message = message->next) {
    if (message->plan->gets_response()) message->ticket = nic_->wqe_cache().insert();
  }
  nic_->dma().read(announced_, arrival_of(announced_));
}

void ProcessingUnit::read_again() {
  current_.in_hand = 1;
  // A WQE that is read a second time is used up at once, and its response reads it once more (Kalia et al. 2016, Fig.
  // 13a). Whole units are read, but only one place of the cache is of use: what has been announced of it by now, that
  // is.
  const Message& first = *queue_pair_->first;
  const Bytes end = queue_pair_->last->wqe_end();
  queue_pair_->read_again_to = std::min(nic_->wqe_reads().end_of_place(first.wqe_end()), end);
  const DmaReadCost cost = nic_->wqe_reads().between(first.wqe_begin, first.wqe_end(), end);
  nic_->read_displaced(cost, arrival_of(cost));
}

Continuation ProcessingUnit::arrival_of(const DmaReadCost& cost) {
  busy_ += cost.request + cost.latency + cost.completion + nic_->dma().latency() * 2;
  fetching_since_ = calendar_->now();
  struct Resume {
    static void call(void* self, std::uint64_t argument) { static_cast<ProcessingUnit*>(self)->fetched(argument); }
  };
  return {&Resume::call, this, 0};
}

void ProcessingUnit::take_work() {
  QueuePair& pair = *queue_pair_;
  if (pair.held) {
    current_ = *pair.held;
    pair.held.reset();
    pair.note_held_back(calendar_->now());
    return;
  }
  current_ = pair.work.pop();
  if (current_.fetched || !current_.plan->by_doorbell) return;
  announced_ = {};
  Bytes from = pair.first->wqe_begin;
  const auto read = [&] {
    if (from < current_.unread_to)
      announced_ += nic_->wqe_reads().between(from, current_.unread_to, current_.unread_to);
    from = current_.end;
  };
  const auto is_here = [&](const PostedWork& later) { return later.arrival <= calendar_->now(); };
  for (;;) {
    // What the core has written between two lists need not be read, and does not part them.
    std::size_t written = 0;
    int wqes = current_.wqes;
    for (; written < pair.work.size(); ++written) {
      const PostedWork& later = pair.work[written];
      if (!later.fetched || later.plan->by_doorbell || later.plan->gets_response() || !is_here(later)) break;
      wqes += later.wqes;
    }
    if (written == pair.work.size()) break;
    const PostedWork& list = pair.work[written];
    const bool joins =
        !list.fetched && list.plan->by_doorbell && is_here(list) && wqes + list.wqes <= nic_->max_fetch();
    if (!joins) break;
    for (; written > 0; --written) {
      read();
      join(pair.work.pop());
      current_.unread_to = from = current_.end;
    }
    // A list whose last WQE the core has written is read by itself.
    if (current_.unread_to < current_.end) read();
    join(pair.work.pop());
  }
  read();
}

void ProcessingUnit::fetched(std::uint64_t) {
  const Time took = calendar_->now() - fetching_since_;
  occupied_ += took;
  queue_pair_->in_unit += took;
  track_.span(current_.fetched ? "reads WQEs again" : "reads WQEs", fetching_since_, calendar_->now());
  current_.fetched = true;
  work();
}

void ProcessingUnit::work() {
  const bool gets_response = queue_pair_->first->plan->gets_response();
  if (gets_response) queue_pair_->most_in_flight = nic_->most_in_flight_to(*queue_pair_->first->responder);
  if (gets_response && queue_pair_->in_flight >= queue_pair_->most_in_flight) {
    hold();
    return;
  }
  if (gets_response && current_.in_hand == 0 && is_displaced()) {
    read_again();
    return;
  }
  process(calendar_->now());
}

bool ProcessingUnit::is_displaced() const {
  const Message& next = *queue_pair_->first;
  return !nic_->wqe_cache().holds(next.ticket) && next.wqe_end() > queue_pair_->read_again_to;
}

bool ProcessingUnit::is_in_rounds() const {
  const bool has_rounds = nic_->read_growth() > 0 && queue_pair_->round <= queue_pair_->most_in_flight;
  return has_rounds && queue_pair_->reads > 0;
}

void ProcessingUnit::process(Time begins) {
  Time service = current_.plan->pu_per_wqe;
  if (!current_.started) {
    current_.started = true;
    service += current_.plan->pu_per_call * current_.calls;
  }
  busy_ += service;
  occupied_ += service;
  queue_pair_->in_unit += service;
  track_.span("WQE", begins, begins + service);
  calendar_->at<&ProcessingUnit::processed>(begins + service, priority_, *this);
}

void ProcessingUnit::processed(std::uint64_t) {
  --current_.wqes;
  current_.in_hand = std::max(0, current_.in_hand - 1);
  Message& message = *queue_pair_->take();
  if (message.by_mmio) nic_->mmio_buffer().processed(*message.plan);
  if (message.plan->gets_response()) ++queue_pair_->in_flight;
  if (message.plan->is_read()) {
    ++queue_pair_->reads;
    ++queue_pair_->sent_in_round;
  }
  const std::optional<Time> free = nic_->transmit(message, *this);
  if (!free) {
    held_since_ = calendar_->now();
    return;
  }
  occupied_ += std::max(Time{0}, *free - calendar_->now());
  if (current_.in_hand > 0 && !queue_pair_->first->plan->gets_response() && !queue_pair_->refused.waits) {
    process(*free);
  } else if (*free > calendar_->now()) {
    calendar_->at<&ProcessingUnit::go_on>(*free, priority_, *this);
  } else {
    go_on(0);
  }
}

void ProcessingUnit::go_on(std::uint64_t) {
  if (current_.wqes > 0) {
    if (queue_pair_->refused.waits) {
      hold();
    } else {
      work();
    }
    return;
  }
  const bool more = !queue_pair_->work.empty();
  const bool here = more && queue_pair_->work.front().arrival <= calendar_->now();
  queue_pair_->closed = is_in_rounds() && (!here || queue_pair_->sent_in_round >= queue_pair_->round);
  if (queue_pair_->closed) queue_pair_->note_held_back(calendar_->now());
  if (!more) queue_pair_->from_memory = false;
  const bool rests = !here && current_.plan->acknowledged && queue_pair_->reads == 0 && rest();
  if (!more || rests || queue_pair_->closed || queue_pair_->refused.waits || waits(*queue_pair_)) {
    set_aside();
  } else {
    queue_.push(queue_pair_);
  }
  leave();
}

bool ProcessingUnit::waits(QueuePair& queue_pair) {
  const PostedWork& next = queue_pair.work.front();
  const bool waits = next.late && next.arrival > calendar_->now();
  if (waits) schedule_later(queue_pair, next.arrival);
  return waits;
}

void ProcessingUnit::hold() {
  queue_pair_->held = current_;
  queue_pair_->note_held_back(calendar_->now());
  set_aside();
  leave();
}

bool ProcessingUnit::rest() {
  QueuePair& pair = *queue_pair_;
  pair.rests_until = calendar_->now() + nic_->turnaround();
  if (pair.work.empty() || pair.work.front().arrival >= pair.rests_until) return false;
  pair.work.front().arrival = pair.rests_until;
  pair.work.front().late = true;
  schedule_later(pair, pair.rests_until);
  return true;
}

void ProcessingUnit::set_aside() {
  queue_pair_->scheduled = false;
  if (queue_pair_->refused.due) retry(*queue_pair_);
}

void ProcessingUnit::retry(QueuePair& queue_pair) {
  queue_pair.refused.due = queue_pair.scheduled || queue_pair.on_way > 0;
  if (queue_pair.refused.due) return;
  send_again(queue_pair, calendar_->now(), nic_->max_fetch());
  schedule(queue_pair);
}

void ProcessingUnit::leave() {
  if (queue_.empty()) {
    active_ = false;
    return;
  }
  // Of the queue pairs in line the first goes next even if another one's doorbell arrives before its own: the line is
  // in order of announcement, and the unit looks at its head only.
  wait_for_head();
}

void ProcessingUnit::release(const Message& message) {
  QueuePair& queue_pair = *message.queue_pair;
  --queue_pair.in_flight;
  if (message.plan->is_read() && --queue_pair.reads == 0) {
    if (std::exchange(queue_pair.closed, false)) queue_pair.note_held_back(calendar_->now());
    queue_pair.sent_in_round = 0;
    const bool idle = !queue_pair.held && queue_pair.work.empty();
    // Beyond the limit there are no rounds.
    const std::int64_t beyond = std::int64_t{queue_pair.most_in_flight} + 1;
    const std::int64_t grown = std::int64_t{queue_pair.round} * nic_->read_growth();
    queue_pair.round = idle ? 1 : static_cast<int>(std::min(grown, beyond));
  }
  if (queue_pair.scheduled || queue_pair.closed || queue_pair.refused.waits) return;
  if (queue_pair.held || (!queue_pair.work.empty() && !waits(queue_pair))) schedule(queue_pair);
}

}  // namespace doorbell::model
