import type { EventName } from '@service/contract'
import type { Decision } from '@service/contract/route-docs'

const payload: Decision = {
  question: 'Shape of the payload',
  answer: 'Like ticket.created; *.updated events also have `changes: {field: {from, to}}`',
}

/** Notes for each event. */
export const eventNotes: Readonly<Record<EventName, readonly Decision[]>> = {
  'ticket.created': [],
  'ticket.updated': [payload],
  'ticket.resolved': [
    payload,
    {
      question: 'How often',
      answer: 'Once when an unresolved ticket becomes resolved or closed, in addition to ticket.updated',
    },
  ],
  'task.created': [payload],
  'task.updated': [payload],
  'message.created': [
    payload,
    { question: 'Where messages come from', answer: 'Channels and messages of `server.admin`' },
  ],
  'project.updated': [payload],
}

/** Notes for all operations. */
export const everywhere: readonly Decision[] = [
  { question: 'Error bodies', answer: '`{"message": string, "errors"?: {field: string[]}}`, with dotted field names' },
  { question: 'Order of checks', answer: 'Rate limit, route, 401, 403 for the workspace, 403 for the scope, body' },
  {
    question: 'A workspace that does not exist: 404 in the list of statuses, 403 for a mismatch',
    answer: '403, so that existing workspaces are not revealed',
    option: 'unknownWorkspaceStatus: 404',
  },
  { question: 'Other statuses', answer: '405 with Allow, 413 above 1 MiB (Git 25 MiB), 415; malformed JSON is 422' },
  {
    question: 'Rate limit headers',
    answer:
      '`X-RateLimit-Limit` and `-Remaining` always; with 429 also `Retry-After`, `X-RateLimit-Reset`, and the message `Too Many Attempts.`; windows of 60 s',
    option: "rateLimit: 'off' | number",
  },
  {
    question: 'Lengths',
    answer: '255 characters for titles and names, 65,535 for other text, 50 tags of 64 characters',
  },
  { question: 'Unknown keys and query parameters', answer: 'Ignored by the platform, reported by the contract check' },
  {
    question: 'Idempotency-Key',
    answer:
      'For 24 hours on every POST except Git’s, per credential and route: the stored response with `Idempotency-Replayed: true`, or 422 for a different body. Refusals are not stored',
  },
  {
    question: 'Order of lists',
    answer:
      'Ids and numbers follow `created_at`, also in seeded data: a seed that sets ids in another order is refused',
  },
  {
    question: 'ETag of lists',
    answer: 'A server on SQLite sends one and answers `If-None-Match` with 304; others send none',
  },
  { question: 'Date-times in bodies', answer: 'An offset from UTC is required, otherwise 422' },
  {
    question: 'CORS',
    answer: 'Off. No browser may send the header with the secret of a webhook, because secrets in pages are public',
    option: 'corsOrigins',
  },
  { question: '`workspace` in the response to a ping', answer: 'The id as a string' },
  {
    question: 'Scope `webhooks:manage`, planned in the specification',
    answer: 'Permits the subscription routes of administration in the token’s workspace',
  },
  { question: 'Expiry and revocation of tokens', answer: 'Effective immediately: the next request gets 401' },
]

/** Notes for all outbound webhooks. */
export const everyDelivery: readonly Decision[] = [
  {
    question: 'Encoding of the signature',
    answer: 'Lower-case hex; a subscription can use `sha256=` and hex, or base64',
  },
  {
    question: 'Retries',
    answer: '10 attempts within 75.6 hours; 2xx is success, redirects are failures, 410 disables the subscription',
  },
  {
    question: 'A receiver that keeps failing',
    answer: 'The subscription is disabled after 5 days without success; its events are held and can be replayed',
  },
  {
    question: 'Other headers',
    answer: '`X-Service-Delivery`, `-Attempt`, `-Sequence`; optionally the three headers of Standard Webhooks',
  },
]
