#!/usr/bin/env python3
"""Prints the numbers of the tables of today.md that come from runs, row by row.

Usage, from the project's root, after ./run.sh: python3 docs/today_tables.py   (needs nothing but Python)
"""
import json
import subprocess

DOORBELL = "build/release/doorbell"


def points(scenario, *settings):
    """The points of a scenario of today."""
    command = [DOORBELL, "run", f"scenarios/today/{scenario}.json", "--format", "json"]
    for setting in settings:
        command += ["--set", setting]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)["points"]


def one(scenario, *settings):
    return points(scenario, "sweep=[]", *settings)[0]


def rate(point, decimals):
    return f"{point['throughput_mops']:.{decimals}f} M/s"


def time(nanoseconds):
    for unit, size in (("ms", 1e6), ("us", 1e3), ("ns", 1)):
        if nanoseconds >= 0.9995 * size:
            return f"{nanoseconds / size:.3g} {unit}"
    return "0 ns"


def latency(point, *names):
    return [time(point["latency_ns"][name]) for name in names]


def table(title, heads, rows):
    print(f"\n{title}\n\n| {' | '.join(heads)} |\n|{'---|' * len(heads)}")
    for row in rows:
        print(f"| {' | '.join(row)} |", flush=True)


def streams():
    loads = [("8 drives, 64 requests", 8, 8), ("8 drives, 16 requests", 8, 2), ("2 drives, 16 requests", 2, 8),
             ("1 drive, 8 requests", 1, 8)]
    for name, drives, outstanding in loads:
        settings = [f"transfers.streams.blocks.count={drives}", f"transfers.streams.blocks.outstanding={outstanding}"]
        ways = [one(f"nvme_{way}", "transfers.streams.application.count=32", *settings)
                for way in ("memory", "cache", "peer_to_peer")]
        yield [name] + [f"{point['bandwidth_bytes_per_second'] / 2**20:.0f}" for point in ways]


def target():
    small = ["programs.server.loop.2.access.size=512 B", "programs.server.loop.3.post.payload=512 B"]
    mixed = ["programs.client.loop.0.post.mix.0.share=0.3", "measure.warmup=100 ms"]
    full = "programs.server.loop.2.access.write_amplification=4.3"
    window = "programs.client.loop.0.post.window="
    rows = [("As it is: reads, 64 in flight for each of 32 clients", []),
            ("16 in flight", [window + "16"]),
            ("4 in flight", [window + "4"]),
            ("Answers posted one by one instead of in batches of 16", ["programs.server.loop.3.post.batch=1"]),
            ("The NIC on PCIe 3.0 x16", ["machines.target.hardware.pcie.lane_bandwidth=984.6 MB/s"]),
            ("Blocks of 512 B", small),
            ("Blocks of 512 B, eight cores, sixteen drives",
             small + ["programs.server.threads=8", "machines.target.drives.count=16"]),
            ("30 % writes, in order or to empty drives", mixed),
            ("30 % writes, drives full (`write_amplification` 4.3)", mixed + [full]),
            ("The same, 8 in flight", mixed + [full, window + "8"]),
            ("Reads only, 8 in flight", [window + "8"]),
            ("Writes only, drives full",
             ["programs.client.loop.0.post.mix.0.share=1", "measure.warmup=100 ms", full])]
    for name, settings in rows:
        point = one("nvme_target", "programs.server.threads=4", *settings)
        yield [name, rate(point, 2), *latency(point, "p50", "p99"), point["bottleneck"]["resource"]]


def log():
    copies = ["machines.follower.count=4", "programs.leader.loop.2.post.relay.copies=4"]
    at_least = "programs.leader.loop.2.post.relay.at_least="
    rows = [("As it is: two copies, both awaited", []),
            ("One of the two is enough (a majority with the leader)", [at_least + "1"]),
            ("Four copies, all awaited", copies),
            ("Four copies, two are enough", copies + [at_least + "2"]),
            ("Posted one by one instead of in lists of 16", ["programs.leader.loop.2.post.batch=1"]),
            ("All WQEs signaled instead of the last of each list", ["programs.leader.loop.2.post.signal_every=1"]),
            ("Entries of 4 KiB", ["programs.client.loop.0.post.payload=4 KiB", "programs.leader.loop.2.post.payload=4 KiB"])]
    for name, settings in rows:
        row = [name]
        for scenario in ("replicated_log", "replicated_log_rpc"):
            point = one(scenario, *settings)
            row += [rate(point, 1), *latency(point, "p50")]
        yield row


def grid(scenario, cells):
    """A row for each value of the sweep's first axis, with `cells` of every point of it."""
    rows = {}
    for point in points(scenario):
        first, _ = point["coordinates"].values()
        rows.setdefault(first, [first]).extend(cells(point))
    return rows.values()


def sleeper(point):
    cores = next(level["value"] for level in point["levels"] if level["name"] == "server/cores taken by server")
    return [", ".join(latency(point, "p50", "p99")), f"{cores:.2g}"]


def refused(point):
    interval = point["throughput_ci95_mops"]
    return [f"{point['throughput_mops']:.2f} +/- {interval:.2g} M/s, {latency(point, 'p99')[0]}"]


table("Disks to the network", ["MiB/s", "memory", "cache", "device to device"], streams())
table("NVMe target", ["Question", "Rate", "p50", "p99", "Bottleneck"], target())
table("Replicated log", ["Question", "WRITE", "p50", "RPC", "p50"], log())
table("Poll or sleep", ["Requests of each client", "busy", "cores", "adaptive", "cores", "event", "cores"],
      grid("rpc_server", sleeper))
table("Shared queues, p99", ["Requests of each client", "in the order of the sweep"],
      grid("rpc_queues", lambda point: latency(point, "p99")))
table("Receive queues", ["RECVs", "in the order of the sweep"], grid("few_recvs", refused))
