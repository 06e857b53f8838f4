import type { WebhookEvent } from '../event.ts'
import { requireLimit } from '../limits.ts'
import type { Dedupe } from '../receiver.ts'
import { requireTypes } from '../require-options.ts'
import { sha256 } from '../runtime.ts'
import { requireAnswer } from '../within.ts'
import type { DedupeStore } from './store.ts'

export interface DedupeOptions {
  readonly store: DedupeStore
  /** How long a handled event is remembered. Defaults to 7 days; the platform retries for 76 hours. */
  readonly ttlMs?: number | undefined
  /** How long a handler may run before another copy may start. Defaults to one minute. */
  readonly leaseMs?: number | undefined
  /** Separates subscriptions that share a store. Defaults to the workspace. */
  readonly scope?: string | ((event: WebhookEvent) => string) | undefined
  /**
   * What identifies copies of a delivery. Defaults to the signed id (Standard Webhooks headers), or else the signed
   * body, which two equal changes within one second share. `delivery` also trusts an unsigned id: an attacker could
   * resend a recorded delivery under the id of a future one, which would be dropped as a duplicate.
   */
  readonly by?: 'delivery' | 'body' | undefined
  /** Current time in milliseconds since 1970, for tests. */
  readonly now?: (() => number) | undefined
}

const minuteMs = 60_000
const weekMs = 7 * 24 * 60 * minuteMs

/**
 * Runs a function once per event, even if copies of the event arrive at the same time. If the function throws, the
 * event is released, so that the platform's next attempt can succeed.
 *
 * @example
 * createWebhookHandler({ secret, on, dedupe: dedupe({ store: memoryStore() }) })
 */
export function dedupe(options: DedupeOptions): Dedupe {
  const given: DedupeOptions = Object(options)
  requireTypes(given, types, 'dedupe option')
  const { store, ttlMs = weekMs, leaseMs = minuteMs, now = Date.now, ...identity } = given
  if (!store?.claim || !store.commit || !store.release) {
    throw new TypeError('dedupe requires a store with claim, commit, and release, such as memoryStore()')
  }
  // Refuses an unknown value like an unknown name.
  requireTypes({ [given.by ?? 'body']: undefined }, { body: '', delivery: '' }, 'dedupe by')
  requireLimit('ttlMs', ttlMs, Infinity)
  requireLimit('leaseMs', leaseMs, Infinity)
  const time = () => requireTime(now())
  return async (event, run) => {
    const claim = { key: await toKey(event, identity), token: crypto.randomUUID() }
    const answer = store.claim({ ...claim, now: time(), leaseMs })
    const release = async () => {
      try {
        await answer
        await requireAnswer('dedupe: release', store.release({ ...claim, now: time() }))
      } catch {
        // The lease expires anyway, so a failing store must not hide the error of the handler.
      }
    }
    const result = await requireAnswer('dedupe: claim', answer).catch((error) => {
      void release() // of a claim that succeeds later
      throw error
    })
    if (result === 'done') return 'duplicate'
    if (result === 'busy') return result
    if (result !== 'claimed') throw new TypeError('dedupe: claim must return claimed, busy, or done')
    try {
      await run()
    } catch (error) {
      await release()
      throw error
    }
    await requireAnswer('dedupe: commit', store.commit({ ...claim, now: time(), ttlMs }))
    return 'handled'
  }
}

const types = {
  store: 'an object',
  // Without the limit of timers, which is 25 days.
  ttlMs: 'a number of milliseconds',
  leaseMs: 'a number of milliseconds',
  scope: 'a string or function',
  by: 'a string',
  now: 'a function',
} satisfies Record<keyof DedupeOptions, string>

/** With a time that is not a number, every lease would have expired. */
function requireTime(now: number): number {
  if (Number.isFinite(now)) return now
  throw new TypeError('dedupe: now must return a number')
}

async function toKey(event: WebhookEvent, { scope = workspaceOf, by }: Pick<DedupeOptions, 'scope' | 'by'>) {
  const subscription = typeof scope === 'string' ? scope : scope(event)
  const { id, replayProtected } = event.delivery
  const usesDeliveryId = by ? by === 'delivery' : replayProtected
  const unique = usesDeliveryId && id && id.length <= 255 ? id : await sha256(JSON.stringify(event.payload))
  return `${subscription}:${unique}`
}

const workspaceOf = ({ type, payload }: WebhookEvent) => (type === 'unknown' ? 'unknown' : String(payload.workspace_id))
