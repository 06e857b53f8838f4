import { setTimeout as wait } from 'node:timers/promises'
import { type Connection, Unreachable } from './connection.ts'
import type { Forwarded } from './forward.ts'

const everyMs = 500

interface Held {
  readonly id: number
  readonly is_test: boolean
}

interface Page {
  readonly data: readonly Held[]
  readonly next_before: number | null
}

interface Request {
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
}

/**
 * Fetches the deliveries of a subscription that is disabled, where they are held, and passes each on, oldest first, as
 * the platform would send it. Nothing reaches this machine from outside, so it works with a platform anywhere.
 */
export async function pollDeliveries(
  connection: Connection,
  subscriptionId: number,
  { signal, pass }: { readonly signal: AbortSignal; readonly pass: (delivery: Forwarded) => Promise<unknown> },
): Promise<void> {
  let last = 0
  while (!signal.aborted) {
    const held = await newerThan(connection, subscriptionId, last).catch(unlessAway)
    for (const { id, is_test } of held) {
      last = id
      if (is_test) continue // the one that found out whether this machine can be reached
      const { headers, body } = await connection.call<Request>('GET', `deliveries/${id}/request`)
      await pass({ headers: headers.flat(), body: Buffer.from(body) })
    }
    await wait(everyMs, undefined, { signal }).catch(() => undefined)
  }
}

/** A platform that is restarted is asked again. */
function unlessAway(fault: unknown): Held[] {
  if (fault instanceof Unreachable) return []
  throw fault
}

/** Oldest first. */
async function newerThan({ call }: Connection, subscriptionId: number, last: number): Promise<Held[]> {
  const fresh: Held[] = []
  for (let before = ''; ; ) {
    const page = await call<Page>('GET', `deliveries?subscription_id=${subscriptionId}${before}`)
    fresh.unshift(...page.data.filter(({ id }) => id > last).toReversed())
    if (page.next_before === null || page.next_before <= last) return fresh
    before = `&before=${page.next_before}`
  }
}
