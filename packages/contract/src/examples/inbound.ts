import {
  pingAttendance,
  pingErrors,
  pingGit,
  pingLeads,
  receiveError,
  receiveGit,
  receiveLead,
  receivePunch,
} from '../inbound.ts'
import { leadSources } from '../values.ts'
import { exampleOf } from './example.ts'
import { ada, frontDoor, unmatchedPunch } from './people.ts'

const ping = { status: 'ok', workspace: 'Northwind', configured: true, supported_methods: ['POST'] }
const checkIn = {
  employee_code: 'E-1008',
  external_device_id: 'ZK-7F3A',
  direction: 'in' as const, // one of the closed list
  timestamp: '2026-11-20T09:00:00+01:00',
}
const openedIssue = {
  number: 118,
  title: 'Checkout fails with a coupon',
  html_url: 'https://git.test/northwind/shop/issues/118',
}

const errors = [
  exampleOf(pingErrors, { answers: { ready: { ...ping, message: 'The error webhook is ready.' } } }),
  exampleOf(receiveError, {
    bodies: {
      report: {
        message: 'Coupon total is negative',
        status_code: 500,
        exception: 'RangeError',
        file: 'src/checkout/total.ts',
        line: 88,
        url: 'https://shop.northwind.test/checkout',
        method: 'POST',
        framework: 'express',
        environment: 'production',
        app_name: 'shop',
        severity: 'error',
      },
    },
    answers: {
      'new-ticket': { received: true, ticket_created: true, ticket_number: 'TKT-00042', ticket_id: 42 },
      'counted-on-an-open-ticket': { received: true, ticket_created: false, ticket_number: 'TKT-00042', ticket_id: 42 },
    },
  }),
]

const attendance = [
  exampleOf(pingAttendance, {
    answers: {
      ready: {
        ...ping,
        message: 'The attendance webhook is ready.',
        payload_example: checkIn,
        registered_devices: [frontDoor],
        note: 'Send one way to find the employee and one to find the device.',
      },
    },
  }),
  exampleOf(receivePunch, {
    bodies: { 'check-in': checkIn },
    answers: {
      'check-in': {
        received: true,
        recorded: true,
        action: 'check_in',
        duplicate: false,
        user_id: ada.id,
        check_in_at: '2026-11-20T08:00:00.000000Z',
        check_out_at: null,
        device_id: frontDoor.id,
        punch_id: 311,
      },
    },
    refusals: { 422: { 'device-not-found': { received: true, ...unmatchedPunch } } },
  }),
]

const leads = [
  exampleOf(pingLeads, {
    answers: {
      ready: {
        ...ping,
        message: 'The lead webhook is ready.',
        supported_sources: [...leadSources],
        source_hint: 'website',
      },
    },
  }),
  exampleOf(receiveLead, {
    bodies: {
      form: {
        name: 'Grace Kim',
        email: 'grace@fabrikam.test',
        phone: '+49 30 5550123',
        company: 'Fabrikam',
        message: 'Please call me about a demo.',
      },
    },
    answers: {
      created: {
        received: true,
        lead_created: true,
        duplicate: false,
        skipped: false,
        reason: null,
        lead_id: 33,
        source: 'website',
      },
      duplicate: {
        received: true,
        lead_created: false,
        duplicate: true,
        skipped: false,
        reason: 'duplicate_email',
        lead_id: 33,
        source: 'website',
      },
    },
  }),
]

const git = [
  exampleOf(pingGit, {
    answers: { ready: { ...ping, message: 'The Git webhook is ready.', provider: 'github' } },
  }),
  exampleOf(receiveGit, {
    bodies: { 'issue-opened': { action: 'opened', issue: openedIssue } },
    answers: {
      'ticket-created': {
        received: true,
        event: 'issues',
        stored: 1,
        ticket_created: true,
        ticket_number: 'TKT-00043',
      },
      stored: { received: true, event: 'push', stored: 3, ticket_created: false },
    },
  }),
]

export const inboundExamples = [...errors, ...attendance, ...leads, ...git]
