import type { errorAdminRoutes } from '../../admin/error-reports.ts'
import type { DocsOf } from '../../route-docs.ts'
import { negativeTotal, page } from '../example-values.ts'

const example = {
  id: 5,
  fingerprint: 'b1946ac92492d2347c6235b4d2611184',
  ticket_id: 42,
  count: 3,
  first_seen_at: '2026-11-20T18:51:53.123456Z',
  last_seen_at: '2026-11-20T19:02:10.000417Z',
  ...negativeTotal,
  app: 'shop',
  sample: { message: negativeTotal.message, exception: negativeTotal.exception },
}

/** Documentation of the administration of error reports. */
export const errorAdminDocs: DocsOf<typeof errorAdminRoutes> = {
  'errorReports.list': {
    summary: 'List reported errors',
    description:
      'One entry per error with its count, its daily counts of 14 days, and its latest report. Newest error first, or the last report first with `sort=last_seen`. `search` finds the beginnings of words in the exception or the message.',
    responses: { errors: { ...page({ ...example, days: [{ day: '2026-11-20', count: 3 }] }), next_cursor: null } },
  },
  'errorReports.count': {
    summary: 'Count reported errors',
    description: 'The number of errors that match all filters. Stops at 100.',
    responses: { count: { count: 3 } },
  },
  'errorReports.get': {
    summary: 'Get a reported error',
    description: 'With its newest reports, its count on each of the last 30 days, and its ticket.',
    responses: {
      error: {
        ...example,
        ticket: { id: 42, ticket_number: 'TKT-00042', title: 'RangeError: Coupon total is negative' },
        samples: [{ seen_at: example.last_seen_at, report: example.sample }],
        days: [{ day: '2026-11-20', count: 3 }],
      },
    },
  },
  'errorReports.explain': {
    summary: 'Explain an error report',
    description:
      'Explains how a body is parsed and grouped, with the saved mapping or a draft: one entry per report in it. Nothing is counted, no ticket is opened, and nothing is audited. Also explains reports below the level of the workspace.',
    bodies: {
      report: { body: { message: 'No cart abc12345', exception: 'LookupError', severity: 'error' } },
      draft: { body: { data: { text: 'No stock left' } }, mapping: { fields: { message: 'data.text' } } },
      kept: { delivery_id: 9 },
      packed: { body: 'H4sIAAAAAAAAA6vm5VKqBQAvMCt6BQAAAA==', base64: true, headers: { 'content-encoding': 'gzip' } },
    },
    responses: {
      explained: {
        ignored: 0,
        data: [
          {
            format: 'documented',
            title: 'LookupError: No cart abc12345',
            level: 'error',
            recovered: false,
            opens_ticket: true,
            opens_because: 'documented',
            key: 'b1946ac92492d2347c6235b4d2611184',
            key_parts: [
              { name: 'app', value: '' },
              { name: 'exception', value: 'LookupError' },
              { name: 'message', value: 'No cart #' },
              { name: 'file', value: '' },
            ],
            message_rules: ['tokens'],
            ticket_id: null,
            record: { message: 'No cart abc12345', exception: 'LookupError' },
            mapped: [],
          },
        ],
      },
    },
  },
}
