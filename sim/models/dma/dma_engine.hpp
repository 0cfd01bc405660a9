// The DMA engine of a device: software hands it one request after the other, for the host's memory or from it.
#pragma once

#include <cstdint>
#include <vector>

#include "core/calendar.hpp"
#include "core/fifo_server.hpp"
#include "core/quantity.hpp"
#include "models/common/describe.hpp"
#include "models/memory/cache_line.hpp"
#include "models/pcie/host_dma.hpp"

namespace doorbell::model {

/// After the devices of Neugebauer et al., SIGCOMM 2018.
struct DmaEngineParameters {
  Time read_interval{0};
  Time write_interval{0};
  Bytes burst{0};
  Time burst_interval{0};
  Bytes tlp_gap{0};
  Time start{0};
  Time load{0};
  Time store{0};
  Time completion{0};
  Bytes word{0};
  Time partial_word{0};
  Time signal{0};
  Bandwidth memory;
};
template <class V> void describe(V& v, DmaEngineParameters& s) {
  v.field("read_interval", s.read_interval, {.doc = "From the start of a read to that of the next.", .max = 1e-3});
  v.field("write_interval", s.write_interval, {.doc = "From the start of a write to that of the next.", .max = 1e-3});
  v.optional("burst", s.burst,
             {.doc = "The data of a write leave the device's memory in bursts of this size; 0 B: all at once.",
              .min = 0,
              .max = 1e6});
  v.optional("burst_interval", s.burst_interval,
             {.doc = "What each burst of a write after the first adds to the time until the next write.", .max = 1e-3});
  v.optional("tlp_gap", s.tlp_gap,
             {.doc = "Room for so many bytes that the device leaves on the link after each TLP that it sends.",
              .min = 0,
              .max = 4096});
  v.field("start", s.start, {.doc = "From a request to its first step.", .max = 1e-3});
  v.field("load", s.load, {.doc = "Until the data of a write come out of the device's memory.", .max = 1e-3});
  v.field("store", s.store,
          {.doc = "Until the data of a read are in the device's memory; their tags stay taken.", .max = 1e-3});
  v.optional("completion", s.completion,
             {.doc = "From one completion TLP that it takes to the next, whatever their sizes. Their tags do not wait "
                     "for it.",
              .max = 1e-3});
  v.optional(
      "word", s.word,
      {.doc = "The device's memory writes whole words of this size; 0 B: any number of bytes.", .min = 0, .max = 4096});
  v.optional(
      "partial_word", s.partial_word,
      {.doc = "For how long it takes no other data while it completes a word of which a read has brought a part.",
       .max = 1e-3});
  v.field("signal", s.signal, {.doc = "From the end of a request until the software knows.", .max = 1e-3});
  v.field("memory", s.memory,
          {.doc = "Rate at which the data of one request leave the device's memory or come there, after the link or "
                  "before it.",
           .min = 1e6,
           .max = 1e12});
}

/// What a request costs.
struct DmaCosts {
  DmaReadCost read;
  WriteCost write;
  Time in_device{0};       ///< Between the device's memory and the link.
  Time write_interval{0};  ///< From the start of a write to that of the next.
  Time completions{0};     ///< For how long a read's completions keep it from taking others.
  Time partial_word{0};    ///< For how long a read's last word keeps other data from the device's memory.
};
/// Of requests of one size that begin at one byte of cache lines: which lines they touch decides about their TLPs. An
/// engine without a rate of its memory needs no time there.
class DmaCostTable {
 public:
  DmaCostTable(const DmaEngineParameters& engine, const PcieParameters& pcie, Bytes size, Bytes offset);

  /// Of a request whose first byte is in the line of `address`.
  [[nodiscard]] const DmaCosts& at(std::int64_t address) const {
    return costs_[static_cast<std::size_t>(address / cache_line.count) % costs_.size()];
  }
  /// Lines after which costs are the same again.
  [[nodiscard]] std::int64_t lines() const { return static_cast<std::int64_t>(costs_.size()); }

 private:
  std::vector<DmaCosts> costs_;
};

class DmaEngine {
 public:
  /// `done` is called with the number of a request when its software knows that it has ended: for a write, that the
  /// data have left.
  DmaEngine(core::Calendar& calendar, const DmaEngineParameters& parameters, DmaCostTable costs, HostDma& link,
            core::Priority priority, core::Handler done, void* object);

  /// Requests are numbered by whoever makes them, from 0; a number can be used again when its request has ended.
  void read(std::uint64_t number, std::int64_t address);
  void write(std::uint64_t number, std::int64_t address);

  [[nodiscard]] const core::FifoServer& reads() const { return reads_; }
  [[nodiscard]] const core::FifoServer& writes() const { return writes_; }
  /// What takes completions.
  [[nodiscard]] const core::FifoServer& completions() const { return completions_; }
  /// The device's memory, for parts of words.
  [[nodiscard]] const core::FifoServer& partial_words() const { return partial_words_; }
  void measure(Time from, Time until) {
    for (core::FifoServer* server : {&reads_, &writes_, &completions_, &partial_words_}) server->measure(from, until);
  }

 private:
  void keep(std::uint64_t number, std::int64_t address);
  [[nodiscard]] const DmaCosts& costs_of(std::uint64_t number) const { return costs_.at(addresses_[number]); }
  void send_request(std::uint64_t number);
  void send_data(std::uint64_t number);
  void end(std::uint64_t number);
  static void read_ended(void* engine, std::uint64_t number);
  static void ended(void* engine, std::uint64_t number);

  core::Calendar& calendar_;
  DmaEngineParameters parameters_;
  DmaCostTable costs_;
  HostDma& link_;
  core::Priority priority_;
  core::Handler done_;
  void* object_;
  core::FifoServer reads_;
  core::FifoServer writes_;
  core::FifoServer completions_;
  core::FifoServer partial_words_;
  std::vector<std::int64_t> addresses_;  // by number
};

}  // namespace doorbell::model
