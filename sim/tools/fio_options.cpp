#include "tools/fio_options.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace doorbell::tools {
namespace {

/// Options that change the load, each with a value that does not; an option may have several.
constexpr auto load_options = std::to_array<std::pair<std::string_view, std::string_view>>({
    // Sizes.
    {"bsrange", "0"},
    {"blocksize_range", "0"},
    {"bssplit", "0"},
    {"bs_is_seq_rand", "0"},
    {"bs_unaligned", "0"},
    // Places.
    {"percentage_random", "0"},
    {"percentage_random", "100"},
    {"random_distribution", "random"},
    {"zonemode", "none"},
    {"zonesize", "0"},
    {"zoneskip", "0"},
    {"read_iolog", "0"},
    // Paces.
    {"rate", "0"},
    {"rate_iops", "0"},
    {"thinktime", "0"},
    {"latency_target", "0"},
    {"latency_target", "0us"},
    {"flow", "0"},
    // Batches; iodepth_low depends on the depth.
    {"iodepth_batch_complete_min", "1"},
    {"iodepth_batch_complete_min", "0"},
    {"iodepth_batch_complete", "1"},
    {"iodepth_batch_complete", "0"},
    // Flushes, and writes that wait for the medium.
    {"fsync", "0"},
    {"fdatasync", "0"},
    {"sync", "0"},
    {"sync", "none"},
    {"sync_file_range", "0"},
    {"fsync_on_close", "0"},
    {"end_fsync", "0"},
    {"write_barrier", "0"},
    {"barrier", "0"},
    // Reads and trims beside the requests that were asked for.
    {"verify", "0"},
    {"verify", "none"},
    {"trim_percentage", "0"},
});

/// Options that are read, or say where, when, how long and with what data fio works, what it reports, and how its
/// engine talks to the kernel; with blanks around each.
constexpr std::string_view harmless_options =
    " name description filename filename_format filename_prefix directory opendir ioengine iodepth iodepth_low "
    "direct buffered bs blocksize rw readwrite rwmixread rwmixwrite rw_sequencer numjobs thread kb_base "
    "unit_base group_reporting new_group stonewall wait_for_previous wait_for size filesize io_size io_limit "
    "number_ios offset offset_increment offset_align fill_device fill_fs loops runtime timeout time_based "
    "ramp_time startdelay start_delay max_latency randrepeat allrandrepeat randseed random_generator norandommap "
    "softrandommap invalidate refill_buffers zero_buffers scramble_buffers fallocate overwrite fadvise_hint "
    "iomem iomem_align hugepage-size lockmem nice cpumask hipri fixedbufs registerfiles sqthread_poll "
    "sqthread_poll_cpu nonvectored userspace_reap clat_percentiles lat_percentiles slat_percentiles "
    "percentile_list bwavgtime iopsavgtime significant_figures unified_rw_reporting clocksource ignore_error "
    "do_verify pre_read ";

/// The same of families of options; those that belong to an option that changes the load do nothing without it.
constexpr auto harmless_beginnings = std::to_array<std::string_view>(
    {"log_",        "write_bw", "write_lat",  "write_iops", "write_hist", "write_iolog", "per_job_log",
     "disable_",    "gtod_",    "buffer_",    "dedupe_",    "mem",        "numa_",       "cpus_allowed",
     "steadystate", "ss",       "exit",       "continue_",  "error_",     "create_",     "allow_",
     "unlink",      "rate_",    "thinktime_", "verify_",    "latency_",   "flow_",       "trim_"});

}  // namespace

FioOptions::FioOptions(const nlohmann::json& own, const nlohmann::json& common) {
  for (const nlohmann::json* options : {&own, &common}) {
    for (const auto& [name, value] : options->items()) {
      if (!value.is_string()) continue;
      values_.emplace(name, value.get<std::string>());
      if (options == &own) own_.insert(name);
    }
  }
}

std::optional<std::string> FioOptions::find(std::string_view name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? std::nullopt : std::optional{found->second};
}

std::optional<std::string> FioOptions::find(std::string_view name, std::string_view other) const {
  const auto value = find(name);
  return value ? value : find(other);
}

std::optional<FioOptions::Refused> FioOptions::refused() const {
  for (const auto& [option, harmless] : load_options) {
    const auto value = find(option);
    if (!value || std::ranges::find(load_options, std::pair{option, std::string_view{*value}}) != load_options.end())
      continue;
    return Refused{std::string{option}, *value, std::string{harmless}};
  }
  return std::nullopt;
}

std::vector<std::string> FioOptions::unknown() const {
  std::vector<std::string> names;
  for (const auto& [option, value] : values_) {
    const std::string_view name = option;
    const auto begins = [name](std::string_view beginning) { return name.starts_with(beginning); };
    const auto is_named = [name](const auto& load_option) { return load_option.first == name; };
    const bool known = std::ranges::any_of(load_options, is_named) ||
                       harmless_options.find(" " + option + " ") != std::string_view::npos ||
                       std::ranges::any_of(harmless_beginnings, begins);
    if (!known) names.emplace_back(name);
  }
  return names;
}

}  // namespace doorbell::tools
