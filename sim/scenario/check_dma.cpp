// DMA scenarios whose parts contradict one another.
#include <fmt/format.h>

#include <bit>
#include <cstdint>

#include "scenario/checks.hpp"
#include "scenario/form.hpp"
#include "scenario/without_effect.hpp"

namespace doorbell::scenario {
namespace {

using namespace model;

void check_device_window(const Examined& examined, const Pointer& at, const DmaScenario& dma) {
  if (units_of(dma) < 1) {
    examined.refuse(ErrorCode::window_too_small, at / "window",
                    fmt::format("room for one request, which takes {} B in whole cache lines", unit_of(dma).count),
                    fmt::format("{} B", dma.window.count));
  }
  if (units_of(dma) >= 1 && units_of(dma) < dma.streams) {
    examined.refuse(ErrorCode::window_too_small, at / "streams",
                    fmt::format("as many requests as the window has room for, {}, or fewer", units_of(dma)),
                    fmt::format("{}", dma.streams));
  }
}

/// Only streams that go through a part of the window one after the other have parts of their own.
void check_streams(const Examined& examined, const Pointer& at, DmaScenario& dma) {
  const Reasons reasons{{dma.pattern == AddressPattern::random,
                         "since requests in random order do not come in streams",
                         {at / member_name(dma, dma.pattern)}}};
  expect_default(examined, reasons, at, dma, dma.streams, 1);
}

/// What a scenario changes of the profile's DMA engine, where the device works without it.
void check_engine(const Examined& examined, const Pointer& at, DmaScenario& dma) {
  const Pointer hardware = at / keys::hardware;
  const Node* profile = find(examined.tree, hardware);
  if (!dma.commands || profile == nullptr || !profile->profile) return;
  const Pointer engine = hardware / member_name(dma.hardware, dma.hardware.dma_engine);
  const Reasons reasons{{true, {}, {at / member_name(dma, dma.commands)}}};
  for (const Member& member : find(examined.tree, engine)->members) {
    const Pointer pointer = engine / member.name;
    if (member.value.shared || first_of(reasons, examined.tree, pointer) == nullptr) continue;
    const Node* value = is_leaf_object(member.value) ? member.value.find("value") : &member.value;
    examined.refuse(ErrorCode::without_effect, pointer,
                    "what the profile says, since the device's cores read and write without its DMA engine",
                    description(*value));
  }
}

void check_dram(const Examined& examined, const Pointer& at, const DramParameters& channels) {
  if (channels.drain_at > channels.write_queue) {
    examined.refuse(ErrorCode::impossible_hardware, at / "drain_at",
                    fmt::format("at most what the write queue holds, {}", channels.write_queue),
                    fmt::format("{}", channels.drain_at));
  }
  if (channels.banks % channels.bank_groups != 0) {
    examined.refuse(ErrorCode::impossible_hardware, at / "bank_groups",
                    fmt::format("a divisor of the number of banks, {}", channels.banks),
                    fmt::format("{}", channels.bank_groups));
  }
  if (channels.refresh_interval > Time{0} && channels.refresh >= channels.refresh_interval) {
    examined.refuse(ErrorCode::impossible_hardware, at / "refresh",
                    "less than the " + text_of(channels.refresh_interval) + " from one refresh to the next",
                    text_of(channels.refresh));
  }
  if (channels.drain_to >= channels.drain_at) {
    examined.refuse(ErrorCode::impossible_hardware, at / "drain_to",
                    fmt::format("fewer than drain_at, {}", channels.drain_at), fmt::format("{}", channels.drain_to));
  }
}

void check_host_memory(const Examined& examined, const Pointer& at, const HostMemoryParameters& memory) {
  if (memory.channels) check_dram(examined, at / "channels", *memory.channels);
  if (const auto& refresh = memory.refresh) {
    const Pointer place = at / "refresh";
    if (memory.channels) {
      examined.refuse(ErrorCode::impossible_hardware, place, "no such key, since the channels have their own refreshes",
                      "both");
    }
    if (refresh->time >= refresh->interval) {
      examined.refuse(ErrorCode::impossible_hardware, place / "time",
                      "less than the " + text_of(refresh->interval) + " from one refresh to the next",
                      text_of(refresh->time));
    }
  }
  const LastLevelCacheParameters& cache = memory.cache;
  if (cache.device_share > cache.size) {
    examined.refuse(ErrorCode::impossible_hardware, at / "cache" / "device_share",
                    fmt::format("at most the whole cache, {} B", cache.size.count),
                    fmt::format("{} B", cache.device_share.count));
  }
}

}  // namespace

void check_dma(DmaScenario& dma, const Node& tree) {
  Scenario none;
  const Examined examined{none, tree};
  const Pointer at = Pointer{} / keys::dma;
  check_link(examined, at / keys::hardware / member_name(dma.hardware, dma.hardware.pcie), dma.hardware.pcie);
  constexpr Bytes smallest_page{4096};
  const bool power = std::has_single_bit(static_cast<std::uint64_t>(dma.iommu_page.count));
  if (dma.iommu_page > Bytes{0} && (!power || dma.iommu_page < smallest_page)) {
    examined.refuse(ErrorCode::out_of_range, at / member_name(dma, dma.iommu_page),
                    "0 B, or a power of two from 4096 B on", in_bytes(dma.iommu_page));
  }
  check_streams(examined, at, dma);
  check_engine(examined, at, dma);
  check_device_window(examined, at, dma);
  if (dma.in_flight == 0 && !dma.cores) {
    examined.refuse(ErrorCode::nothing_to_run, at / "in_flight", "requests of the device, or cores", "neither");
  }
  if (dma.cores && (!dma.hardware.memory.channels || !dma.hardware.core)) {
    examined.refuse(ErrorCode::impossible_hardware, at / "cores", "a profile with memory channels and a core",
                    dma.hardware.memory.channels ? "no core" : "no memory channels");
  }
  check_host_memory(examined, at / keys::hardware / "memory", dma.hardware.memory);
}

}  // namespace doorbell::scenario
