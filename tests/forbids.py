#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a story says would forbid that a thread reads an older value is tried: the programs of tests/memory/forbids/ have relaxed orders
only, and each line has one atomic access.  While a program is violated under --memory c11, the orders that the story names are made
that strong.  It must be verified in the end, with these orders, of which none can be left out.

usage: tests/forbids.py BITSPIN [FILTER]
"""

import glob
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# The orders that are left at the end, "line: order" for each that is not relaxed; "/": of a compare-exchange that fails.
WANTED = {
    "passing": "16: release, 22: acquire",
    "buffering": "15: seq_cst, 16: seq_cst, 22: seq_cst, 23: seq_cst",
    "peterson": "16: seq_cst, 17: seq_cst, 19: seq_cst, 25: release",
    "treiber": "24: release, 36: acquire, 41: relaxed/acquire",
    "ring": "23: release, 33: acquire",
}


def check(bitspin, directory, name, text):
    path = os.path.join(directory, name + ".c")
    with open(path, "w") as file:
        file.write(text)
    done = subprocess.run([bitspin, "check", "--memory", "c11", "--json", "-", path], capture_output=True, text=True)
    return json.loads(done.stdout)


def orders_of(text):
    """line -> the orders on it"""
    found = {i + 1: re.findall(r"memory_order_(\w+)", line) for i, line in enumerate(text.split("\n"))}
    return {line: orders for line, orders in found.items() if orders}


def put(text, line, which, order):
    lines, number = text.split("\n"), [-1]

    def replace(match):
        number[0] += 1
        return "memory_order_" + order if number[0] == which else match.group(0)
    lines[line - 1] = re.sub(r"memory_order_\w+", replace, lines[line - 1])
    return "\n".join(lines)


def strengthened(text, line, which, order):
    old = orders_of(text)[line][which]
    if old in (order, "seq_cst", "acq_rel") and order != "seq_cst":
        return text
    return put(text, line, which, order if old == "relaxed" or order == "seq_cst" else "acq_rel")


def demands(name, report):
    """(line, which order on it, order) for all that the story names"""
    for event in report["violations"][0]["trace"]:
        said = re.search(r"\(([^()]*) would forbid that\)", event["detail"]) if event.get("stale") else None
        order = None
        for part in re.split(r", | and ", said.group(1)) if said else []:
            words = re.fullmatch(r"(?:(\w+)( on failure)? at )?%s\.c:(\d+)" % name, part)
            if not words:
                raise ValueError(part)
            if words.group(1):
                order, which = words.group(1), 1 if words.group(2) else 0
            yield int(words.group(3)), which, order


def repair(bitspin, directory, name):
    """Return what is wrong, or None."""
    with open(os.path.join(ROOT, "tests", "memory", "forbids", name + ".c")) as file:
        text = file.read()
    report = check(bitspin, directory, name, text)
    if report["verdict"] != "violated":
        return "it is not violated at first"
    while report["verdict"] == "violated":
        before = text
        for demand in demands(name, report):
            text = strengthened(text, *demand)
        if text == before:
            return "the story names no order that is not there: " + "; ".join(
                event["detail"] for event in report["violations"][0]["trace"] if event.get("stale"))
        report = check(bitspin, directory, name, text)
    if report["verdict"] != "verified":
        return report["verdict"]
    kept = {line: "/".join(orders[:2] if orders[-1] != "relaxed" else orders[:1]) for line, orders in orders_of(text).items()
            if set(orders) != {"relaxed"}}
    told = ", ".join(f"{line}: {orders}" for line, orders in kept.items())
    if told != WANTED[name]:
        return f"orders {told}"
    for line in kept:
        weaker = put(put(text, line, 0, "relaxed"), line, 1, "relaxed")
        if check(bitspin, directory, name, weaker)["verdict"] != "violated":
            return f"the order of line {line} is not needed"
    return None


def main():
    if len(sys.argv) < 2 or not os.access(sys.argv[1], os.X_OK):
        sys.exit(__doc__)
    bitspin, wanted = os.path.abspath(sys.argv[1]), re.compile(sys.argv[2] if len(sys.argv) > 2 else "")
    os.environ.setdefault("BITSPIN_CC", ROOT + "/tests/quick-cc")
    passed = failed = 0
    with tempfile.TemporaryDirectory() as directory:
        for path in sorted(glob.glob(ROOT + "/tests/memory/forbids/*.c")):
            name = os.path.basename(path)[:-2]
            if not wanted.search(name):
                continue
            wrong = repair(bitspin, directory, name)
            passed, failed = passed + (not wrong), failed + bool(wrong)
            if wrong:
                print(f"FAIL {name}: {wrong}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0 or passed == 0)


if __name__ == "__main__":
    main()
