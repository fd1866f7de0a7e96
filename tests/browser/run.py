#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The pages of --html in headless Chromium: stepping, the loop, values, long traces, a phone's width, light and dark.

usage: tests/browser/run.py BITSPIN [DIRECTORY]      DIRECTORY: leave pages and screenshots there
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time

from chromium import Browser, Failure

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EXAMPLES = os.path.join(ROOT, "examples")

NASTY = r"""/* </script><script>hurt = 1</script> <!-- <img src=x onerror="hurt = 2"> */
#include <assert.h>
#include <stdio.h>
int main(void)
{
	puts("</script><img src=x onerror='hurt = 3'><script>hurt = 4</script>");
	assert(!"<img src=x onerror='hurt = 5'>");
}
"""
LONG = r"""#include <assert.h>
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int total, slots[40];
static void *work(void *own)
{
	for (int i = 0; i < 1000; i++) {
		pthread_mutex_lock(&mutex);
		slots[i % 40] = i;
		total++;
		pthread_mutex_unlock(&mutex);
	}
	return own;
}
int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], 0, work, 0);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], 0);
	assert(total == 0);
}
"""
FRAMES = r"""#include <assert.h>
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready, total;
static void add(int amount)
{
	int twice = 2 * amount;
	total += twice;
	pthread_mutex_unlock(&mutex);
}
static void *work(void *own)
{
	int number = 20;
	pthread_mutex_lock(&mutex);
	while (!ready)
		pthread_cond_wait(&changed, &mutex);
	add(number + 1);
	return own;
}
int main(void)
{
	pthread_t threads[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], 0, work, 0);
	pthread_mutex_lock(&mutex);
	ready = 1;
	pthread_mutex_unlock(&mutex);
	pthread_cond_signal(&changed);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], 0);
}
"""
STALE = r"""#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static int a, b, c;
static void *first(void *own)
{
	atomic_store_explicit(&x, 5, memory_order_relaxed);
	atomic_store_explicit(&x, 6, memory_order_relaxed);
	atomic_store_explicit(&x, 7, memory_order_relaxed);
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	return own;
}
static void *second(void *own)
{
	a = atomic_load_explicit(&y, memory_order_relaxed);
	b = atomic_load_explicit(&x, memory_order_relaxed);
	return own;
}
static void *third(void *own)
{
	c = atomic_load_explicit(&x, memory_order_relaxed);
	return own;
}
int main(void)
{
	pthread_t threads[3];
	pthread_create(&threads[0], 0, first, 0);
	pthread_create(&threads[1], 0, second, 0);
	pthread_create(&threads[2], 0, third, 0);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], 0);
	assert(!(a == 1 && b == 5 && c == 7));
}
"""
DELAYED = r"""#include <assert.h>
#include <pthread.h>
#include <stddef.h>
static volatile int x, y;
static int a, b, c;
static void *first(void *own)
{
	x = 1;
	a = y;
	return own;
}
static void *second(void *own)
{
	y = 1;
	__sync_synchronize();
	b = x;
	c = x;
	return own;
}
int main(void)
{
	pthread_t one, two;
	pthread_create(&one, NULL, first, NULL);
	pthread_create(&two, NULL, second, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	assert(!(a == 0 && b == 0 && c == 1));
}
"""
BEHIND = r"""#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static void *first(void *own)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	atomic_store_explicit(&y, 2, memory_order_relaxed);
	return own;
}
static void *second(void *own)
{
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	atomic_store_explicit(&x, 2, memory_order_relaxed);
	return own;
}
int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], 0, first, 0);
	pthread_create(&threads[1], 0, second, 0);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], 0);
	assert(!(x == 1 && y == 1));
}
"""
MANY = LONG.replace("1000", "1").replace("2", "60")

PAGES = {  # name: arguments of check
    "deadlock": [EXAMPLES + "/deadlock.c"],
    "update": [EXAMPLES + "/lost_update.c"],
    "race": [EXAMPLES + "/use_after_free.c"],
    "wakeup": [EXAMPLES + "/lost_wakeup.c"],
    "lasso": ["--ltl", "[] (in(take, 1) -> <> in(critical, 1))", EXAMPLES + "/test_and_set.c"],
    "freed": ["-O0", "-DCASE=1", ROOT + "/tests/faults/use_after_free.c"],
    "several": ["--all", ROOT + "/tests/faults/deadlock_all.c"],
    "many": ["many.c"],
    "omitted": ["omitted.c"],
    "verified": [EXAMPLES + "/lost_update_fixed.c"],
    "nasty": ["nasty.c"],
    "long": ["--story", "full", "long.c"],
    "frames": ["frames.c"],
    "stale": ["--memory", "c11", "stale.c"],
    "delayed": ["--memory", "tso", "delayed.c"],
    "behind": ["--memory", "c11", "behind.c"],
}
LINEARIZE = ["--thread", "push(1)", "--thread", "push(2); pop(); pop()", "-DBROKEN=1", ROOT + "/tests/linearize/treiber.c"]



class Tests:
    def __init__(self, bitspin, directory):
        self.directory, self.passed, self.failed, self.reports, self.bitspin = directory, 0, 0, {}, bitspin
        environment = dict(os.environ)
        environment.setdefault("BITSPIN_CC", ROOT + "/tests/quick-cc")
        os.makedirs(directory, exist_ok=True)
        os.chdir(directory)
        for name, text in (("nasty.c", NASTY), ("stale.c", STALE), ("delayed.c", DELAYED), ("behind.c", BEHIND), ("frames.c", FRAMES), ("long.c", LONG), ("many.c", MANY), ("omitted.c", LONG.replace("1000", "4000"))):
            with open(name, "w") as out:
                out.write(text)
        for name, arguments in [*PAGES.items(), ("linear", LINEARIZE)]:
            command = "linearize" if name == "linear" else "check"
            done = subprocess.run([bitspin, command, "-q", "--html", name + ".html", "--json", name + ".json", *arguments],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment)
            if done.returncode not in (0, 1):
                raise Failure(f"{name}: {done.stderr.decode()}")
            with open(name + ".json") as report:
                self.reports[name] = json.load(report)
        for arguments in (["--graph", "states.svg", EXAMPLES + "/deadlock.c"],
                          ["--preemptions", "iterate", "--plot", "bounds.svg", EXAMPLES + "/pool.c"]):
            subprocess.run([bitspin, "check", "-q", *arguments], stdout=subprocess.DEVNULL, env=environment)
        self.browser = Browser()

    def trace(self, name):
        return self.reports[name]["violations"][0]["trace"]

    def open(self, name, story=False, **how):
        """Show a page; unless the story is wanted, with a row for each event."""
        self.browser.open(name + ".html", **how)
        if not story and self.reports[name].get("violations"):
            self.get("tellAll(true); 0")
            if "fragment" not in how:
                self.get("choose(shown.trace.loop >= 0 ? shown.trace.loop : shown.trace.events.length - 1); 0")

    def get(self, expression):
        return self.browser.evaluate(expression)

    def equal(self, what, found, expected):
        if found != expected:
            raise Failure(f"{what}: {found!r}, expected {expected!r}")

    def index(self):
        """The event that is chosen in the timeline; the slider and the text beside it must say the same."""
        number = self.get("Number(document.querySelector('#lanes [aria-selected=true]').dataset.index)")
        self.equal("slider", self.get("Number(document.getElementById('slider').value)"), number)
        self.equal("place", self.get("parseInt(document.getElementById('place').textContent)"), number + 1)
        return number

    def quiet(self, name):
        self.equal("console of " + name, self.browser.complaints, [])
        self.equal("requests of " + name, [r for r in self.browser.requests if not r.startswith("file:")], [])
        self.equal("files read by " + name, len(self.browser.requests), 1)

    # ---- the tests: each method named test_...

    def test_pages_are_quiet(self):
        for name in PAGES:
            self.open(name)
            if "violations" in self.reports[name] and self.reports[name]["violations"]:
                self.browser.press("Home")
                self.browser.press("ArrowRight", 3)
                self.browser.press("n")
            self.quiet(name)

    def test_stepping(self):
        self.open("wakeup")
        last = len(self.trace("wakeup")) - 1
        self.equal("at first", self.index(), last)
        for key, expected in (("Home", 0), ("ArrowRight", 1), ("ArrowDown", 2), ("ArrowLeft", 1), ("ArrowUp", 0), ("ArrowLeft", 0),
                              ("End", last), ("ArrowRight", last)):
            self.browser.press(key)
            self.equal(key, self.index(), expected)
        threads = [e["thread"] for e in self.trace("wakeup")]
        switches = [i for i in range(1, last + 1) if threads[i] != threads[i - 1]]
        self.browser.press("Home")
        for at in switches:
            self.browser.press("n")
            self.equal("n", self.index(), at)
        for at in reversed(switches[:-1]):
            self.browser.press("p")
            self.equal("p", self.index(), at)
        self.get("document.getElementById('first').click()")
        self.equal("button", self.index(), 0)
        self.get("document.getElementById('event2').click()")
        self.equal("click on a row", self.index(), 2)

    def test_source_follows(self):
        for name in ("deadlock", "race", "freed"):
            self.open(name)
            self.browser.press("Home")
            for event in self.trace(name):
                if event["line"]:
                    box = "document.querySelector('#code [aria-current]')"
                    self.equal("line", self.get(box + ".querySelector('.line').textContent"), str(event["line"]))
                    with open(event["file"], errors="replace") as source:
                        line = source.read().split("\n")[event["line"] - 1]
                    self.equal("text", self.get(box + ".querySelector('code').textContent"), line)
                    self.equal("in sight", self.get(
                        "(r => r.top >= b.top - 1 && r.bottom <= b.bottom + 1)(%s.getBoundingClientRect(),"
                        "b = document.getElementById('code').getBoundingClientRect())" % box), True)
                self.browser.press("ArrowRight")

    def test_arrows(self):
        def count(kind):
            return self.get(f"document.querySelectorAll('#lanes .arrow.{kind}:not(.tip)').length")
        self.open("deadlock")
        self.equal("arrows of the deadlock", [count(k) for k in ("create", "waits", "lock", "race")], [1, 2, 0, 0])
        self.open("race")
        self.equal("arrows of the race", [count(k) for k in ("create", "lock", "race")], [1, 1, 1])
        links = self.get("document.querySelectorAll('#now .link').length")
        self.equal("links of the race", links, 1)
        self.get("document.querySelector('#now .link').click()")
        event, other = self.trace("race")[self.index()], self.reports["race"]["violations"][0]["other"]
        self.equal("the other access", (event["thread"], event["line"]), (other["thread"], other["line"]))
        self.equal("what it accesses", " of " + event["object"] + " " in self.reports["race"]["violations"][0]["message"], True)

    def arrows_to(self, index):
        """What arrows lead to an event: [kind, event] each."""
        return self.get(f"shown.trace.arrows.filter(a => a.to === {index}).map(a => [a.kind, a.from])")

    def unseen(self):
        return self.get("[...document.querySelectorAll('#lanes .row.unseen')].map(r => Number(r.dataset.index))")

    def at(self, name, detail):
        """The event that says this."""
        found = [i for i, e in enumerate(self.trace(name)) if e["detail"].startswith(detail)]
        self.equal(f"{detail} in {name}", len(found), 1)
        return found[0]

    def test_older_values(self):
        """An edge leads from the store that was read; the newer ones are grey while that event is chosen."""
        self.open("stale")
        self.equal("nothing is grey at the end", self.unseen(), [])
        read, stores = self.at("stale", "x is 5, an older value"), [self.at("stale", f"x = {n}") for n in (5, 6, 7)]
        self.get(f"choose({read}); 0")
        self.equal("the edge of the older value", self.arrows_to(read), [["old", stores[0]]])
        self.equal("it is drawn", self.get("document.querySelectorAll('#lanes .arrow.old.chosen:not(.tip)').length"), 1)
        self.equal("what is grey", self.unseen(), stores[1:])
        said = self.get("document.querySelector('#now .unseen').textContent")
        self.equal("what is not visible", all(f"x = {n} (thread 1, stale.c:" in said for n in (6, 7)) and "x = 5" not in said, True)
        value = "[...document.querySelectorAll('#watch tr')].filter(r => r.cells[0].textContent === 'x').map(r => [r.cells[1].textContent, r.cells[1].className])"
        self.equal("the newest value stays, in grey", self.get(value), [["7", "value unseen"]])
        newest = self.at("stale", "x is 7")
        self.get(f"choose({newest}); 0")
        self.equal("another thread reads the newest", (["reads", stores[2]] in self.arrows_to(newest), self.unseen()), (True, []))
        self.equal("it is not grey there", self.get(value), [["7", "value"]])
        self.get(f"choose({stores[0]}); 0")
        self.get("document.querySelector('#now .link.old').click()")
        self.equal("a link leads to the read", self.index(), read)

    def test_delayed_stores(self):
        """Edges lead from a store that waits in a buffer to the load that misses it, and to where it leaves the buffer."""
        self.open("delayed")
        store = self.at("delayed", "x = 1, in the store buffer of thread 1")
        misses, leaves = self.at("delayed", "x is 0, as the store of 1"), self.at("delayed", "x = 1 leaves the store buffer")
        for index in (misses, leaves):
            self.get(f"choose({index}); 0")
            self.equal("the edge of the store that waits", self.arrows_to(index), [["delayed", store]])
        self.equal("it is drawn", self.get("document.querySelectorAll('#lanes .arrow.delayed.chosen:not(.tip)').length"), 1)

    def test_stores_behind(self):
        """A store behind an older value: the one that stays the newest is grey, and is what is read later."""
        self.open("behind")
        stale = [i for i, e in enumerate(self.trace("behind")) if e.get("stale")]
        self.equal("stores behind others", len(stale), 1)
        place = self.trace("behind")[stale[0]]["object"]
        newest = self.at("behind", place + " = 1" )
        self.get(f"choose({stale[0]}); 0")
        self.equal("what is grey", self.unseen(), [newest])
        self.equal("nothing was there before", self.arrows_to(stale[0]), [])
        read = self.at("behind", place + " is 1")
        self.equal("the newest value is read", self.arrows_to(read), [["reads", newest]])
        self.get(f"choose({read}); 0")
        value = f"[...document.querySelectorAll('#watch tr')].filter(r => r.cells[0].textContent === '{place}').map(r => r.cells[1].textContent)"
        self.equal("its value", self.get(value), ["1"])

    def test_loop(self):
        self.open("lasso")
        violation = self.reports["lasso"]["violations"][0]
        first = next(i for i, e in enumerate(violation["trace"]) if e["step"] >= violation["loop"])
        last = len(violation["trace"]) - 1
        self.equal("at first", self.index(), first)
        self.equal("the loop is marked", self.get("document.querySelectorAll('#lanes .bracket').length"), 1)
        for _ in range(2):  # twice round
            self.browser.press("ArrowRight", last - first)
            self.equal("at the end", self.index(), last)
            self.browser.press("ArrowRight")
            self.equal("again", self.index(), first)
        self.browser.press("Home")
        self.browser.press("l")
        self.equal("l", self.index(), first)
        said = self.get("document.getElementById('stacks').textContent")
        for thread in violation["starving"]:
            self.equal("starving", f"thread {thread['thread']}" in said and thread["waits"] in said, True)

    def test_marks(self):
        """What the violation depends on is marked, and stepped to by m and M; why it needs its switches is told."""
        for name in ("deadlock", "update"):
            self.open(name)
            marked = [i for i, e in enumerate(self.trace(name)) if e.get("relevant")]
            self.browser.press("Home")
            for at in [i for i in marked if i > 0]:
                self.browser.press("m")
                self.equal("m", self.index(), at)
            for at in reversed(marked[:-1]):
                self.browser.press("M")
                self.equal("M", self.index(), at)
            self.equal("rows", self.get("[...document.querySelectorAll('#lanes .relevant')].map(r => Number(r.dataset.index))"), marked)
            why = self.get("document.getElementById('why').textContent")
            for switch in self.reports[name]["violations"][0].get("switches", []):
                self.equal("why", switch.get("text", "") in why, True)

    def test_pictures(self):
        """Graphviz and gnuplot have drawn what the browser can show."""
        self.browser.open("states.svg")
        self.equal("states", self.get("document.querySelectorAll('g.node').length"),
                   int(re.search(r": (\d+) states", self.get("document.documentElement.textContent")).group(1)))
        self.equal("the path", self.get("document.querySelectorAll('g.edge.path').length"), 3)
        self.quiet("states.svg")
        self.browser.open("bounds.svg")
        self.equal("curves", self.get("[...document.querySelectorAll('text')].filter(t => /^(states|seconds)$/.test(t.textContent.trim())).length"), 4)
        self.quiet("bounds.svg")

    def test_values(self):
        """After each event, what the page shows of memory is what the trace told last."""
        for name in ("race", "wakeup", "lasso"):
            self.open(name)
            self.browser.press("Home")
            known = {}
            for i, event in enumerate(self.trace(name)):
                before = known.get(event.get("address"), (None, None))[1]
                if "value" in event:
                    known[event["address"]] = (event["object"], event["value"])
                rows = self.get("[...document.querySelectorAll('#watch tbody tr')].map(r => [r.cells[0].textContent,"
                                "r.cells[1].textContent, r.className])")
                shown = sorted((r[0], r[1]) for r in rows if not r[1].startswith(("held by", "free")) and not re.search(" waits?$", r[1]))
                self.equal(f"values after event {i} of {name}", shown, sorted(known.values()))
                if "value" in event and event["value"] != before:
                    self.equal("what changed", [r[1] for r in rows if r[2] == "changed" and not re.search(" waits?$", r[1])], [event["value"]])
                if i < len(self.trace(name)) - 1:
                    self.browser.press("ArrowRight")
            last = sorted(known.values())  # and back again, which goes another way
            self.browser.press("Home")
            self.browser.press("End")
            rows = self.get("[...document.querySelectorAll('#watch tbody tr')].map(r => [r.cells[0].textContent, r.cells[1].textContent])")
            self.equal("values at the end", sorted((a, b) for a, b in rows if not b.startswith(("held by", "free")) and not re.search(" waits?$", b)), last)

    def test_search_and_links(self):
        self.open("deadlock")
        self.get("choose(0); byId('find').value = 'lock b'; byId('find').onkeydown({ key: 'Enter' }); 0")
        self.equal("an event that fits", self.get("/lock b/.test(eventText(shown.trace.events[shown.index])) && shown.index > 0"), True)
        self.get("byId('find').value = 'no such words'; byId('find').onkeydown({ key: 'Enter' }); 0")
        self.equal("nothing fits", self.get("byId('find').classList.contains('missing')"), True)
        self.get("location.hash = '#3'; goToStep(); 0")
        self.equal("the step", self.get("shown.trace.events[shown.index].step"), 3)
        self.get("choose(shown.trace.events.length - 1); 0")
        self.equal("who holds what", self.get("/holds /.test(document.querySelector('.standing').textContent)"), True)

    def test_history(self):
        self.open("deadlock")
        self.get("choose(shown.trace.events.length - 1); document.querySelector('#watch td.value button').click(); 0")
        self.equal("accesses", self.get("document.querySelectorAll('#watch .history li').length > 0"), True)
        row = "[...shown.trace.valuesAfter(shown.index).values()].find(r => r.changed >= 0)"
        writer, at = self.get(row + ".changed"), self.get("[...shown.trace.valuesAfter(shown.index).values()].findIndex(r => r.changed >= 0)")
        self.get(f"document.querySelectorAll('#watch tbody tr')[{at}].querySelector('button').click(); 0")
        self.equal("the last writer", self.index(), writer)

    def rows(self):
        return self.get("[...document.querySelectorAll('#lanes .row .what')].map(r => r.textContent)")

    def test_folds(self):
        """The story has the lines of the text, and a folded line opens; the switch shows all events."""
        self.open("long", story=True)
        events = len(self.trace("long"))
        lines = self.get("shown.trace.rows.length")
        self.equal("a story is short", 20 < lines <= 110, True)
        folded = self.get("shown.trace.rows.findIndex(r => r.kind === 'folded')")
        self.get(f"choose(shown.trace.rows[{folded}].at); 0")
        self.equal("what it says", self.get("document.querySelector('#lanes [aria-selected=true]').dataset.action"), "folded")
        hidden = self.get(f"(r => r.last - r.first + 1)(shown.trace.rows[{folded}])")
        self.get("document.querySelector('#lanes [aria-selected=true]').click()")
        self.equal("opened", self.get("shown.trace.rows.length"), lines - 1 + hidden)
        self.get("byId('all').click()")
        self.equal("all events", self.get("shown.trace.rows.length"), events)
        self.browser.press("a")
        self.equal("the story again", self.get("shown.trace.rows.length"), lines - 1 + hidden)
        self.open("frames", story=True)
        text = subprocess.run([self.bitspin, "check", "frames.c"], stdout=subprocess.PIPE, env=dict(os.environ, COLUMNS="200")).stdout.decode()
        for row in self.get("shown.trace.rows.map(r => r.text)"):
            self.equal(f"'{row}' is in the text", re.sub("^\\.* *", "", row) in text, True)

    def test_frames(self):
        self.open("frames")
        at = next(i for i, e in enumerate(self.trace("frames")) if e["action"] == "write" and e["object"] == "total")
        self.get(f"choose({at}); 0")
        said = self.get("[...document.querySelectorAll('#frames p, #frames tr')].map(r => r.textContent)")
        self.equal("stack and locals", [s for s in said if not s.startswith("own")],
                   ["add() frames.c:9", "amount21", "twice42", "work() frames.c:18", "number20"])

    def test_waits(self):
        """Who waits on a condition is among the values, and all threads on a line are named."""
        self.open("frames")
        waits = [i for i, e in enumerate(self.trace("frames")) if e["action"] == "wait"]
        value = "[...shown.trace.valuesAfter(shown.index).values()].find(r => r.name === 'changed').value"
        for count, at in enumerate(waits, 1):
            self.get(f"choose({at}); 0")
            threads = [self.trace("frames")[i]["thread"] for i in waits[:count]]
            self.equal("who waits", self.get(value), ", ".join(f"thread {t}" for t in threads) + (" wait" if count > 1 else " waits"))
        mark = "document.querySelector('#code .here .marks')"
        there = self.get(mark + ".querySelectorAll('.chip').length"), self.get(mark + ".querySelector('.more')?.textContent || ''")
        self.equal("badges", there[0] + int(there[1][1:] or 0) if there[1] else there[0], len(waits))
        self.equal("badges fit", self.get(f"(m => [...m.children].every(c => c.getBoundingClientRect().right <= "
                                          f"m.getBoundingClientRect().right + 1))({mark})"), True)

    def test_operations(self):
        self.open("linear")
        bars = self.get("[...document.querySelectorAll('#operations .bar')].map(b => (r => [r.left, r.right])(b.getBoundingClientRect()))")
        calls = self.get("[...document.querySelectorAll('#operations code')].map(c => c.textContent)")
        self.equal("operations", sorted(calls), ["pop() = -1", "pop() = 2", "push(1)", "push(2)"])
        at = dict(zip(calls, bars))
        self.equal("push(1) is within push(2)", at["push(2)"][0] < at["push(1)"][0] and at["push(1)"][1] < at["push(2)"][1], True)
        self.equal("pop() after pop()", at["pop() = 2"][1] <= at["pop() = -1"][0], True)
        self.quiet("linear")

    def test_text_is_no_markup(self):
        self.open("nasty")
        self.browser.press("Home")
        self.browser.press("ArrowRight", 4)
        self.equal("scripts of the program", self.get("typeof hurt"), "undefined")
        self.equal("images", self.get("document.images.length"), 0)
        self.equal("output", "<img src=x onerror='hurt = 3'>" in self.get("document.getElementById('output').textContent"), True)
        self.quiet("nasty")

    def test_long(self):
        events = len(self.trace("long"))
        if events < 10000:
            raise Failure(f"only {events} events")
        begin = time.monotonic()
        self.open("long")
        self.equal("at first", self.index(), events - 1)
        self.equal("in sight", self.get("(r => r.top >= b.top && r.bottom <= b.bottom + 1)(document.getElementById('event%d')"
                   ".getBoundingClientRect(), b = document.getElementById('lanes').getBoundingClientRect())" % (events - 1)), True)
        if time.monotonic() - begin > 10:
            raise Failure(f"it takes {time.monotonic() - begin:.1f} s to open")
        times = self.get("""(async () => {
            const times = [];
            const step = key => {
                const begin = performance.now();
                document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
                document.body.getBoundingClientRect();
                times.push(performance.now() - begin);
            };
            step('Home');
            for (let i = 0; i < 150; i++) { step('ArrowRight'); await new Promise(requestAnimationFrame); }
            for (let i = 0; i < 10; i++) step('n');
            step('End');
            for (let i = 0; i < 150; i++) step('ArrowLeft');
            return times.sort((a, b) => a - b);
        })()""")
        middle, most = times[len(times) // 2], times[int(len(times) * 0.95)]
        print(f"a step among {events} takes {middle:.1f} ms, or at most {most:.1f} ms in 95 of 100")
        if most > 50:
            raise Failure(f"a step takes {most:.1f} ms")
        if self.get("document.querySelectorAll('#lanes .row').length") > 200:
            raise Failure("all rows are in the document")
        self.get("document.getElementById('lanes').scrollTop = 100000")
        self.browser.wait("(r => r && r.getBoundingClientRect().top < innerHeight)(document.querySelector('#lanes [data-index=\"3848\"]'))")

    def test_left_out(self):
        """After events that are left out, nobody is said to hold a lock, or a variable to have a value, from before."""
        at = next(i for i, e in enumerate(self.trace("omitted")) if e["action"] == "omitted")
        self.open("omitted", fragment=f"#violation1-event{at + 1}")
        self.equal("values", self.get("document.querySelectorAll('#watch tbody tr').length"), 0)
        self.browser.press("ArrowLeft")
        self.equal("values before", self.get("document.querySelectorAll('#watch tbody tr').length") > 1, True)
        self.open("omitted")
        self.equal("bands over the end", self.get("""(last => [...document.querySelectorAll('#lanes .hold')].filter(
            h => h.getBoundingClientRect().bottom > last.getBoundingClientRect().top).length)(document.querySelector('#lanes [aria-selected=true]'))"""), 0)

    def test_many_threads(self):
        self.open("many", width=390, height=844)
        self.equal("text beside 61 lanes", self.get("document.querySelector('#lanes [aria-selected=true] .what').offsetWidth > 100"), True)

    def test_widths(self):
        for name in PAGES:
            for width, height in ((390, 844), (320, 600), (1280, 800), (800, 600)):
                self.open(name, width=width, height=height)
                self.equal(f"overflow of {name} at {width}", self.get("document.documentElement.scrollWidth <= innerWidth"), True)
                if self.reports[name]["violations"]:
                    overlap = self.get("(t => [...document.querySelectorAll('#threads .chip')].map(c => c.getBoundingClientRect()).filter("
                                       "c => c.right > t.left + 1 && c.top < t.bottom - 1).length)(document.getElementById('tools').getBoundingClientRect())")
                    self.equal(f"heads under the search of {name} at {width}", overlap, 0)
                    self.equal(f"the buttons of {name} can be reached at {width}", self.get(
                        "(r => r.bottom <= innerHeight && r.right <= innerWidth)(document.getElementById('next').getBoundingClientRect())"), True)

    def test_phone(self):
        self.open("deadlock", width=390, height=844)
        self.get("document.getElementById('back').click()")
        self.equal("back", self.index(), len(self.trace("deadlock")) - 2)
        self.get("document.getElementById('before').click()")
        self.equal("rows can be hit", self.get("document.querySelector('#lanes .row').offsetHeight >= 30"), True)

    def test_several(self):
        self.open("several")
        number = len(self.reports["several"]["violations"])
        self.equal("violations", self.get("document.querySelectorAll('#violations option').length"), number)
        if number < 2:
            raise Failure("only one violation")
        for i in range(number):
            self.get(f"(s => {{ s.value = {i}; s.dispatchEvent(new Event('change')); }})(document.getElementById('violations'))")
            kind = self.reports["several"]["violations"][i]["kind"]
            self.equal("title", self.get("document.getElementById('title').textContent").split()[0], kind)
        self.open("several", fragment="#violation2-event1")
        self.equal("from the address", self.get("document.getElementById('violations').value"), "1")
        self.equal("from the address", self.index(), 0)

    def test_verified(self):
        self.open("verified")
        self.equal("verdict", self.get("document.getElementById('verdict').textContent"), "verified")
        self.equal("no steps", self.get("document.getElementById('stage').hidden"), True)
        text = self.get("document.getElementById('summary').textContent")
        for assumption in self.reports["verified"]["assumptions"]:
            self.equal(assumption, assumption in text, True)

    def test_help(self):
        self.open("deadlock")
        self.browser.press("?")
        self.equal("the keys", self.get("document.getElementById('keys').open"), True)
        self.browser.press("Escape")

    def test_theme(self):
        ground = "getComputedStyle(document.documentElement).backgroundColor"
        self.open("deadlock")
        light = self.get(ground)
        self.get("document.getElementById('theme').click()")
        dark = self.get(ground)
        self.open("deadlock", dark=True)
        self.get("delete document.documentElement.dataset.theme")
        self.equal("as the system has it", (self.get(ground), light != dark), (dark, True))

    def test_contrast(self):
        """Text can be read: 4.5 to 1, as WCAG asks for."""
        luminance = """(name => { const box = document.createElement('i'); box.style.color = `var(${name})`; document.body.append(box);
            const [r, g, b] = getComputedStyle(box).color.match(/[0-9.]+/g).map(v => v / 255).map(v => v <= .03928 ? v / 12.92 :
                ((v + .055) / 1.055) ** 2.4); return .2126 * r + .7152 * g + .0722 * b; })"""
        texts = ["text", "dim", "good", "bad", "unsure", "comment", "string", "keyword", "number", "directive", "wake"]
        pairs = [(t, g) for t in texts for g in ("panel", "chosen")] + [("on-badge", f"thread{i}") for i in range(8)]
        pairs += [(f"thread{i}", "panel") for i in range(8)] + [("on-badge", b) for b in ("good", "bad", "unsure")]
        for dark in (False, True):
            self.open("deadlock", dark=dark)
            self.get(f"document.documentElement.dataset.theme = '{'dark' if dark else 'light'}'")
            for a, b in pairs:
                x, y = (self.get(f"{luminance}('--{n}')") for n in (a, b))
                ratio = (max(x, y) + 0.05) / (min(x, y) + 0.05)
                if ratio < 4.5:
                    raise Failure(f"{a} on {b}, {'dark' if dark else 'light'}: {ratio:.2f}")

    def test_roles(self):
        self.open("deadlock")
        self.equal("names", self.get("[...document.querySelectorAll('button, select, input, [tabindex]')].every(e => e.textContent.trim()"
                                     " || e.getAttribute('aria-label') || e.labels && e.labels.length)"), True)
        chosen = self.get("document.getElementById('lanes').getAttribute('aria-activedescendant')")
        self.equal("the chosen row", self.get(f"document.getElementById('{chosen}').getAttribute('aria-selected')"), "true")

    def run(self):
        for name in [n for n in dir(self) if n.startswith("test_")]:
            try:
                getattr(self, name)()
                self.passed += 1
            except Failure as failure:
                self.failed += 1
                print(f"FAIL {name[5:].replace('_', ' ')}: {failure}")

    def pictures(self):
        for name in PAGES:
            for width, height in ((1280, 800), (390, 844)):
                for dark in (False, True):
                    self.open(name, width=width, height=height, dark=dark)
                    self.get(f"document.documentElement.dataset.theme = '{'dark' if dark else 'light'}'")
                    self.browser.screenshot(f"{name}-{width}-{'dark' if dark else 'light'}.png")


def main():
    if len(sys.argv) < 2 or not os.access(sys.argv[1], os.X_OK):
        sys.exit(__doc__)
    bitspin = os.path.abspath(sys.argv[1])
    kept = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else None
    with tempfile.TemporaryDirectory() as scratch:
        tests = Tests(bitspin, kept or scratch)
        try:
            tests.run()
            if kept:
                tests.pictures()
        finally:
            tests.browser.close()
            os.chdir("/")
    print(f"{tests.passed} passed, {tests.failed} failed")
    sys.exit(tests.failed > 0)


if __name__ == "__main__":
    main()
