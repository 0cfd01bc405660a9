// The flash memory of a drive: units that read or program a page at a time, the channels to them, and the buffer in
// which writes wait for them.
#pragma once

#include <cstdint>
#include <vector>

#include "core/calendar.hpp"
#include "core/fifo_server.hpp"
#include "core/quantity.hpp"
#include "core/ring_queue.hpp"
#include "core/utilisation.hpp"
#include "models/common/continuation.hpp"
#include "models/common/describe.hpp"

namespace doorbell::model {

/// After MQSim (Tavakkol et al., FAST 2018) and what data sheets of drives tell.
struct FlashParameters {
  int units = 1;
  Bytes page;
  Time read{0};
  Time program{0};
  Bandwidth channels;
  Bytes write_buffer;
};
template <class V> void describe(V& v, FlashParameters& s) {
  v.field("units", s.units, {.doc = "Planes that read or program at the same time.", .min = 1, .max = 1 << 16});
  v.field("page", s.page, {.doc = "What one of them reads or programs at a time.", .min = 512, .max = 1 << 24});
  v.field("read", s.read, {.doc = "Time to read a page, or less of it.", .max = 1});
  v.field("program", s.program, {.doc = "Time to program a page.", .max = 1});
  v.field("channels", s.channels,
          {.doc = "All channels between flash and controller together.", .min = 1e6, .max = 1e12});
  v.field("write_buffer", s.write_buffer,
          {.doc = "Memory, safe from loss of power, in which what is written waits to be programmed.",
           .min = 0,
           .max = 1e12});
}

class Flash {
 public:
  Flash(core::Calendar& calendar, const FlashParameters& parameters, core::Priority priority);
  Flash(const Flash&) = delete;
  Flash& operator=(const Flash&) = delete;

  /// A read of `size` bytes at `place` (any number; pages that follow one another are in units that do) comes now.
  /// Returns when the last of its pages has been read.
  [[nodiscard]] Time read(std::uint64_t place, Bytes size);
  /// What was read goes to the controller from now on. Returns when it is there.
  [[nodiscard]] Time transfer(Bytes size);
  /// A write whose data are in the controller asks for the buffer now; `programmed` bytes (> 0) are programmed for it.
  /// `safe` is called when there is room, in the order of the calls.
  void write(Bytes programmed, const Continuation& safe);

  /// Share of the time in which a unit, or the channels, were busy.
  [[nodiscard]] double units_busy(Time now) const;
  [[nodiscard]] double channels_busy(Time now) const { return channels_.utilisation(now); }
  /// Share of the time in which a write waited for room in the buffer.
  [[nodiscard]] double full(Time now) const { return full_.mean(now); }
  void measure(Time from, Time until);

 private:
  struct Write {
    Bytes programmed;
    Continuation safe;
  };
  void admit();
  void program();
  void loaded(std::uint64_t unit);
  void programmed(std::uint64_t);

  core::Calendar& calendar_;
  core::Priority priority_;
  Bytes page_;
  Time read_;
  Time program_;
  Bandwidth rate_;
  std::vector<core::FifoServer> units_;
  core::FifoServer channels_;
  core::RingQueue<Write> waiting_;
  Bytes free_;             // of the buffer; a write that is larger than all of it leaves less than nothing
  Bytes unprogrammed_{0};  // in the buffer, less than a page
  core::TimeWeighted full_;
  int programs_ = 0;  // under way
  std::size_t next_unit_ = 0;
};

}  // namespace doorbell::model
