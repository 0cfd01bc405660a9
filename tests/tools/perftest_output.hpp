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

/// Which closes a table.
inline const std::string rule = "----------------------------------------\n";

/// What --out_json writes: a bandwidth and a latency test.
inline const std::string json_rates = R"({
"test_info": {
"test": "RDMA_Write_BW_Test",
"Dual_port": "OFF", "Device": "mlx5_0",
"Number_of_qps": 4, "Transport_type": "IB",
"Connection_type": "RC", "Using_SRQ": "OFF", "PCIe_relax_order": "ON", "ibv_wr_API": "ON",
"TX_depth": 128, "CQ_Moderation": 100,
"Mtu": 4096, "Link_type": "IB", "Max_inline_data": 220, "rdma_cm_QPs": "OFF", "Data_ex_method": "Ethernet"
},
"results": {
"MsgSize": 64, "n_iterations": 50000, "BW_peak": 0.0, "BW_average": 333.7, "MsgRate": 5.467546
}
}
)";
inline const std::string json_latencies = R"({
"test_info": {
"test": "RDMA_Read_Latency_Test",
"Dual_port": "OFF", "Device": "mlx5_0",
"Number_of_qps": 1, "Transport_type": "IB",
"Connection_type": "RC", "Using_SRQ": "OFF", "TX_depth": 1,
"Mtu": 4096, "Link_type": "IB", "Outstand_reads": 16, "rdma_cm_QPs": "OFF", "Data_ex_method": "Ethernet"
},
"results": {
"MsgSize": 8, "n_iterations": 1000, "t_min": 1.7, "t_max": 9.5, "t_typical": 1.85, "t_avg": 1.9, "t_stdev": 0.1,
"percentile_99": 2.1, "percentile_99.9": 3.4
}
}
)";

}  // namespace doorbell::tools
