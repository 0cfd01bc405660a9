#include "models/dma/dma_engine.hpp"

#include <algorithm>
#include <utility>

namespace doorbell::model {

namespace {

DmaCosts costs_at(const DmaEngineParameters& engine, const PcieParameters& pcie, Bytes size, std::int64_t address) {
  const Time gap = transfer_time(engine.tlp_gap, link_bandwidth(pcie));
  DmaCosts costs;
  costs.read = dma_read_cost(pcie, Time{0}, size, address);
  costs.read.request += gap * costs.read.tags;
  costs.write = dma_write_cost(pcie, size, address);
  costs.write.service += gap * costs.write.tlps;
  if (engine.memory > Bandwidth{}) costs.in_device = costs.read.store = transfer_time(size, engine.memory);
  const std::int64_t bursts = engine.burst > Bytes{0} ? std::max<std::int64_t>(1, ceil_div(size, engine.burst)) : 1;
  costs.write_interval = engine.write_interval + engine.burst_interval * (bursts - 1);
  costs.completions = engine.completion * completion_tlps(pcie, size, address).tlps;
  if (engine.word > Bytes{0} && size.count % engine.word.count != 0) costs.partial_word = engine.partial_word;
  return costs;
}

}  // namespace

DmaCostTable::DmaCostTable(const DmaEngineParameters& engine, const PcieParameters& pcie, Bytes size, Bytes offset) {
  const Bytes period = std::max(pcie.max_payload, pcie.max_read_request);
  for (Bytes line{0}; line < period; line += cache_line) {
    costs_.push_back(costs_at(engine, pcie, size, (line + offset).count));
  }
}

DmaEngine::DmaEngine(core::Calendar& calendar, const DmaEngineParameters& parameters, DmaCostTable costs, HostDma& link,
                     core::Priority priority, core::Handler done, void* object)
    : calendar_{calendar},
      parameters_{parameters},
      costs_{std::move(costs)},
      link_{link},
      priority_{priority},
      done_{done},
      object_{object} {
  link_.keep_tags(parameters.store);
}

void DmaEngine::keep(std::uint64_t number, std::int64_t address) {
  if (number >= addresses_.size()) addresses_.resize(number + 1);
  addresses_[number] = address;
}

void DmaEngine::read(std::uint64_t number, std::int64_t address) {
  keep(number, address);
  const Time next = reads_.reserve(calendar_.now(), parameters_.read_interval);
  calendar_.at<&DmaEngine::send_request>(next - parameters_.read_interval + parameters_.start, priority_, *this,
                                         number);
}

void DmaEngine::send_request(std::uint64_t number) {
  link_.read(costs_of(number).read, {&DmaEngine::read_ended, this, number}, addresses_[number]);
}

void DmaEngine::read_ended(void* engine, std::uint64_t number) {
  DmaEngine& self = *static_cast<DmaEngine*>(engine);
  const DmaCosts& costs = self.costs_of(number);
  const Time now = self.calendar_.now();
  // It takes them while they come, from the first byte on.
  const Time taken = std::max(now, self.completions_.reserve(now - costs.read.completion, costs.completions));
  // Nobody waits for the word itself: what it delays is the next read.
  const Time stored = self.partial_words_.reserve(taken, costs.partial_word) - costs.partial_word;
  self.calendar_.at<&DmaEngine::end>(stored + self.parameters_.signal, self.priority_, self, number);
}

void DmaEngine::ended(void* engine, std::uint64_t number) {
  DmaEngine& self = *static_cast<DmaEngine*>(engine);
  self.calendar_.at<&DmaEngine::end>(self.calendar_.now() + self.parameters_.signal, self.priority_, self, number);
}

void DmaEngine::write(std::uint64_t number, std::int64_t address) {
  keep(number, address);
  const DmaCosts& costs = costs_of(number);
  const Time next = writes_.reserve(calendar_.now(), costs.write_interval);
  calendar_.at<&DmaEngine::send_data>(
      next - costs.write_interval + parameters_.start + parameters_.load + costs.in_device, priority_, *this, number);
}

void DmaEngine::send_data(std::uint64_t number) {
  link_.post(costs_of(number).write, addresses_[number], {&DmaEngine::ended, this, number});
}

void DmaEngine::end(std::uint64_t number) { done_(object_, number); }

}  // namespace doorbell::model
