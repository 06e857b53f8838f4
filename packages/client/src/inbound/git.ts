import type { GitProvider } from '@service/contract/values'
import type { Call } from '../call.ts'
import type { CallOptions } from '../call-options.ts'
import { callerStack } from '../caller-stack.ts'
import type { Settings } from '../settings.ts'
import { type CheckedSecrets, requireVisible } from './inbound-options.ts'
import { type Ping, pingRoute } from './ping.ts'
import type { InboundRoute, SendInbound } from './send-inbound.ts'

export interface GitPing extends Ping {
  provider: string
}

/** The result of a Git delivery. */
export interface GitReceipt {
  received: boolean
  event: string
  /** How many activity entries it created. 0 for a repeated delivery. */
  stored: number
  ticket_created: boolean
  /** Set if a ticket was created. */
  ticket_number?: string | undefined
}

export interface GitSendOptions extends CallOptions {
  /**
   * The provider's id of the delivery. Defaults to a random one. A platform that supports delivery ids, such as
   * `@service/server`, acts only once per id, so with your own id every fault may be retried.
   */
  readonly deliveryId?: string | undefined
  /** Replaces the client's secret for this provider. `null` sends the delivery unsigned. With GitLab, a secret that
   * begins with `whsec_` produces a `webhook-signature`. Any other one is sent as the token. */
  readonly secret?: string | null | undefined
  /** Sends a form with the JSON in `payload`, as GitHub can. */
  readonly form?: boolean | undefined
}

/** Sends the webhooks of Git providers, for tests and relays. */
export interface InboundGit {
  ping(provider: GitProvider, options?: CallOptions): Call<GitPing>
  /**
   * Sends an event like the provider: with its headers, delivery id and, given a secret, its signature. A text
   * payload is sent unchanged.
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
  responses: {
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
  readonly secrets: CheckedSecrets
  readonly idempotency: Settings['idempotency']
}

export function git({ send, secrets, idempotency }: GitDeps): InboundGit {
  const methods: InboundGit = {
    ping: (provider, options) =>
      send({ route: pingGit, params: { provider }, options, callerStack: callerStack(methods.ping) }),
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
        params: { provider },
        body: [payload, secret],
        options: { ...options, ...(isKnown && { idempotencyKey: id }) },
        callerStack: callerStack(methods.send),
        // Loaded on demand, because applications that only report errors do not need it.
        write: async (call) => (await import('./git-delivery.ts')).writeDelivery(call, delivery),
      })
    },
  }
  return methods
}
