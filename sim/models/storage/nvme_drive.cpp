#include "models/storage/nvme_drive.hpp"

namespace doorbell::model {
namespace {

constexpr Bytes command_size{64};
constexpr Bytes completion_size{16};
constexpr Bytes doorbell_size{4};

}  // namespace

DriveCommandCost command_cost(const NvmeDriveParameters& drive, const RootComplexParameters& root_complex, Bytes size,
                              bool write) {
  DriveCommandCost cost;
  if (write) {
    cost.from_host = dma_read_cost(drive.pcie, root_complex.read_latency, size);
  } else {
    cost.to_host = dma_write_cost(drive.pcie, size);
  }
  cost.completion = dma_write_cost(drive.pcie, completion_size);
  return cost;
}

DmaReadCost commands_read(const NvmeDriveParameters& drive, const RootComplexParameters& root_complex, int commands) {
  return dma_read_cost(drive.pcie, root_complex.read_latency, command_size * commands);
}

Time drive_doorbell(const NvmeDriveParameters& drive) {
  return occupancy(drive.pcie, write_tlps(drive.pcie, doorbell_size));
}

NvmeDrive::NvmeDrive(core::Calendar& calendar, const NvmeDriveParameters& parameters,
                     const RootComplexParameters& root_complex, core::Priority priority)
    : calendar_{calendar},
      priority_{priority},
      parameters_{parameters},
      root_complex_{root_complex},
      doorbell_{drive_doorbell(parameters)},
      link_{calendar, parameters.pcie, root_complex, priority},
      flash_{calendar, parameters.flash, priority} {}

void NvmeDrive::add(const Command& command) {
  std::uint32_t slot = free_;
  if (slot == none) {
    slot = static_cast<std::uint32_t>(slots_.size());
    slots_.emplace_back();
  } else {
    free_ = slots_[slot].next;
  }
  slots_[slot] = {command, Time{0}, none};
  (first_added_ == none ? first_added_ : slots_[last_added_].next) = slot;
  last_added_ = slot;
}

void NvmeDrive::ring() {
  if (first_added_ == none) return;
  const Time arrival = link_.mmio_write(doorbell_) + link_.latency();
  calendar_.at<&NvmeDrive::rung>(arrival, priority_, *this, first_added_);
  for (std::uint32_t slot = first_added_; slot != none; slot = slots_[slot].next) slots_[slot].rung = calendar_.now();
  first_added_ = none;
}

void NvmeDrive::rung(std::uint64_t first) {
  int commands = 0;
  for (auto slot = static_cast<std::uint32_t>(first); slot != none; slot = slots_[slot].next) ++commands;
  link_.read(commands_read(parameters_, root_complex_, commands), later<&NvmeDrive::fetched>(first));
}

void NvmeDrive::fetched(std::uint64_t first) {
  for (auto slot = static_cast<std::uint32_t>(first); slot != none; slot = slots_[slot].next) {
    const Time taken = controller_.reserve(calendar_.now(), parameters_.command, "command");
    calendar_.at<&NvmeDrive::begin>(taken + parameters_.latency, priority_, *this, slot);
  }
}

void NvmeDrive::begin(std::uint64_t slot) {
  const Command& command = slots_[slot].command;
  if (command.cost->from_host) {
    link_.read(*command.cost->from_host, later<&NvmeDrive::arrived>(slot));
  } else {
    calendar_.at<&NvmeDrive::sensed>(flash_.read(command.place, command.size), priority_, *this, slot);
  }
}

void NvmeDrive::sensed(std::uint64_t slot) {
  calendar_.at<&NvmeDrive::end>(flash_.transfer(slots_[slot].command.size), priority_, *this, slot);
}

void NvmeDrive::arrived(std::uint64_t slot) {
  flash_.write(slots_[slot].command.programmed, later<&NvmeDrive::end>(slot));
}

void NvmeDrive::end(std::uint64_t slot) {
  Slot& ended = slots_[slot];
  const Command command = ended.command;
  if (command.cost->to_host) static_cast<void>(link_.write(*command.cost->to_host));
  const Time visible = link_.write(command.cost->completion).visible;
  ++(command.cost->to_host ? reads_ : writes_);
  latency_.add(visible - ended.rung);
  ended.next = free_;
  free_ = static_cast<std::uint32_t>(slot);
  command.client->command_done(command.tag, visible);
}

void NvmeDrive::measure(Time from, Time until) {
  link_.measure(from, until);
  flash_.measure(from, until);
  controller_.measure(from, until);
  latency_.reset();
  reads_ = 0;
  writes_ = 0;
}

void NvmeDrive::trace(core::TraceWriter& writer, std::string_view machine) {
  link_.trace(writer, machine);
  controller_.trace({&writer, machine, "controller"});
}

}  // namespace doorbell::model
