import type { GitProvider } from '@service/contract/values'
import type { Call } from '../call.ts'
import type { CallOptions } from '../call-options.ts'
import { callerStack } from '../caller-stack.ts'
import type { Settings } from '../settings.ts'
import { type KeptSecrets, requireVisible } from './inbound-options.ts'
import { type Ping, pingRoute } from './ping.ts'
import type { InboundRoute, SendInbound } from './send-inbound.ts'

export interface GitPing extends Ping {
  provider: string
}

/** What became of a Git delivery. */
export interface GitReceipt {
  received: boolean
  event: string
  /** How many activity entries it made; 0 when it came before. */
  stored: number
  ticket_created: boolean
  /** There when a ticket was created. */
  ticket_number?: string | undefined
}

export interface GitSendOptions extends CallOptions {
  /**
   * The provider's own id of the delivery; a random one when not given. A platform that knows delivery ids, as
   * `@service/server` does, acts once however often it comes, so with an id of yours every fault may be retried.
   */
  readonly deliveryId?: string | undefined
  /** In place of the client's secret for this provider; `null` sends the delivery unsigned. With GitLab, a secret that
   * begins with `whsec_` makes a `webhook-signature`, any other one is its token. */
  readonly secret?: string | null | undefined
  /** As a form with the JSON in `payload`, which GitHub can do. */
  readonly form?: boolean | undefined
}

/** What Git providers push. Meant for tests and relays: the providers themselves need no client. */
export interface InboundGit {
  ping(provider: GitProvider, options?: CallOptions): Call<GitPing>
  /**
   * Sends an event as the provider would: its headers, its delivery id and, with a secret, its signature. A payload
   * that is text already is sent as it stands.
   *
   * @example
   * await inbound.git.send('github', 'issues', { action: 'opened', issue: { number: 7, title: 'Typo' } })
   */
  send(provider: GitProvider, event: string, payload: object | string, options?: GitSendOptions): Call<GitReceipt>
}

const path = '/webhooks/{workspace}/{provider}'

const pingGit = pingRoute('git.ping', path, { provider: 'string' })

const sendGit: InboundRoute = {
  operation: 'git.send',
  method: 'POST',
  path,
  answers: {
    200: {
      received: 'boolean',
      event: 'string',
      stored: 'integer',
      ticket_created: 'boolean',
      ticket_number: 'string?',
    },
  },
}

interface GitDeps {
  readonly send: SendInbound
  readonly secrets: KeptSecrets
  readonly idempotency: Settings['idempotency']
}

export function git({ send, secrets, idempotency }: GitDeps): InboundGit {
  const methods: InboundGit = {
    ping: (provider, options) =>
      send({ route: pingGit, place: { provider }, options, callerStack: callerStack(methods.ping) }),
    // biome-ignore lint/complexity/useMaxParams: options stand last in every method of the clients
    send(provider, event, payload, { deliveryId, secret: own, form = false, ...options } = {}) {
      const secret = own === undefined ? secrets.git[provider] : own && requireVisible('secret', own)
      const id = deliveryId ?? crypto.randomUUID()
      requireVisible('event', event)
      requireVisible('deliveryId', id)
      const delivery = { provider, event, id, payload, form, secret }
      const isKnown = deliveryId !== undefined || idempotency === 'auto'
      return send({
        route: sendGit,
        place: { provider },
        body: [payload, secret],
        options: { ...options, ...(isKnown && { idempotencyKey: id }) },
        callerStack: callerStack(methods.send),
        // Loaded when it is needed: an application that reports errors does not play GitHub.
        write: async (call) => (await import('./git-delivery.ts')).writeDelivery(call, delivery),
      })
    },
  }
  return methods
}
