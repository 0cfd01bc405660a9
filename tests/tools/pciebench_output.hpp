// Output in the format of pcie-bench, for tests.
#pragma once

#include <fmt/format.h>

#include <sstream>
#include <string>

namespace doorbell::tools {

inline const std::string bandwidth_heading =
    "#      Test  PAT   Cache HO DO WinSZ   SZ     Time(cyc)      Time    Bytes     Trans   BW (GB/s)    Trans/s\n";
inline const std::string latency_heading =
    "#        Test  PAT   Cache HO DO WinSZ   SZ     TAvg    Avg   Med   Min   Max   95% 99.9%   TAvg(ns) Avg(ns) "
    "Med(ns) Min(ns) Max(ns) 95%(ns) 99.9%(ns)    #outliers   #samples\n";

/// `setting`: test, pattern, cache, both offsets, window and size; bandwidth in Gb/s.
inline std::string bandwidth_row(const std::string& setting, double gigabits) {
  const double bytes = std::stod(setting.substr(setting.rfind(' ')));
  return fmt::format(" {} 156409216 130341013.333 536870912 8388608 {:.3f} {:.1f}\n", setting, gigabits,
                     gigabits * 1e9 / 8 / bytes);
}
/// By a clock of 16 cycles, which are 13.33 ns: `ticks` is the median.
inline std::string latency_row(const std::string& setting, int ticks, double mean_nanoseconds) {
  const int cycles = 16 * ticks;
  const auto nanoseconds = [&](int later) { return static_cast<int>((cycles + later) / 1.2); };
  return fmt::format(" {} 976.0 {:.1f} {} {} {} {} {} 813.3 {:.1f} {} {} {} {} {} 1 2097152\n", setting,
                     mean_nanoseconds * 1.2, cycles, cycles - 32, cycles + 1600, cycles + 16, cycles + 48,
                     mean_nanoseconds, nanoseconds(0), nanoseconds(-32), nanoseconds(1600), nanoseconds(16),
                     nanoseconds(48));
}

/// Rows of both kinds in any order, each below the heading of its table.
inline std::string with_headings(const std::string& rows) {
  std::istringstream input{rows};
  std::string text;
  for (std::string row; std::getline(input, row); text += row + "\n")
    text += row.find("LAT_") == std::string::npos ? bandwidth_heading : latency_heading;
  return text;
}

}  // namespace doorbell::tools
