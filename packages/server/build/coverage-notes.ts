import type { EventName } from '@service/contract'
import type { Decision } from '@service/contract/route-docs'

const payload: Decision = {
  open: 'Shape of the payload',
  decided: 'Like that of ticket.created, with `changes: {field: {from, to}}` on *.updated',
}

/** By event. */
export const eventNotes: Readonly<Record<EventName, readonly Decision[]>> = {
  'ticket.created': [],
  'ticket.updated': [payload],
  'ticket.resolved': [
    payload,
    { open: 'How often', decided: 'Once per move to resolved or closed, beside ticket.updated' },
  ],
  'task.created': [payload],
  'task.updated': [payload],
  'message.created': [
    payload,
    { open: 'Where messages come from', decided: 'Channels and messages of `server.admin`' },
  ],
  'project.updated': [payload],
}

/** What is so for every operation. */
export const everywhere: readonly Decision[] = [
  { open: 'Body of an error', decided: '`{"message": string, "errors"?: {field: string[]}}`, with dotted fields' },
  { open: 'Order of the checks', decided: 'Route, rate limit, 401, 403 for the workspace, 403 for the scope, body' },
  {
    open: 'A workspace that does not exist: 404 in the list of statuses, 403 for a mismatch',
    decided: '403, so that nobody learns which workspaces there are',
    option: 'unknownWorkspaceStatus: 404',
  },
  { open: 'Other statuses', decided: '405 with Allow, 413 above 1 MiB (Git 25 MiB), 415; malformed JSON is 422' },
  {
    open: 'Headers of the rate limit',
    decided:
      '`X-RateLimit-Limit` and `-Remaining` always; on 429 `Retry-After`, `X-RateLimit-Reset` and the message `Too Many Attempts.`; windows of 60 s',
    option: "rateLimit: 'off' | number",
  },
  { open: 'Lengths', decided: 'Titles and names 255, texts 65,535 characters, 50 tags of 64' },
  { open: 'Unknown keys and query parameters', decided: 'Ignored by the platform, reported by the contract check' },
  {
    open: 'Idempotency-Key',
    decided:
      'Honored for 24 hours on every POST but Git’s, per credential and route: the stored answer with `Idempotency-Replayed: true`, or 422 for another body',
  },
  {
    open: 'Order of lists',
    decided: 'Ids and numbers follow `created_at`, with seeded data too, unless a seed pins ids in another order',
  },
  { open: 'Date-times in bodies', decided: 'With an offset from UTC; else 422' },
  { open: 'CORS', decided: 'Off', option: 'corsOrigins' },
  { open: '`workspace` in the answer to a ping', decided: 'The id as text' },
  {
    open: 'Scope `webhooks:manage`, planned in the document',
    decided: 'Opens the subscription routes of administration for the token’s own workspace',
  },
  { open: 'Expiry and revocation of tokens', decided: 'Both at once: the next request gets 401' },
]

/** What is so for every outbound webhook. */
export const everyDelivery: readonly Decision[] = [
  { open: 'Encoding of the signature', decided: 'Lower-case hex; per subscription also `sha256=` and hex, or base64' },
  {
    open: 'Retries',
    decided: '10 attempts within 75.6 hours; 2xx is success, redirects are failures, 410 disables at once',
  },
  {
    open: 'A receiver that keeps failing',
    decided: 'Disabled after 5 days without success; its events are held and can be replayed',
  },
  {
    open: 'Other headers',
    decided: '`X-Service-Delivery`, `-Attempt`, `-Sequence`; on request the three of Standard Webhooks',
  },
]
