#include "models/nic/request_payloads.hpp"

#include "models/nic/queue_pair.hpp"
#include "models/nic/rdma_nic.hpp"

namespace doorbell::model {

bool RequestPayloads::accept(Message& message, ProcessingUnit& unit) {
  QueuePair& queue_pair = *message.queue_pair;
  const OperationPlan& plan = *message.plan;
  const bool in_turn = queue_pair.gathers_done == queue_pair.gathers_begun;
  if (!plan.gather && in_turn) {
    nic_.send(message);
    return true;
  }
  WaitingUnit turn{&unit, &message, plan.gather ? plan.parts : 0, &nic_.port_of(message), plan.request.transmit};
  if (plan.gather) {
    read(turn);
    while (turn.packets > 0 && under_way_ < most_ && !has_to_wait(turn)) read(turn);
  } else {
    ++under_way_;
    queue_pair.behind.push({&message, queue_pair.gathers_begun});
  }
  if (turn.packets == 0 && under_way_ < most_) return true;
  waiting_.push(turn);
  if (units_wait_.level() == 0) units_wait_.set(calendar_.now(), 1);
  return false;
}

void RequestPayloads::read(WaitingUnit& turn) {
  Message& packet = --turn.packets > 0 ? take_part(pool_, *turn.message) : *turn.message;
  ++under_way_;
  ++packet.queue_pair->gathers_begun;
  nic_.dma().read(*packet.plan->gather, continue_with<&RequestPayloads::arrived>(*this, packet));
}

void RequestPayloads::arrived(Message& message) {
  QueuePair& queue_pair = *message.queue_pair;
  const bool waits_for_room = is_packet_of_several(message);
  NetworkPort& port = nic_.port_of(message);
  ++queue_pair.gathers_done;
  nic_.send(message);
  while (!queue_pair.behind.empty() && queue_pair.behind.front().after <= queue_pair.gathers_done) {
    --under_way_;
    nic_.send(*queue_pair.behind.pop().message);
  }
  --under_way_;
  const auto later = continue_with<&RequestPayloads::left>(*this, port);
  if (waits_for_room && !port.has_room_for(NetworkPort::Side::requests, later)) {
    ++too_early_[static_cast<std::size_t>(port.index())];
  }
  take_turns();
}

void RequestPayloads::left(NetworkPort& port) {
  --too_early_[static_cast<std::size_t>(port.index())];
  take_turns();
}

bool RequestPayloads::has_to_wait(const WaitingUnit& turn) const {
  return turn.packets > 0 && too_early_[static_cast<std::size_t>(turn.port->index())] > 0;
}

void RequestPayloads::let_go(const WaitingUnit& turn) {
  if (!turn.port->has_place()) return turn.port->park(*turn.unit);
  const Time room = nic_.room_after(turn.service, *turn.port);
  if (room <= calendar_.now()) return turn.unit->resume();
  const auto resume = continue_with<&ProcessingUnit::resume>(*turn.unit);
  calendar_.at(room, priority_, resume.handler, resume.object, resume.argument);
}

void RequestPayloads::take_turns() {
  for (std::size_t passed_over = 0; passed_over < waiting_.size() && under_way_ < most_;) {
    WaitingUnit turn = waiting_.pop();
    if (has_to_wait(turn)) {
      waiting_.push(turn);
      ++passed_over;
      continue;
    }
    passed_over = 0;
    if (turn.packets > 0) {
      read(turn);
      if (turn.packets > 0 || under_way_ >= most_) {
        waiting_.push(turn);
        continue;
      }
    }
    let_go(turn);
  }
  if (waiting_.empty() && units_wait_.level() != 0) units_wait_.set(calendar_.now(), 0);
}

}  // namespace doorbell::model
