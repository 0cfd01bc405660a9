// Output in the format of fio, for tests.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace doorbell::tools {

/// One entry of "jobs", which ran by itself unless it is given a "groupid": bandwidths in bytes per second, the median
/// in nanoseconds.
inline nlohmann::json fio_job(const nlohmann::json& options, double read, double write, double median = 100e3) {
  const auto direction = [&](double bandwidth) {
    return nlohmann::json{{"bw_bytes", bandwidth},
                          {"clat_ns", {{"percentile", {{"50.000000", median}, {"99.000000", 2 * median}}}}}};
  };
  return {{"jobname", "job"},
          {"error", 0},
          {"job options", options},
          {"read", direction(read)},
          {"write", direction(write)}};
}

inline std::string fio_output(std::vector<nlohmann::json> jobs,
                              const nlohmann::json& common = nlohmann::json::object()) {
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (jobs[i].is_object() && !jobs[i].contains("groupid")) jobs[i]["groupid"] = 100 + i;
  }
  return nlohmann::json{{"fio version", "fio-3.33"}, {"global options", common}, {"jobs", jobs}}.dump(2);
}

}  // namespace doorbell::tools
