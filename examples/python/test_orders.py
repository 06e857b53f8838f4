"""Tests that use the test double from another language. Run by the project's own tests."""

import os
import shlex
import unittest

from platform_double import PlatformDouble, Refused

COMMAND = shlex.split(os.environ.get("SERVICE_SERVER", "npx service-server"))


class TicketsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.double = PlatformDouble(COMMAND, "--clock", "2026-01-01T00:00:00Z", "--random", "python")

    @classmethod
    def tearDownClass(cls):
        cls.double.__exit__()

    def setUp(self):
        self.double.control("POST", "/reset")

    def titles(self):
        return [ticket["title"] for ticket in self.double.api("GET", "/tickets")["data"]]

    def test_reset_restores_the_seed(self):
        before = self.titles()
        self.double.api("POST", "/tickets", {"title": "Printer"})
        self.assertEqual(self.titles(), ["Printer", *before])
        self.double.control("POST", "/reset")
        self.assertEqual(self.titles(), before)

    def test_time_is_controlled(self):
        with self.assertRaises(Refused) as refused:
            for _ in range(121):
                self.titles()
        self.assertEqual(refused.exception.status, 429)
        self.double.control("POST", "/clock/advance", {"by": "61s"})
        self.titles()
        self.assertEqual(self.double.control("GET", "/clock"), {"now": "2026-01-01T00:01:01.000Z", "frozen": True})

    def test_a_fault_applies_once(self):
        fault = {"match": {"operation": "tickets.create"}, "times": 1, "respond": {"status": 500}}
        self.double.control("POST", "/faults", fault)
        with self.assertRaises(Refused) as refused:
            self.double.api("POST", "/tickets", {"title": "Printer"})
        self.assertEqual(refused.exception.status, 500)
        self.double.api("POST", "/tickets", {"title": "Printer"})
        self.double.control("POST", "/expect", {"match": {"operation": "tickets.create"}, "times": 2})

    def test_the_journal_records_requests(self):
        self.double.api("POST", "/tickets", {"title": "Printer"})
        entry = self.double.control("POST", "/wait", {"match": {"operation": "tickets.create"}})
        self.assertEqual(entry["request"]["body"], {"title": "Printer"})
        self.assertNotIn(self.double.ready["token"], str(entry))
        with self.assertRaises(Refused) as missed:
            self.double.control("POST", "/expect", {"match": {"body": {"title": "Scanner"}}})
        self.assertEqual(missed.exception.status, 409)
        self.assertIn("Printer", str(missed.exception))

    def test_webhooks_arrive_in_an_inbox(self):
        inbox = self.double.control("POST", "/inboxes", {"events": ["ticket.*"]})
        created = self.double.api("POST", "/tickets", {"title": "Printer"})["data"]
        arrived = self.double.control("POST", f"/inboxes/{inbox['id']}/next", {"event": "ticket.created"})
        self.assertEqual(arrived["event"]["ticket"]["id"], created["id"])
        self.assertEqual(arrived["attempt"], 1)

    def test_retries_need_no_waiting(self):
        inbox = self.double.control("POST", "/inboxes", {"events": ["task.created"]})
        self.double.control("POST", f"/inboxes/{inbox['id']}/respond-with", {"answers": [500, 500, 200]})
        self.double.control("POST", "/trigger", {"event": "task.created", "overrides": {"task": {"title": "Call"}}})
        self.double.control("POST", "/clock/advance", {"by": "1h"})
        arrived = self.double.control("POST", f"/inboxes/{inbox['id']}/next", {})
        self.assertEqual(arrived["attempt"], 3)
        [delivery] = self.double.control("GET", f"/inboxes/{inbox['id']}/deliveries")
        self.assertEqual([attempt["status"] for attempt in delivery["attempts"]], [500, 500, 200])

    def test_a_fork_is_independent(self):
        fork = self.double.control("POST", "/forks")
        before = self.titles()
        self.assertNotEqual(fork["base_url"], self.double.ready["base_url"])
        self.double.api("POST", "/tickets", {"title": "Printer"})
        self.double.control("DELETE", f"/forks/{fork['id']}")
        self.assertEqual(self.titles(), ["Printer", *before])

    def test_factories_create_missing_objects(self):
        task = self.double.control("POST", "/create/task", {"title": "Call back"})
        self.assertEqual(task["title"], "Call back")
        token = self.double.control("POST", "/tokens", {"scopes": ["projects:read"]})
        self.assertTrue(token["token"].startswith("service_"))


if __name__ == "__main__":
    unittest.main()
