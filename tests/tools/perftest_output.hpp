// Output in the format of perftest, for tests.
#pragma once

#include <string>

namespace doorbell::tools {

/// What comes before a table. `title` is for example "RDMA_Write BW", `settings` whole lines.
inline std::string heading(const std::string& title, const std::string& settings = "",
                           const std::string& device = "mlx5_0") {
  return "----------------------------------------\n"
         "                    " +
         title +
         " Test\n"
         " Dual-port       : OFF\t\tDevice         : " +
         device +
         "\n"
         " Number of qps   : 1\t\tTransport type : IB\n"
         " Connection type : RC\t\tUsing SRQ      : OFF\n" +
         (title.find("BW") == std::string::npos ? "" : " TX depth        : 128\n CQ Moderation   : 100\n") + settings +
         " Mtu             : 4096[B]\n"
         " Link type       : IB\n"
         " Max inline data : 0[B]\n"
         " rdma_cm QPs\t : OFF\n"
         " Data ex. method : Ethernet\n"
         "----------------------------------------\n"
         " local address: LID 0x03 QPN 0x33431 PSN 0x739436 RKey 0x18011b4c VAddr 0x007f527f589000\n"
         "----------------------------------------\n";
}

inline const std::string rates = " #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]\n";
inline const std::string latencies =
    " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]   "
    "99% percentile[usec]   99.9% percentile[usec] \n";

}  // namespace doorbell::tools
