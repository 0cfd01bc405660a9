#!/usr/bin/env python3
"""Prints the tables at the end of rdmabox.md: what the scenarios assume, halved and doubled, and what moves.

Usage, from the project's root, after ./run.sh: python3 docs/rdmabox_sensitivity.py [TABLE...]
TABLE: software, fio, voltdb, stores, learning, files, nbdx; all if none is named. Needs nothing but Python.
"""
import functools
import json
import subprocess
import sys

DOORBELL = "build/release/doorbell"
COSTS = [f"software/{cost}" for cost in (
    "block/submit", "block/finish", "block/reap", "driver/interrupt", "driver/interrupt_latency", "driver/wakeup",
    "driver/context_switch", "driver/post", "memory/copy", "memory/fault", "lock/transfer")] + ["hardware/nic/max_fetch"]
FIO = ["block/depth", "block/size"]
APPLICATION = ["records/threads", "records/compute", "records/size", "records/scale"]
DAEMON = ["software/daemon/work", "software/daemon/delay"]
NBDX = ["access/replicas", "access/server_copies"]
STORES = ["mongodb", "redis"]
LEARNING = ["lr", "gb", "kmeans", "textrank"]
TRAINING = [f"paging/{name}" for name in ("compute", "threads", "touches", "dirty", "pages", "skew")]
PAGE = [f"software/{cost}" for cost in ("block/submit", "block/finish", "memory/fault")]  # that every page costs
SYSTEMS = ["rdmabox", "octopus", "glusterfs", "accelio"]
FILES = [f"software/{cost}" for cost in (
    "user_files/call", "user_files/request", "user_files/copy", "memory/copy", "memory/register_region",
    "memory/register_page", "driver/post", "driver/poll", "driver/interrupt", "driver/interrupt_latency",
    "driver/context_switch", "scheduler/tick")] + ["access/queue_pairs", "access/server_copies"]
FILE_TIMES = {"octopus": {"/remote_memory/duration": "4 s"}}  # half of what the figure takes: there are many rows
INDEX = ["32 B", "64 B"]  # per record, where the scenario has none


class Times(float):
    """A setting: the scenario's own value times this, unless that is stated."""


def scaled(value, factor):
    """"2.4 us", "16" or "1.015" times `factor`; counts stay whole, and none becomes 0."""
    number, *unit = value.split()
    product = float(number) * factor
    return " ".join([f"{product:g}" if unit or "." in number else str(max(1, round(product)) if product else 0)] + unit)


@functools.cache
def parameters_of(scenario):
    command = [DOORBELL, "explain", f"scenarios/rdmabox/{scenario}.json", "--format", "json"]
    parameters = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    return {parameter["parameter"]: parameter for parameter in parameters}


def value_of(scenario, path):
    return parameters_of(scenario)[path]["value"]


def is_stated(scenario, path):
    return parameters_of(scenario)[path]["provenance"] == "stated"


def points(scenario, settings):
    """The points of a scenario, in the order of its sweep."""
    command = [DOORBELL, "run", f"scenarios/rdmabox/{scenario}.json", "--format", "json"]
    for path, value in settings.items():
        if isinstance(value, Times):
            if is_stated(scenario, path):
                continue
            value = scaled(value_of(scenario, path), value)
        command += ["--set", f"{path}={value}"]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)["points"]


def rates(scenario, settings, swept):
    """Throughput by the swept value."""
    return {int(point["coordinates"][swept]): point["throughput_mops"] for point in points(scenario, settings)}


def peak(scenario, settings):
    """Highest throughput, and the first number of threads whose interval reaches it, as the claims of the figures."""
    curve = points(scenario, settings)
    highest = max(point["throughput_mops"] for point in curve)
    first = next(point for point in curve if point["throughput_mops"] + point["throughput_ci95_mops"] >= highest)
    return highest, int(first["coordinates"]["/remote_memory/block/threads"])


def fio_columns(settings):
    """What Figs. 1 and 8 say: both peaks, the gain of four queue pairs, and that of the window."""
    one, one_at = peak("fig01", settings)
    four, four_at = peak("fig08", settings)
    window, _ = peak("fig08_window", settings)
    return [one_at, four_at, four / one, window / four]


def polling_columns(settings):
    """What Fig. 9 says: busy polling with 16 peers against its best, and events against it with 8."""
    busy, event = (rates("fig09", {**settings, "/remote_memory/access/completion/mode": mode},
                         "/remote_memory/access/peers") for mode in ("busy", "event"))
    return [busy[16] / max(busy.values()), event[8] / busy[8]]


def voltdb(settings, batching, registration):
    """VoltDB with ETC, one way to batch: queries per second and READs per query."""
    way = {"/remote_memory/access/batching": batching, "/remote_memory/access/registration": registration}
    point = points("voltdb_etc", {**settings, **way})[0]
    reads = next(counter["per_second"] for counter in point["counters"] if counter["name"] == "host/RDMA reads")
    return point["throughput_mops"], reads / point["throughput_mops"] / 1e6


def software_columns(settings):
    """The seven figures of a software cost."""
    copied, _ = voltdb(settings, "single", "copy")
    mapped, _ = voltdb(settings, "single", "map")
    return fio_columns(settings) + [mapped / copied] + polling_columns(settings)


def application_columns(settings):
    """Figs. 6, 12 and 9 and Table 1: hybrid over single I/O, READs of batching, RDMAbox over nbdX, and polling."""
    single, reads = voltdb(settings, "single", "copy")
    hybrid, _ = voltdb(settings, "hybrid", "map")
    _, batched = voltdb(settings, "merge", "copy")
    quarter = {**settings, "/remote_memory/records/resident": 0.25}
    here, there = (points(name, quarter)[0]["throughput_mops"] for name in ("voltdb_rdmabox", "voltdb_nbdx_128k"))
    return [hybrid / single, batched / reads, here / there] + polling_columns(settings)


def split(settings):
    """Those of both systems, and with them those of nbdX alone."""
    of_nbdx = [f"/remote_memory/{path}" for path in DAEMON + NBDX]
    return {path: value for path, value in settings.items() if path not in of_nbdx}, settings


def both(load, settings):
    """Points on RDMAbox and on nbdX, for each share that stays in memory: a quarter and a half."""
    ours, theirs = split(settings)
    return list(zip(points(f"{load}_rdmabox", ours), points(f"{load}_nbdx_128k", theirs)))


def gain(pairs):
    return max(here["throughput_mops"] / there["throughput_mops"] for here, there in pairs)


def store_columns(settings):
    """The two other stores of Fig. 12, and the tail of the one that suffers most."""
    mongodb, redis = (both(store, settings) for store in STORES)
    here, there = (point["latency_ns"]["p99"] for point in redis[0])
    return [gain(mongodb), gain(redis), there / here]


def learning_columns(settings):
    """Fig. 13: completion time on nbdX over that on RDMAbox, as the claims take it."""
    return [gain(both(load, settings)) for load in LEARNING]


def bandwidths(system, settings):
    """Writing and reading, by record."""
    return [[point["bandwidth_bytes_per_second"]
             for point in points(f"fig14_{system}", {**settings, **FILE_TIMES.get(system, {}),
                                                     "/remote_memory/files/read_share": share})]
            for share in (0, 1)]


def file_columns(settings):
    """Fig. 14: least and greatest gain over each of the others, and Octopus over GlusterFS at both ends."""
    of = {system: bandwidths(system, settings) for system in SYSTEMS}

    def ratios(here, there, records=slice(None)):
        return [a / b for mine, its in zip(of[here], of[there]) for a, b in zip(mine[records], its[records])]

    columns = []
    for other in SYSTEMS[1:]:
        gains = ratios("rdmabox", other)
        columns += [min(gains), max(gains)]
    return columns + [min(ratios("octopus", "glusterfs", ends)) for ends in (slice(1), slice(-1, None))]


def daemon_columns(settings):
    """Figs. 12 and 13: RDMAbox over nbdX, whose daemons these settings are of."""
    gains = []
    for name, load in ("voltdb", "records"), ("textrank", "paging"), ("lr", "paging"):
        quarter = {f"/remote_memory/{load}/resident": 0.25}
        here, there = (points(f"{name}_{system}", {**quarter, **other})[0]["throughput_mops"]
                       for system, other in (("rdmabox", {}), ("nbdx_128k", settings)))
        gains.append(here / there)
    return gains


def print_row(names, figures):
    cells = [f"{cell:.2f}" if isinstance(cell, float) else str(cell) for cell in figures]
    print("| " + " | ".join(names + cells) + " |", flush=True)


def name_of(path):
    return path.removeprefix("software/").removeprefix("hardware/")


def print_table(scenarios, paths, figures, settings=()):
    """Rows of `figures` with each parameter halved and doubled, and then with each of `settings`; values as in
    `scenarios` that do not state them."""
    print_row(["(as shipped)", "", ""], figures({}))
    for path in paths:
        pointer = f"/remote_memory/{path}"
        varied = (scenario for scenario in scenarios if not is_stated(scenario, pointer))
        values = dict.fromkeys(value_of(scenario, pointer) for scenario in varied)
        values.pop("0", None)  # those that have none of it
        for factor in (0.5, 2):
            if all(scaled(value, factor) == value for value in values):
                continue  # one of something has no half
            row = figures({pointer: Times(factor)})
            print_row([f"`{name_of(path)}`", ", ".join(values), f"{factor:g}"], row)
    for path, value in settings:
        print_row([f"`{name_of(path)}`", value, ""], figures({f"/remote_memory/{path}": value}))
    print()


TABLES = {
    "software": lambda: print_table(["fig01"], COSTS, software_columns),
    "fio": lambda: print_table(["fig01"], FIO, fio_columns),
    "voltdb": lambda: print_table(["voltdb_etc"], APPLICATION, application_columns,
                                  [("records/index_entry", entry) for entry in INDEX]),
    "stores": lambda: print_table([f"{store}_nbdx_128k" for store in STORES],
                                  APPLICATION + ["records/index_entry"] + PAGE + DAEMON + NBDX, store_columns),
    "learning": lambda: print_table([f"{load}_nbdx_128k" for load in LEARNING], TRAINING + PAGE + NBDX,
                                    learning_columns,
                                    [("paging/order", "random")]),
    "files": lambda: print_table([f"fig14_{system}" for system in SYSTEMS], FILES, file_columns,
                                 [("software/daemon/work", "12 us"), ("software/daemon/delay", "100 us")]),
    "nbdx": lambda: print_table(["nbdx_fio"], DAEMON, daemon_columns),
}


def main():
    unknown = set(sys.argv[1:]) - set(TABLES)
    if unknown:
        sys.exit(f"tables are {', '.join(TABLES)}, not {', '.join(sorted(unknown))}")
    for name in sys.argv[1:] or TABLES:
        TABLES[name]()


if __name__ == "__main__":
    main()
