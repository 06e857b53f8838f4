import { createHmac, randomUUID } from 'node:crypto'
import {
  deviceSecretHeader,
  gitEventHeaders,
  gitProviders,
  inboundBasePath,
  leadSources,
  webhookSecretHeader,
} from '@service/contract'
import type { Clock } from '../../core/clock.ts'
import { keysOf, requireKnown } from '../../core/known-keys.ts'
import { type Instant, readInstant } from '../clock-control.ts'

/** The sender of an inbound webhook. `device` is an attendance device with its own secret. */
export type InboundSender = 'github' | 'gitlab' | 'bitbucket' | 'errors' | 'attendance' | 'device' | `leads/${string}`

/** A delivery from a sender. */
export interface InboundRequest {
  readonly workspace: number
  /** Objects are sent as JSON. */
  readonly body: object | string
  /** The signing secret. If it is omitted, the request is unsigned. */
  readonly secret?: string | undefined
  /** The event name of a Git provider; defaults to `push`. */
  readonly event?: string | undefined
  /** The delivery id of a Git provider. A retry has the same id. */
  readonly deliveryId?: string | undefined
  /** The timestamp of the signature, for senders that sign one: GitLab with a `whsec_` secret. */
  readonly at?: Instant | undefined
}

type SigningParts = InboundRequest & { readonly text: string; readonly id: string; readonly seconds: number }

/** A signed request as a third party would send it. */
export function inboundRequest(
  { origin, clock }: { readonly origin: string; readonly clock: Clock },
  sender: InboundSender,
  delivery: InboundRequest,
): Request {
  checkDelivery(sender, delivery)
  const { workspace, body, deliveryId: id = randomUUID(), at } = delivery
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const seconds = Math.floor((at === undefined ? clock.now() : readInstant(at, 'at')) / 1_000_000)
  const last = sender === 'device' ? 'attendance' : sender
  return new Request(new URL(`${inboundBasePath}/webhooks/${workspace}/${last}`, origin), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...createHeaders(sender, { ...delivery, text, id, seconds }) },
    body: text,
  })
}

const deliveryNames = keysOf<InboundRequest>({
  workspace: true,
  body: true,
  secret: true,
  event: true,
  deliveryId: true,
  at: true,
})
export const senders: readonly string[] = [
  ...gitProviders,
  'errors',
  'attendance',
  'device',
  ...leadSources.map((source) => `leads/${source}`),
]

function checkDelivery(sender: InboundSender, delivery: InboundRequest): void {
  requireKnown(delivery, deliveryNames, 'An inbound delivery')
  if (senders.includes(sender)) return
  throw new TypeError(`Unknown sender ${JSON.stringify(sender)}. Use one of ${senders.join(', ')}.`)
}

function createHeaders(sender: InboundSender, parts: SigningParts): Record<string, string> {
  const { event = 'push', secret, text, id } = parts
  switch (sender) {
    case 'github':
      return {
        [gitEventHeaders.github]: event,
        'x-github-delivery': id,
        ...signed('x-hub-signature-256', secret, (key) => `sha256=${hmac(key, text)}`),
      }
    case 'bitbucket':
      return {
        [gitEventHeaders.bitbucket]: event === 'push' ? 'repo:push' : event,
        'x-request-uuid': id,
        ...signed('x-hub-signature', secret, (key) => `sha256=${hmac(key, text)}`),
      }
    case 'gitlab':
      return {
        [gitEventHeaders.gitlab]: event === 'push' ? 'Push Hook' : event,
        'x-gitlab-event-uuid': id,
        ...gitlabProof(parts),
      }
    case 'device':
      return signed(deviceSecretHeader, secret, unsigned)
    case 'leads/facebook':
    case 'leads/whatsapp':
      return signed('x-hub-signature-256', secret, (key) => `sha256=${hmac(key, text)}`)
    case 'leads/linkedin':
      return signed('x-li-signature', secret, (key) => `hmacsha256=${hmac(key, text)}`)
    default:
      return signed(webhookSecretHeader, secret, unsigned)
  }
}

/** GitLab sends its token in plain text, or signs like Standard Webhooks if it has a key. */
function gitlabProof({ secret, text, id, seconds }: SigningParts): Record<string, string> {
  if (secret?.startsWith('whsec_') !== true) return signed('x-gitlab-token', secret, unsigned)
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${text}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` }
}

/** Omits the header without a secret. */
const signed = (name: string, secret: string | undefined, value: (key: string) => string): Record<string, string> =>
  secret === undefined ? {} : { [name]: value(secret) }

const unsigned = (secret: string) => secret

const hmac = (key: string, text: string) => createHmac('sha256', key).update(text).digest('hex')
