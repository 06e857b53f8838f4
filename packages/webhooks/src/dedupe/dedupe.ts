import type { WebhookEvent } from '../event.ts'
import type { Once } from '../receiver.ts'
import { sha256 } from '../runtime.ts'
import type { DedupeStore } from './store.ts'

export interface DedupeOptions {
  readonly store: DedupeStore
  /** How long a handled event is remembered. 7 days by default; the platform tries for 76 hours. */
  readonly ttlMs?: number | undefined
  /** How long a handler may take before another copy may start. One minute by default. */
  readonly leaseMs?: number | undefined
  /** Keeps subscriptions apart that share a store. By default it is the workspace. */
  readonly scope?: string | ((event: WebhookEvent) => string) | undefined
  /**
   * What makes two deliveries copies. By default the id of the delivery where it is signed, which it is with the Standard
   * Webhooks headers, and the signed body where it is not: whoever recorded a delivery could send it again under the id of
   * one to come, which would then pass for the copy. `delivery` trusts an unsigned id too.
   */
  readonly by?: 'delivery' | 'body' | undefined
  /** Milliseconds since 1970, for tests. */
  readonly now?: (() => number) | undefined
}

const minuteMs = 60_000
const weekMs = 7 * 24 * 60 * minuteMs

/**
 * Runs something once per event, however often and in how many copies at once the event arrives. When it throws, the
 * event is free again, so that the platform's next attempt can succeed.
 *
 * @example
 * const once = dedupe({ store: memoryStore() })
 * createWebhookHandler({ secret, on, once })
 */
export function dedupe({ store, ttlMs = weekMs, leaseMs = minuteMs, now = Date.now, ...options }: DedupeOptions): Once {
  return async (event, run) => {
    const claim = { key: await toKey(event, options), token: crypto.randomUUID() }
    const found = await store.claim({ ...claim, now: now(), leaseMs })
    if (found !== 'claimed') return found === 'done' ? 'duplicate' : 'busy'
    try {
      await run()
    } catch (error) {
      await giveBack(store, { ...claim, now: now() })
      throw error
    }
    await store.commit({ ...claim, now: now(), ttlMs })
    return 'handled'
  }
}

/** The lease ends anyway, so a store that fails here must not hide why the handler failed. */
async function giveBack(store: DedupeStore, claim: Parameters<DedupeStore['release']>[0]): Promise<void> {
  try {
    await store.release(claim)
  } catch {
    // The handler's own error is on its way.
  }
}

async function toKey(event: WebhookEvent, { scope = workspaceOf, by }: Pick<DedupeOptions, 'scope' | 'by'>) {
  const subscription = typeof scope === 'string' ? scope : scope(event)
  const { id, replayProtected } = event.delivery
  const goesById = by ? by === 'delivery' : replayProtected
  const unique = goesById && id && id.length <= 255 ? id : await sha256(JSON.stringify(event.payload))
  return `${subscription}:${unique}`
}

const workspaceOf = ({ type, payload }: WebhookEvent) => (type === 'unknown' ? 'unknown' : String(payload.workspace_id))
