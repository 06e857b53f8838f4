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

/** Who pushes into a workspace; `device` is an attendance device with its own secret. */
export type InboundSender = 'github' | 'gitlab' | 'bitbucket' | 'errors' | 'attendance' | 'device' | `leads/${string}`

/** A delivery of a sender. */
export interface InboundRequest {
  readonly workspace: number
  /** An object is sent as JSON. */
  readonly body: object | string
  /** The secret that signs it; without one it is not signed. */
  readonly secret?: string | undefined
  /** A Git provider's name of the event: `push` by default. */
  readonly event?: string | undefined
  /** A Git provider's name of the delivery; a repeat has the same. */
  readonly deliveryId?: string | undefined
  /** The time of the signature, for senders that sign one: GitLab with a `whsec_` secret. */
  readonly at?: Instant | undefined
}

type Parts = InboundRequest & { readonly text: string; readonly id: string; readonly seconds: number }

/** The request that a third party would send, with its signature. */
export function inboundRequest(
  { origin, clock }: { readonly origin: string; readonly clock: Clock },
  sender: InboundSender,
  delivery: InboundRequest,
): Request {
  checkDelivery(sender, delivery)
  const { workspace, body, deliveryId: id = randomUUID(), at } = delivery
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const seconds = Math.floor((at === undefined ? clock.now() : readInstant(at)) / 1_000_000)
  const last = sender === 'device' ? 'attendance' : sender
  return new Request(new URL(`${inboundBasePath}/webhooks/${workspace}/${last}`, origin), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headersOf(sender, { ...delivery, text, id, seconds }) },
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
const senders = [...gitProviders, 'errors', 'attendance', 'device', ...leadSources.map((source) => `leads/${source}`)]

function checkDelivery(sender: InboundSender, delivery: InboundRequest): void {
  requireKnown(delivery, deliveryNames, 'An inbound delivery')
  if (senders.includes(sender)) return
  throw new TypeError(`There is no sender ${JSON.stringify(sender)}; there are ${senders.join(', ')}.`)
}

function headersOf(sender: InboundSender, parts: Parts): Record<string, string> {
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
      return signed(deviceSecretHeader, secret, plain)
    case 'leads/facebook':
    case 'leads/whatsapp':
      return signed('x-hub-signature-256', secret, (key) => `sha256=${hmac(key, text)}`)
    case 'leads/linkedin':
      return signed('x-li-signature', secret, (key) => `hmacsha256=${hmac(key, text)}`)
    default:
      return signed(webhookSecretHeader, secret, plain)
  }
}

/** GitLab sends its token as plain text, or signs like Standard Webhooks if it has a key. */
function gitlabProof({ secret, text, id, seconds }: Parts): Record<string, string> {
  if (secret?.startsWith('whsec_') !== true) return signed('x-gitlab-token', secret, plain)
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${text}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` }
}

/** Without a secret there is no header. */
const signed = (name: string, secret: string | undefined, value: (key: string) => string): Record<string, string> =>
  secret === undefined ? {} : { [name]: value(secret) }

const plain = (secret: string) => secret

const hmac = (key: string, text: string) => createHmac('sha256', key).update(text).digest('hex')
