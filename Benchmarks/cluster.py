#!/usr/bin/env python3
"""Simulates a million clips on a cluster that runs the job array of `clipcanvas batch --print-slurm`.

    cluster.py [--costs REPORT] [--clips N] [--seed N] [--plot FILE.svg]

The cost of each clip is drawn from those that a real run measured: REPORT is that of `clipcanvas batch --report`, or a
list of milliseconds like cluster_costs.txt, which is the default. A shard's clips are random, because a hash selects them.
A node has 16 cores and runs four tasks of four decoders. Starting a task costs 0.75 s; its decoders take clips from one
queue, as fast as the task can list the names of all clips. Nodes take the shards in order.
"""

import argparse
import heapq
import json
import pathlib
import random

FOLDER = pathlib.Path(__file__).parent
NODES = [1, 2, 4, 8, 16, 32, 64]
TASKS, DECODERS = 4, 4
# sbatch to the end of a task that does nothing, in Slurm 22.05.
TASK_SECONDS = 0.75
# `batch -q -j4 -o o --shard 50/100000 c` took 0.36 s for 100 000 names on a local disk, with warm caches.
LIST_SECONDS_PER_NAME = 0.36 / 100_000
# Between the clips of a decoder: messages, checks, syncing and naming. `batch -j1` took 1.97 s for 230 files;
# 0.87 s of that are in their reported milliseconds.
CLIP_OVERHEAD = 0.0048
# The fraction of clips that take their time limit.
SLOW_CLIPS, SLOW_SECONDS = 1e-5, 30


def costs(path: pathlib.Path) -> list[float]:
    """The seconds that clips took."""
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    values = [json.loads(line) for line in lines]
    if isinstance(values[0], dict):
        values = [sum(value["milliseconds"].values()) for value in values if "milliseconds" in value]
    return [value / 1000 + CLIP_OVERHEAD for value in values]


def shard_seconds(clips: list[float], names: int) -> float:
    """The time of a task with these clips of all."""
    listing = names * LIST_SECONDS_PER_NAME
    ends = [0.0] * DECODERS
    for index, cost in enumerate(clips):
        found = listing * (index + 1) / len(clips)
        heapq.heapreplace(ends, max(ends[0], found) + cost)
    return TASK_SECONDS + max(listing, *ends)


def array_seconds(shards: list[float], nodes: int, slow: float = 1) -> float:
    """The time from the first task to the last; the last node is `slow` times as slow as the others."""
    places = [(0.0, place) for place in range(nodes * TASKS)]
    heapq.heapify(places)
    for seconds in shards:
        start, place = heapq.heappop(places)
        factor = slow if place >= (nodes - 1) * TASKS else 1
        heapq.heappush(places, (start + seconds * factor, place))
    return max(end for end, _ in places)


def simulate(values: list[float], clips: int, seed: int, late: bool) -> dict[int, list[float]]:
    """The seconds of each shard, by the number of shards."""
    generator = random.Random(seed)
    drawn = generator.choices(values, k=clips)
    if late:
        for index in generator.sample(range(clips), round(clips * SLOW_CLIPS)):
            drawn[index] = SLOW_SECONDS
    return {count: [shard_seconds(drawn[index::count], clips) for index in range(count)] for count in SHARDS}


SHARDS = [64, 256, 1000, 4000, 16000]
COLOURS = ["#b03030", "#d08020", "#308040", "#3060b0", "#8040a0"]


def plot(results: dict, best: dict[int, float], path: pathlib.Path) -> None:
    """Draws how long the array takes, against the number of nodes, both logarithmic."""
    import math

    width, height, left, top = 560, 400, 70, 20
    low, high = 5.0, 20000.0

    def x(nodes: float) -> float:
        return left + math.log2(nodes) / 6 * width

    def y(seconds: float) -> float:
        return top + height - math.log(seconds / low) / math.log(high / low) * height

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width + 230} {height + 80}" font-family="sans-serif" '
             'font-size="13">', '<rect width="100%" height="100%" fill="white"/>']
    for seconds in [10, 100, 1000, 10000]:
        parts.append(f'<path d="M{left} {y(seconds):.1f}h{width}" stroke="#ddd"/>'
                     f'<text x="{left - 8}" y="{y(seconds) + 4:.1f}" text-anchor="end">{seconds} s</text>')
    for nodes in NODES:
        parts.append(f'<text x="{x(nodes):.1f}" y="{top + height + 20}" text-anchor="middle">{nodes}</text>')
    parts.append(f'<text x="{left + width / 2}" y="{top + height + 45}" text-anchor="middle">nodes of 16 cores</text>')
    lines = [("no losses", "#888", best)] + [(f"{count} shards", colour, results[count])
                                             for count, colour in zip(SHARDS, COLOURS)]
    for number, (name, colour, values) in enumerate(lines):
        points = " ".join(f"{x(nodes):.1f},{y(values[nodes]):.1f}" for nodes in NODES)
        dashes = ' stroke-dasharray="5 4"' if number == 0 else ""
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>')
        row = top + 20 + 24 * number
        parts.append(f'<path d="M{left + width + 20} {row - 4}h24" stroke="{colour}" stroke-width="2"{dashes}/>'
                     f'<text x="{left + width + 52}" y="{row}">{name}</text>')
    path.write_text("\n".join(parts + ["</svg>"]) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--costs", type=pathlib.Path, default=FOLDER / "cluster_costs.txt")
    parser.add_argument("--clips", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plot", type=pathlib.Path)
    options = parser.parse_args()
    values = costs(options.costs)
    mean = sum(values) / len(values)
    print(f"{options.clips} clips, {mean * 1000:.1f} ms each ({len(values)} measured), seed {options.seed}\n")
    best = {nodes: options.clips * mean / (nodes * TASKS * DECODERS) for nodes in NODES}
    usual = simulate(values, options.clips, options.seed, late=False)
    times = {count: {nodes: array_seconds(usual[count], nodes) for nodes in NODES} for count in SHARDS}
    print("Seconds, and the share of the time that decoders work:\n")
    print("| shards | of | " + " | ".join(f"{nodes} node{'s' * (nodes > 1)}" for nodes in NODES) + " |")
    print("|---|---|" + "---|" * len(NODES))
    for count in SHARDS:
        cells = [f"{times[count][nodes]:.0f} ({best[nodes] / times[count][nodes]:.0%})" for nodes in NODES]
        print(f"| {count} | {sum(usual[count]) / count:.1f} s | " + " | ".join(cells) + " |")
    late = simulate(values, options.clips, options.seed, late=True)
    print("\n16 nodes, and what goes wrong:\n")
    print("| shards | nothing | a node takes twice as long | one clip in 100 000 takes 30 s |\n|---|---|---|---|")
    for count in SHARDS:
        row = [times[count][16], array_seconds(usual[count], 16, slow=2), array_seconds(late[count], 16)]
        print(f"| {count} | " + " | ".join(f"{seconds:.0f} s" for seconds in row) + " |")
    if options.plot:
        plot(times, best, options.plot)


if __name__ == "__main__":
    main()
