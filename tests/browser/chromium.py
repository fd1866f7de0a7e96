# SPDX-License-Identifier: MIT
"""A headless Chromium, driven by its debugging protocol through a pipe: nothing beyond Python's own library."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time


class Failure(Exception):
    pass


class Browser:
    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix="browser-check-")
        to_browser, self.write_end = os.pipe()
        self.read_end, from_browser = os.pipe()

        def wire():  # the protocol is spoken on descriptors 3 and 4; those in our way move first
            a, b = os.dup(to_browser), os.dup(from_browser)
            high = [os.dup2(a, 100), os.dup2(b, 101)]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        command = shutil.which("chromium") or shutil.which("chromium-browser")
        if not command:
            raise Failure("chromium is not installed")
        self.process = subprocess.Popen(
            [command, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-dev-shm-usage",
             "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
             "--host-resolver-rules=MAP * ~NOTFOUND", "--user-data-dir=" + self.profile, "--remote-debugging-pipe", "about:blank"],
            preexec_fn=wire, pass_fds=(3, 4), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.received, self.number, self.session = b"", 0, None
        self.complaints = []  # what the console says, and exceptions
        self.requests = []  # addresses that the page has asked for
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def message(self, limit=30):
        """The next message from the browser."""
        end = time.monotonic() + limit
        while b"\0" not in self.received:
            if not select.select([self.read_end], [], [], max(0, end - time.monotonic()))[0]:
                raise Failure("the browser does not answer")
            more = os.read(self.read_end, 1 << 20)
            if not more:
                raise Failure("the browser has ended")
            self.received += more
        line, self.received = self.received.split(b"\0", 1)
        message = json.loads(line)
        method, params = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled":
            self.complaints.append(" ".join(str(a.get("value", a.get("description"))) for a in params["args"]))
        elif method == "Log.entryAdded":
            self.complaints.append(params["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        return message

    def call(self, method, **params):
        self.number += 1
        request = {"id": self.number, "method": method, "params": params}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.write_end, json.dumps(request).encode() + b"\0")
        while True:
            message = self.message()
            if message.get("id") == self.number:
                if "error" in message:
                    raise Failure(f"{method}: {message['error']}")
                return message["result"]

    def open(self, path, width=1280, height=800, dark=False, fragment=""):
        """Show a file as a window of this size would; what the page before it has complained of is forgotten."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.call("Emulation.setTouchEmulationEnabled", enabled=width < 600)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.call("Page.navigate", url="about:blank")
        self.wait("document.readyState === 'complete'")
        self.complaints.clear()
        self.requests.clear()
        self.call("Page.navigate", url="file://" + os.path.abspath(path) + fragment)
        self.wait("location.protocol === 'file:' && document.readyState === 'complete'")

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise Failure(expression + ": " + json.dumps(result["exceptionDetails"])[:300])
        return result["result"].get("value")

    def wait(self, expression, limit=20):
        end = time.monotonic() + limit
        while not self.evaluate(expression):
            if time.monotonic() > end:
                raise Failure("never true: " + expression)
            time.sleep(0.02)

    def press(self, key, times=1):
        text = {"text": key} if len(key) == 1 else {}
        for _ in range(times):
            self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **text)
            self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def screenshot(self, path):
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))).then(() => 0)")
        with open(path, "wb") as out:
            out.write(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def close(self):
        try:
            self.session = None
            self.call("Browser.close")
        except (Failure, OSError):
            pass
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)
