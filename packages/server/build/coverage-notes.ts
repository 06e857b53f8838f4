import type { EventName } from '@service/contract'
import type { Decision } from '@service/contract/route-docs'

const payload: Decision = {
  question: 'Shape of the payload',
  answer: 'Like that of ticket.created, with `changes: {field: {from, to}}` on *.updated',
}

/** By event. */
export const eventNotes: Readonly<Record<EventName, readonly Decision[]>> = {
  'ticket.created': [],
  'ticket.updated': [payload],
  'ticket.resolved': [
    payload,
    { question: 'How often', answer: 'Once per move to resolved or closed, beside ticket.updated' },
  ],
  'task.created': [payload],
  'task.updated': [payload],
  'message.created': [
    payload,
    { question: 'Where messages come from', answer: 'Channels and messages of `server.admin`' },
  ],
  'project.updated': [payload],
}

/** What is so for every operation. */
export const everywhere: readonly Decision[] = [
  { question: 'Body of an error', answer: '`{"message": string, "errors"?: {field: string[]}}`, with dotted fields' },
  { question: 'Order of the checks', answer: 'Route, rate limit, 401, 403 for the workspace, 403 for the scope, body' },
  {
    question: 'A workspace that does not exist: 404 in the list of statuses, 403 for a mismatch',
    answer: '403, so that nobody learns which workspaces there are',
    option: 'unknownWorkspaceStatus: 404',
  },
  { question: 'Other statuses', answer: '405 with Allow, 413 above 1 MiB (Git 25 MiB), 415; malformed JSON is 422' },
  {
    question: 'Headers of the rate limit',
    answer:
      '`X-RateLimit-Limit` and `-Remaining` always; on 429 `Retry-After`, `X-RateLimit-Reset` and the message `Too Many Attempts.`; windows of 60 s',
    option: "rateLimit: 'off' | number",
  },
  { question: 'Lengths', answer: 'Titles and names 255, texts 65,535 characters, 50 tags of 64' },
  { question: 'Unknown keys and query parameters', answer: 'Ignored by the platform, reported by the contract check' },
  {
    question: 'Idempotency-Key',
    answer:
      'Honored for 24 hours on every POST but Git’s, per credential and route: the stored answer with `Idempotency-Replayed: true`, or 422 for another body',
  },
  {
    question: 'Order of lists',
    answer: 'Ids and numbers follow `created_at`, with seeded data too, unless a seed pins ids in another order',
  },
  { question: 'Date-times in bodies', answer: 'With an offset from UTC; else 422' },
  { question: 'CORS', answer: 'Off', option: 'corsOrigins' },
  { question: '`workspace` in the answer to a ping', answer: 'The id as text' },
  {
    question: 'Scope `webhooks:manage`, planned in the document',
    answer: 'Opens the subscription routes of administration for the token’s own workspace',
  },
  { question: 'Expiry and revocation of tokens', answer: 'Both at once: the next request gets 401' },
]

/** What is so for every outbound webhook. */
export const everyDelivery: readonly Decision[] = [
  {
    question: 'Encoding of the signature',
    answer: 'Lower-case hex; per subscription also `sha256=` and hex, or base64',
  },
  {
    question: 'Retries',
    answer: '10 attempts within 75.6 hours; 2xx is success, redirects are failures, 410 disables at once',
  },
  {
    question: 'A receiver that keeps failing',
    answer: 'Disabled after 5 days without success; its events are held and can be replayed',
  },
  {
    question: 'Other headers',
    answer: '`X-Service-Delivery`, `-Attempt`, `-Sequence`; on request the three of Standard Webhooks',
  },
]
