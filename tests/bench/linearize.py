#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# What `bitspin linearize` costs, and how small a plan shows an error: two tables of the runs in the heads of tests/linearize/*.c.
#
# The first one has the states of the same calls without the monitor (`bitspin check --call`), and with it: at most 3 times as many.
# The second one has each wrong variant (BROKEN=N), with the smallest plan that shows it: at most 2 threads, 3 operations, and 2 s of
# processor time.  Those in MORE need more, and the heads of their files say why.
#
#     usage: tests/bench/linearize.py BITSPIN [FILTER]
import glob
import os
import re
import resource
import shlex
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__)) + "/../linearize"
TIMES, THREADS, OPERATIONS, SECONDS = 3, 2, 3, 2
MORE = {("elimination", "1"), ("buffer", "3")}
OTHER = {"conditions", "weak_memory", "progress", "own_main", "endless"}  # no structures of their own
failed = []


def runs(path):
    """The pairs of a file: words of options, and what is expected."""
    head = open(path).read().split("*/")[0]
    return [(shlex.split(a), b) for a, b in re.findall(r" \* RUN: (.*)\n \* EXPECT: (.*)", head)]


def values(words, option):
    return [words[i + 1] for i in range(len(words)) if words[i] == option]


def calls(thread):
    return [c.strip() for c in thread.split(";") if c.strip()]


def run(words):
    """The last line of a command, and the seconds that it took of a processor."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(words, capture_output=True, text=True)
    lines = done.stdout.strip().split("\n")
    return lines, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def states(lines):
    found = re.search(r"([\d.]+) states", "\n".join(lines))
    return int(found[1]) if found else 0


def without(words):
    """The same calls for `bitspin check`, without the monitor."""
    others, i = [], 0
    while i < len(words):
        if words[i] == "--thread":
            body = "; ".join(re.sub(r"out\((\w+)\)", r"&(\1){ 0 }", c) for c in calls(words[i + 1]))
            others += ["--call", "({ " + body + "; })"]
            i += 1
        else:
            others.append(words[i])
        i += 1
    return others


def costs(bitspin, path, name):
    for words, expected in runs(path):
        threads = values(words, "--thread")
        if expected != "linearizable" or not threads or any("BROKEN" in w for w in words):
            continue
        one, _ = run([bitspin, "check", "--no-deadlock", *without(words), path])
        two, seconds = run([bitspin, "linearize", *words, path])
        if not two[-1].startswith("linearizable") or not states(one):
            failed.append(f"{name}: {one[-1]}; {two[-1]}")
            continue
        check, linear = states(one), int(re.search(r"operations?, (\d+) states?", two[-1])[1])
        times = linear / check
        print(f"| {name} | `{' / '.join(threads)}` | {check} | {linear} | {times:.1f} | {seconds:.2f} s |", flush=True)
        if times > TIMES:
            failed.append(f"{name}: {times:.1f} times the states")


def wrong(bitspin, path, name):
    best = {}
    variants = set(re.findall(r"BROKEN [!=]= (\d+)", open(path).read()))
    for words, expected in runs(path):
        variant = next((w.split("=")[1] for w in words if w.startswith("-DBROKEN=")), None)
        if variant and expected.startswith("violated"):
            threads = values(words, "--thread")
            size = (len(threads), sum(len(calls(t)) for t in threads))
            if size[0] and (variant not in best or size < best[variant][0]):
                best[variant] = (size, words)
    for variant in sorted(variants):
        if variant not in best:
            failed.append(f"{name}: no run shows BROKEN={variant}")
            continue
        (threads, operations), words = best[variant]
        lines, seconds = run([bitspin, "linearize", "-q", *words, path])
        kind = re.sub(r"^violated: (\S+) at .*", r"\1", lines[-1])
        plan = " / ".join(values(words, "--thread"))
        print(f"| {name} {variant} | `{plan}` | {threads} | {operations} | {seconds:.2f} s | {kind} |", flush=True)
        small = threads <= THREADS and operations <= OPERATIONS or (name, variant) in MORE
        if not lines[-1].startswith("violated") or not small or seconds > SECONDS:
            failed.append(f"{name}: BROKEN={variant}: {threads} threads, {operations} operations, {seconds:.2f} s, {lines[-1]}")


def main():
    if len(sys.argv) < 2:
        sys.exit("usage: tests/bench/linearize.py BITSPIN [FILTER]")
    bitspin, pattern = os.path.abspath(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "."
    names = [os.path.basename(p)[:-2] for p in sorted(glob.glob(HERE + "/*.c"))]
    names = [n for n in names if n not in OTHER and re.search(pattern, n)]
    print("| file | threads | check | linearize | times | processor |\n|---|---|---|---|---|---|")
    for name in names:
        costs(bitspin, f"{HERE}/{name}.c", name)
    print("\n| wrong | threads | threads | operations | processor | kind |\n|---|---|---|---|---|---|")
    for name in names:
        wrong(bitspin, f"{HERE}/{name}.c", name)
    print("\n".join("FAIL " + f for f in failed) if failed else "all within the limits")
    sys.exit(bool(failed))


main()
