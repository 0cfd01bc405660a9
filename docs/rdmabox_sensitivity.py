#!/usr/bin/env python3
"""Prints the tables at the end of rdmabox.md: what the scenarios assume, halved and doubled, and what moves.

Usage, from the project's root, after ./run.sh: python3 docs/rdmabox_sensitivity.py   (needs nothing but Python)
"""
import json
import subprocess

DOORBELL = "build/release/doorbell"
COSTS = [f"software/{cost}" for cost in (
    "block/submit", "block/finish", "block/reap", "driver/interrupt", "driver/interrupt_latency", "driver/wakeup",
    "driver/context_switch", "driver/post", "memory/copy", "memory/fault", "lock/transfer")] + ["hardware/nic/max_fetch"]
FIO = ["block/depth", "block/size"]
APPLICATION = ["records/threads", "records/compute", "records/size", "records/scale"]
DAEMON = ["software/daemon/work", "software/daemon/delay"]
INDEX = ["32 B", "64 B"]  # per record, where the scenario has none


class Times(float):
    """A setting: the scenario's own value times this."""


def scaled(value, factor):
    """"2.4 us", "16" or "1.015" times `factor`; counts stay whole."""
    number, *unit = value.split()
    product = float(number) * factor
    return " ".join([f"{product:g}" if unit or "." in number else str(max(1, round(product)))] + unit)


def value_of(scenario, path):
    command = [DOORBELL, "explain", f"scenarios/rdmabox/{scenario}.json", "--format", "json"]
    parameters = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    return next(parameter["value"] for parameter in parameters if parameter["parameter"] == path)


def points(scenario, settings):
    """The points of a scenario, in the order of its sweep."""
    command = [DOORBELL, "run", f"scenarios/rdmabox/{scenario}.json", "--format", "json"]
    for path, value in settings.items():
        command += ["--set", f"{path}={scaled(value_of(scenario, path), value) if isinstance(value, Times) else value}"]
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


def print_table(scenario, paths, figures):
    """Rows of `figures` with each parameter halved and doubled; values as in `scenario`."""
    print_row(["(as shipped)", "", ""], figures({}))
    for path in paths:
        pointer = f"/remote_memory/{path}"
        for factor in (0.5, 2):
            name = path.removeprefix("software/").removeprefix("hardware/")
            print_row([f"`{name}`", value_of(scenario, pointer), f"{factor:g}"], figures({pointer: Times(factor)}))
    print()


def main():
    print_table("fig01", COSTS, software_columns)
    print_table("fig01", FIO, fio_columns)
    print_table("voltdb_etc", APPLICATION, application_columns)
    for entry in INDEX:
        print_row(["`records/index_entry`", entry, ""], application_columns({"/remote_memory/records/index_entry": entry}))
    print()
    print_table("nbdx_fio", DAEMON, daemon_columns)


if __name__ == "__main__":
    main()
