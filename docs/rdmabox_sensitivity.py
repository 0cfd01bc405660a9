#!/usr/bin/env python3
"""Prints the table at the end of rdmabox.md: every software cost halved and doubled, and what moves.

Usage, from the project's root, after ./run.sh: python3 docs/rdmabox_sensitivity.py   (needs nothing but Python)
"""
import json
import subprocess

DOORBELL = "build/release/doorbell"
SOFTWARE = "/remote_memory/software"
COSTS = ["block/submit", "block/finish", "block/reap", "driver/interrupt", "driver/interrupt_latency", "driver/wakeup",
         "driver/context_switch", "driver/post", "memory/copy", "memory/fault", "lock/transfer"]


def points(scenario, settings):
    """The points of a scenario, in the order of its sweep."""
    command = [DOORBELL, "run", f"scenarios/rdmabox/{scenario}.json", "--format", "json"]
    for path, value in settings.items():
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


def columns(settings):
    """The seven figures of a row."""
    one, one_at = peak("fig01", settings)
    four, four_at = peak("fig08", settings)
    window, _ = peak("fig08_window", settings)
    copied, mapped = (points("voltdb_etc", {**settings, "/remote_memory/access/registration": mode})[0]["throughput_mops"]
                      for mode in ("copy", "map"))
    busy, event = (rates("fig09", {**settings, "/remote_memory/access/completion/mode": mode},
                         "/remote_memory/access/peers") for mode in ("busy", "event"))
    return [one_at, four_at, four / one, window / four, mapped / copied, busy[16] / max(busy.values()), event[8] / busy[8]]


def print_row(name, quantity, factor, settings):
    cells = [f"{cell:.2f}" if isinstance(cell, float) else str(cell) for cell in columns(settings)]
    print("| " + " | ".join([name, quantity, factor] + cells) + " |", flush=True)


def main():
    with open("scenarios/hardware/linux_3_13.json", encoding="utf-8") as file:
        software = json.load(file)
    print_row("(as shipped)", "", "", {})
    for path in COSTS:
        group, name = path.split("/")
        entry = software[group][name]
        quantity = entry["value"] if isinstance(entry, dict) else entry
        number, unit = quantity.split()
        for factor in (0.5, 2):
            print_row(f"`{path}`", quantity, f"{factor:g}", {f"{SOFTWARE}/{path}": f"{float(number) * factor:g} {unit}"})
    for factor in (0.5, 2):
        print_row("NIC `max_fetch`", "2", f"{factor:g}", {"/remote_memory/hardware/nic/max_fetch": int(2 * factor)})


if __name__ == "__main__":
    main()
