"""HOLD model on SimPy; same arguments and output as the C++ programs, with the same clock (user CPU time)."""
import math
import random
import resource
import sys

import simpy


def increments(kind):
    """2^16 increments of mean 1e6 ticks, drawn in advance."""
    draw = random.Random(1)
    if kind == "constant":
        return [1_000_000] * 65536
    scale = (lambda: 10.0 ** (draw.randrange(7) - 3)) if kind == "mixed" else (lambda: 1.0)
    return [round(-1e6 * math.log(1.0 - draw.random()) * scale()) for _ in range(65536)]


def main():
    _variant, kind, pending, events = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    table = increments(kind)
    environment = simpy.Environment()
    timeout = environment.timeout

    def holder(first):
        yield timeout(first)
        position = random.randrange(65536)
        while True:
            position = (position + 1) & 65535
            yield timeout(table[position])

    for _ in range(pending):
        environment.process(holder(random.randrange(1_000_000)))

    step = environment.step
    for _ in range(events // 10 + 3 * pending):
        step()
    begin = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    for _ in range(events):
        step()
    seconds = resource.getrusage(resource.RUSAGE_SELF).ru_utime - begin
    print(f"{events / seconds * 1e-6:.3f}")


main()
