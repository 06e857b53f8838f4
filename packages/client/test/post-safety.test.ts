import { createdTicket } from '@service/contract/docs/example-values'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { clientWith, json, refused, reset } from './support/client.ts'

/** The outcomes of one request. `act` makes the platform act on it. */
const outcomes = {
  refused: () => {
    throw refused()
  },
  'unknown host': () => {
    throw new TypeError('fetch failed', { cause: new Error('getaddrinfo ENOTFOUND host') })
  },
  busy: () => json({}, 429),
  'not now': () => json({}, 503, { 'retry-after': '1' }),
  'reset before it acts': () => {
    throw reset()
  },
  'reset after it acted': (act: () => unknown) => {
    act()
    throw reset()
  },
  '500 after it acted': (act: () => unknown) => json(act(), 500),
  '503 after it acted': (act: () => unknown) => json(act(), 503),
  '504 of a gateway that did not wait': (act: () => unknown) => json(act(), 504),
  'cut off after it acted': (act: () => unknown) =>
    new Response(JSON.stringify(act()).slice(0, 9), { status: 201, headers: { 'content-type': 'application/json' } }),
  fine: (act: () => unknown) => json({ data: act() }, 201),
} satisfies Record<string, (act: () => unknown) => Response>

type Outcome = keyof typeof outcomes
const provablyUndelivered: readonly Outcome[] = ['refused', 'unknown host', 'busy', 'not now']
const anyOutcome = fc.constantFrom(...(Object.keys(outcomes) as Outcome[])) // Object.keys forgets the literal keys

async function createUnder(plan: readonly Outcome[]) {
  let created = 0
  let sent = 0
  const act = () => {
    created += 1
    return createdTicket
  }
  const { client } = clientWith({ fetch: () => outcomes[plan[sent++] ?? 'fine'](act) })
  const result = await client.tickets.create({ title: 'A title' }).safe()
  return { created, sent, result }
}

it('never creates anything twice on a platform without idempotency keys', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyOutcome, { minLength: 1, maxLength: 4 }), async (plan) => {
      const { created, result } = await createUnder(plan)
      expect(created).toBeLessThanOrEqual(1)
      if (result.ok) expect(created).toBe(1)
      if (!result.ok && result.error.delivered === 'no') expect(created).toBe(0)
    }),
    { numRuns: 1_000 },
  )
})

it('retries a request that provably did not arrive', async () => {
  const undelivered = fc.array(fc.constantFrom(...provablyUndelivered), { minLength: 1, maxLength: 2 })
  await fc.assert(
    fc.asyncProperty(undelivered, async (plan) => {
      expect(await createUnder(plan)).toMatchObject({ created: 1, sent: plan.length + 1, result: { ok: true } })
    }),
  )
})
