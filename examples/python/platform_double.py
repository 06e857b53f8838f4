"""A test double of the platform, started as a process and controlled over HTTP."""

import json
import subprocess
import urllib.error
import urllib.request


class Refused(Exception):
    def __init__(self, status, body):
        super().__init__(f"{status} {body.get('message')}")
        self.status, self.body = status, body


class PlatformDouble:
    def __init__(self, command, *flags):
        self.process = subprocess.Popen(
            [*command, "start", "--demo", "--test-controls", "--exit-with-parent", "--port", "0", "--json", *flags],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.ready = json.loads(self.process.stdout.readline())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()

    def api(self, method, path, body=None, **headers):
        """Calls the REST API as the application under test would."""
        url = f"{self.ready['base_url']}/workspaces/{self.ready['workspace']}{path}"
        return send(method, url, self.ready["token"], body, headers)

    def control(self, method, path, body=None):
        """Controls the test double: POST /clock/advance, /reset, /faults, /wait, and so on."""
        response = send(method, self.ready["test_url"] + path, self.ready["admin_token"], body, {})
        return None if response is None else response["data"]


def send(method, url, token, body, headers):
    request = urllib.request.Request(url, method=method, data=None if body is None else json.dumps(body).encode())
    request.add_header("Authorization", f"Bearer {token}")
    request.add_header("Accept", "application/json")
    request.add_header("Content-Type", "application/json")
    for name, value in headers.items():
        request.add_header(name.replace("_", "-"), value)
    try:
        with urllib.request.urlopen(request) as response:
            text = response.read()
    except urllib.error.HTTPError as refusal:
        with refusal:
            raise Refused(refusal.code, json.loads(refusal.read() or b"{}")) from None
    return json.loads(text) if text else None
