"""The pipeline of tandem_doorbell.cpp as SimPy users write it: processes and resources."""
import math
import random
import resource
import sys

import simpy

STATIONS = 8


def main():
    kind, pending, events = sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    draw = random.Random(1)
    table = [1_000_000 if kind == "constant" else round(-1e6 * math.log(1.0 - draw.random())) for _ in range(65536)]
    environment = simpy.Environment()
    stations = [simpy.Resource(environment) for _ in range(STATIONS)]
    done = [0]

    def packet():
        position = random.randrange(65536)
        while True:
            for station in stations:
                with station.request() as turn:
                    yield turn
                    position = (position + 1) & 65535
                    yield environment.timeout(table[position])
            done[0] += 1

    for _ in range(pending):
        environment.process(packet())

    def run(operations):
        end = done[0] + operations
        while done[0] < end:
            environment.step()

    run(events // 10)
    begin = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    run(events)
    print(f"{events / (resource.getrusage(resource.RUSAGE_SELF).ru_utime - begin) * 1e-6:.3f}")


main()
