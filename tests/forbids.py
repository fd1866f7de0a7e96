#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a story says would forbid that a thread reads an older value is tried: the programs of tests/memory/forbids/ have relaxed orders
only, and each line has one atomic access.  While a program is violated under --memory c11, the orders that the story names are made
that strong.  It must be verified in the end, with these orders, of which none can be left out.

The same with fences, where the story names them beside orders; and under --memory tso, where it names nothing else.

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
# Lines behind which fences are put, with all orders relaxed that the story of a fence does not ask for.
WANTED_FENCES = {
    "c11": {"buffering": "15, 22", "peterson": "16, 17"},
    "tso": {"buffering": "15, 22", "peterson": "17"},
}
FENCE = " atomic_thread_fence(memory_order_seq_cst);"
CALL = r"atomic_thread_fence\(memory_order_seq_cst\)"


def check(bitspin, directory, name, text, model="c11"):
    path = os.path.join(directory, name + ".c")
    with open(path, "w") as file:
        file.write(text)
    done = subprocess.run([bitspin, "check", "--memory", model, "--json", "-", path], capture_output=True, text=True)
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
        said = re.search(r"\(([^()]*) would forbid that(; so would .*)?\)$", event["detail"]) if event.get("stale") else None
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


def fence_lines(name, report):
    """The lines after which the story wants fences."""
    for event in report["violations"][0]["trace"]:
        for said in re.findall(CALL + r"((?:,? (?:and )?after %s\.c:\d+)+)" % name, event["detail"]):
            yield from (int(line) for line in re.findall(r":(\d+)", said))


def fenced(text, line):
    lines = text.split("\n")
    lines[line - 1] += "" if FENCE in lines[line - 1] else FENCE
    return "\n".join(lines)


def repair_by_fences(bitspin, directory, name, model):
    """Return what is wrong, or None."""
    with open(os.path.join(ROOT, "tests", "memory", "forbids", name + ".c")) as file:
        text = file.read()
    report = check(bitspin, directory, name, text, model)
    if report["verdict"] != "violated":
        return "it is not violated at first"
    while report["verdict"] == "violated":
        before = text
        for line in fence_lines(name, report):
            text = fenced(text, line)
        for demand in demands(name, report) if text == before else ():
            text = strengthened(text, *demand)
        if text == before:
            return "the story names nothing that is not there"
        report = check(bitspin, directory, name, text, model)
    if report["verdict"] != "verified":
        return report["verdict"]
    lines = text.split("\n")
    kept = [i for i, line in enumerate(lines) if FENCE in line]
    told = ", ".join(str(i + 1) for i in kept)
    if told != WANTED_FENCES[model][name]:
        return f"fences after lines {told}"
    for i in kept:
        fewer = "\n".join(lines[:i] + [lines[i].replace(FENCE, "")] + lines[i + 1:])
        if check(bitspin, directory, name, fewer, model)["verdict"] != "violated":
            return f"the fence of line {i + 1} is not needed"
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
            results = {name: repair(bitspin, directory, name)}
            for model, programs in WANTED_FENCES.items():
                if name in programs:
                    results[f"{name}, fences, {model}"] = repair_by_fences(bitspin, directory, name, model)
            for what, wrong in results.items():
                passed, failed = passed + (not wrong), failed + bool(wrong)
                if wrong:
                    print(f"FAIL {what}: {wrong}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0 or passed == 0)


if __name__ == "__main__":
    main()
