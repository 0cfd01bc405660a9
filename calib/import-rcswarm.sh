#!/bin/sh
# Turns the rc-swarm sweeps of rdma_bench (github.com/efficient/rdma_bench, rc-swarm/sweep, as one CSV) into a reference
# that `doorbell reproduce --references DIR` draws beside kalia16/rcswarm.
# usage: import-rcswarm.sh rc_swarm_sweeps.csv > DIR/kalia16/rcswarm.csv
set -eu
cat <<'HEADER'
# source: rdma_bench, rc-swarm/sweep: raw logs of its authors, Kalia, Kaminsky and Andersen
# figure: none
# how obtained: mean over machines of the logged averages
# error estimate: half the spread between machines
series,x,metric,unit,value,uncertainty,set,note
HEADER
grep -v '^#' "$1" | awk -F, '
  $1 == "log_file" { for (i = 1; i <= NF; ++i) column[$i] = i; next }
  function get(name) { return $(column[name]) }
  function point(series, x) {
    printf "%s,%g,throughput,M/s,%g,%.2f,validation,\n", series, x, get("rate_mean_mops_per_machine"),
           (get("rate_max_mops") - get("rate_min_mops")) / 2
  }
  {
    log_file = get("log_file"); vm = get("vm_per_machine"); window = get("window_per_thread")
    threads = get("threads_per_machine"); unsignaled = get("unsig_batch")
    if (log_file ~ /netapp-allsig-varsize_reads/ && window == 24) point("CIB READ payload", get("payload_bytes"))
    if (log_file ~ /apt-allsig-varsize_reads/ && window == 24) point("CX3 READ payload", get("payload_bytes"))
    if (log_file ~ /netapp-allsig-32b_reads-6_machines/ && window == 24) point("CIB READ queue_pairs", 6 * vm)
    if (log_file ~ /apt-allsig-32b_reads-11_machines/ && window == 16) point("CX3 READ queue_pairs", 11 * vm)
    if (log_file ~ /netapp-allsig-32b_reads-6_machines/ && vm == 1) point("CIB READ window", window)
    if (log_file ~ /swarm-32_byte_read/ && window == 16 && unsignaled == 16) point("CIB READ threads", threads)
    if (log_file ~ /32_byte_rc_write_allsig/ && window == 16 && unsignaled == 16) point("CIB WRITE threads", threads)
  }'
