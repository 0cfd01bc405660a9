#!/usr/bin/env python3
"""Prints the tables of a page that come from runs; a test (readme.tables) looks for each row in the page.

Usage, from the project's root, after ./run.sh: python3 docs/tables.py today|dma [DOORBELL]   (needs nothing but Python)
"""
import json
import subprocess
import sys

DOORBELL = sys.argv[2] if len(sys.argv) > 2 else "build/release/doorbell"
LIMITS = {"target/ports transmit": "the port", "target/cores of server": "cores", "target/drives: flash": "flash",
          "target/PCIe downstream": "PCI Express", "initiator/window of client": "none: the window",
          "DMA engine, reads": "the DMA engine", "IOMMU page walks": "page walks"}


def limit(point):
    resource = point["bottleneck"]["resource"]
    return LIMITS.get(resource, resource)


def points(scenario, *settings):
    command = [DOORBELL, "run", f"scenarios/{scenario}.json", "--format", "json"]
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


def table(heads, rows):
    print(f"\n| {' | '.join(heads)} |\n|{'---|' * len(heads)}")
    for row in rows:
        print(f"| {' | '.join(row)} |", flush=True)


def streams():
    loads = [("8 drives, 64 requests", 8, 8), ("8 drives, 16 requests", 8, 2), ("2 drives, 16 requests", 2, 8),
             ("1 drive, 8 requests", 1, 8)]
    for name, drives, outstanding in loads:
        settings = [f"transfers.streams.blocks.count={drives}", f"transfers.streams.blocks.outstanding={outstanding}"]
        ways = [one(f"today/nvme_{way}", "transfers.streams.application.count=32", *settings)
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
        point = one("today/nvme_target", "programs.server.threads=4", *settings)
        yield [name, rate(point, 2), *latency(point, "p50", "p99"), limit(point)]


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
        for scenario in ("today/replicated_log", "today/replicated_log_rpc"):
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


def level(point, name):
    return next(level["value"] for level in point["levels"] if level["name"] == name)


def sleeper(point):
    return [", ".join(latency(point, "p50", "p99")), f"{level(point, 'server/cores taken by server'):.2g}"]


def refused(point):
    return [", ".join([rate(point, 2), *latency(point, "p99")])]


def dma():
    """What a device gets of a window in memory that no cache holds."""
    walks, huge = "dma.iommu_page=4 KiB", "dma.iommu_page=2 MiB"
    tags, fast = "dma.hardware.pcie.read_tags=256", "dma.hardware.pcie.lane_bandwidth=1.969 GB/s"
    rows = [("As measured", []), ("IOMMU, pages of 4 KiB", [walks]), ("IOMMU, pages of 2 MiB", [huge]),
            ("IOMMU, 4 KiB, an IO-TLB of 1024 entries", [walks, "dma.hardware.iommu.entries=1024"]),
            ("Memory of the other socket", ["dma.remote=true"]), ("256 tags instead of 32", [tags]),
            ("PCIe 4.0", [fast]), ("PCIe 4.0 and 256 tags", [fast, tags]),
            ("PCIe 4.0, 256 tags, IOMMU with 4 KiB", [fast, tags, walks])]
    for name, settings in rows:
        small, write, large = (
            one("pciebench/bandwidth", "dma.window=64 MiB", "dma.cached=cold", f"dma.size={size} B", f"dma.work={work}", *settings)
            for size, work in ((64, "read"), (64, "write"), (256, "read")))
        yield [name, rate(small, 1), rate(write, 1), rate(large, 1), limit(small)]


def shared_memory():
    """What six cores and disks leave one another of memory."""
    ddio = "dma.hardware.memory.cache.device_share=2 MiB"
    channels = "dma.hardware.memory.channels.channels="
    rows = [("As measured: two channels, DDIO off", []),
            ("Twice the credits for the device's writes", ["dma.hardware.pcie.posted_header_credits=46"]),
            ("DDIO with 2 MiB, buffers of 256 MiB in all", [ddio]),
            ("DDIO with 2 MiB, buffers of 1 MiB that are used again and again", [ddio, "dma.window=1 MiB"]),
            ("Four channels", [channels + "4"]), ("Six channels", [channels + "6"]),
            ("The cores only read", ["dma.cores.work=read"]),
            ("The device reads instead (`dma.streams=1`)", ["dma.work=read", "dma.streams=1"])]
    for name, settings in rows:
        point = one("hostnet/disks", "dma.cores.count=6", "dma.cores.work=change", *settings)
        yield [name, f"{point['bandwidth_bytes_per_second'] / 1e9:.1f} GB/s", f"{level(point, 'cores (GBps)'):.1f} GB/s",
               f"{level(point, 'line of a core (ns)'):.0f} ns"]


def today_page():
    table(["MiB/s", "memory", "cache", "device to device"], streams())
    table(["Question", "Rate", "p50", "p99", "Bottleneck"], target())
    table(["Question", "WRITE", "p50", "RPC", "p50"], log())
    table(["Requests of each client", "busy: p50, p99", "cores", "adaptive: p50, p99", "cores", "event: p50, p99", "cores"],
          grid("today/rpc_server", sleeper))
    table(["Requests of each client", "8 queues", "4", "2", "1"],
          grid("today/rpc_queues", lambda point: latency(point, "p99")))
    table(["RECVs of each queue pair", "wait 10 us: rate, p99", "wait 640 us: rate, p99"], grid("today/few_recvs", refused))


def dma_page():
    table(["Question", "Reads of 64 B", "Writes of 64 B", "Reads of 256 B", "What limits small reads"], dma())
    table(["Question", "Device", "Cores", "A core's line"], shared_memory())


{"today": today_page, "dma": dma_page}[sys.argv[1]]()
