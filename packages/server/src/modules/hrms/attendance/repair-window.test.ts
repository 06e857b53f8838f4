import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomPunches, shuffled } from '../../../../test/random-punches.ts'
import { microsPerHour, microsPerMinute } from '../../../core/clock.ts'
import { pairPunches } from './pair-punches.ts'
import type { AttendanceSession, PairingOutcome, PunchInput } from './punch.ts'
import { repairPairing, repairWindow, type StoredWindow } from './repair-window.ts'

// An in-memory store. Like the tables, it stores each session once, and an outcome refers to it by its check-in.
type Row = { punch: PunchInput; outcome: Omit<PairingOutcome, 'session'>; checkInId: number | null }
type Store = { rows: Map<number, Row>; sessions: Map<number, AttendanceSession> }

const emptyStore = (): Store => ({ rows: new Map(), sessions: new Map() })

const withSession = (store: Store, { punch, outcome, checkInId }: Row) => ({
  punch,
  outcome: { ...outcome, session: checkInId === null ? null : (store.sessions.get(checkInId) ?? null) },
})

/** Returns exactly the rows that the window requests. */
const readWindow = (store: Store, added: readonly PunchInput[]): StoredWindow => {
  const { punchesFromAt, sessionBeforeAt } = repairWindow(added)
  const rows = [...store.rows.values()].filter(({ punch }) => punch.at >= punchesFromAt)
  const earlier = [...store.sessions.values()].filter(({ checkInAt }) => checkInAt < sessionBeforeAt)
  return {
    punches: rows.map((row) => withSession(store, row)),
    latestSession: earlier.toSorted((a, b) => a.checkInAt - b.checkInAt).at(-1) ?? null,
  }
}

const add = (store: Store, added: readonly PunchInput[], removed: readonly PunchInput[] = []) => {
  const stored = readWindow(store, [...added, ...removed])
  const repair = repairPairing({ added, removed, stored })
  for (const { id } of removed) if (!added.some((punch) => punch.id === id)) store.rows.delete(id)
  const punches = new Map([...stored.punches.map(({ punch }) => punch), ...added].map((punch) => [punch.id, punch]))
  for (const [id, { session, ...outcome }] of repair.outcomes) {
    const punch = punches.get(id)
    if (punch) store.rows.set(id, { punch, outcome, checkInId: session?.checkInId ?? null })
  }
  // A moved punch may keep its outcome.
  for (const punch of added) store.rows.set(punch.id, { ...(store.rows.get(punch.id) as Row), punch })
  for (const id of repair.deletedSessionIds) store.sessions.delete(id)
  for (const session of repair.sessions) store.sessions.set(session.checkInId, session)
  return { read: stored.punches.length, repair }
}

const contentsOf = (store: Store) => ({
  sessions: [...store.sessions.values()].toSorted((a, b) => a.checkInAt - b.checkInAt),
  outcomes: new Map([...store.rows].map(([id, row]) => [id, withSession(store, row).outcome])),
})

interface Correction {
  readonly kind: 'delete' | 'move' | 'turn'
  readonly shiftUs: number
}

function correctedBy(punch: PunchInput, { kind, shiftUs }: Correction): PunchInput[] {
  if (kind === 'delete') return []
  if (kind === 'move') return [{ ...punch, at: punch.at + shiftUs }]
  return [{ ...punch, direction: punch.direction === 'in' ? 'out' : 'in' }]
}

/** The same punches in random order, in batches of one to five. */
const randomDeliveries = fc
  .tuple(randomPunches.chain(shuffled), fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 30, maxLength: 30 }))
  .map(([punches, sizes]) => {
    const waiting = [...punches]
    return sizes.map((size) => waiting.splice(0, size)).filter((delivery) => delivery.length > 0)
  })

const startAt = Date.UTC(2026, 10, 16, 8) * 1000

const punchAt = (id: number, hour: number, direction: PunchInput['direction'] = 'toggle'): PunchInput => ({
  id,
  at: startAt + hour * microsPerHour,
  direction,
  deviceId: 1,
  deviceFamily: 'zkteco',
})

describe('repairing stored sessions', () => {
  it('gives the same result as pairing all punches from scratch', () => {
    fc.assert(
      fc.property(randomDeliveries, (deliveries) => {
        const store = emptyStore()
        const arrived: PunchInput[] = []
        for (const delivery of deliveries) {
          arrived.push(...delivery)
          add(store, delivery)
          expect(contentsOf(store)).toEqual(pairPunches(arrived))
        }
      }),
      { numRuns: 1000 },
    )
  })

  it('gives the same result after any corrections', () => {
    const correction = fc.record({
      index: fc.nat(),
      kind: fc.constantFrom('delete' as const, 'move' as const, 'turn' as const),
      shiftUs: fc.constantFrom(-8 * microsPerHour, -microsPerMinute, -1, 1, microsPerMinute, 8 * microsPerHour),
    })
    fc.assert(
      fc.property(randomPunches, fc.array(correction, { maxLength: 8 }), (punches, corrections) => {
        const store = emptyStore()
        add(store, punches)
        let remaining = punches
        for (const { index, ...kind } of corrections) {
          const before = remaining[index % remaining.length]
          if (before === undefined) break
          const added = correctedBy(before, kind)
          add(store, added, [before])
          remaining = [...remaining.filter(({ id }) => id !== before.id), ...added]
          expect(contentsOf(store)).toEqual(pairPunches(remaining))
        }
      }),
      { numRuns: 1000 },
    )
  })

  it('reads only the last minute for the newest punch', () => {
    fc.assert(
      fc.property(randomPunches, (punches) => {
        const store = emptyStore()
        for (const [index, punch] of punches.entries()) {
          const lately = punches.slice(0, index).filter(({ at }) => at >= punch.at - microsPerMinute)
          expect(add(store, [punch]).read).toBe(lately.length)
        }
      }),
    )
  })

  it('writes one outcome and one session when a later punch closes it', () => {
    const store = emptyStore()
    expect(add(store, [punchAt(1, 0)]).repair.deletedSessionIds).toEqual([])
    const { repair } = add(store, [punchAt(2, 8)])
    expect([...repair.outcomes.keys()]).toEqual([2])
    expect(repair.sessions.map(({ checkInId, checkOutId }) => [checkInId, checkOutId])).toEqual([[1, 2]])
    expect(repair.deletedSessionIds).toEqual([])
  })

  it('flips the toggles after one that arrives late', () => {
    const store = emptyStore()
    add(store, [punchAt(1, 0), punchAt(2, 8), punchAt(3, 24), punchAt(4, 32)])
    const { repair } = add(store, [punchAt(5, 4)])
    expect([...repair.outcomes.keys()].toSorted()).toEqual([2, 3, 4, 5])
    expect(contentsOf(store).sessions.map(({ checkInId, checkOutId }) => [checkInId, checkOutId])).toEqual([
      [1, 5],
      [2, 3],
      [4, null],
    ])
    expect(repair.deletedSessionIds).toEqual([3])
  })

  it('writes only the duplicate if a punch is resent', () => {
    const store = emptyStore()
    add(store, [punchAt(1, 0), punchAt(2, 8), punchAt(3, 24)])
    const { repair } = add(store, [punchAt(4, 8)])
    expect([...repair.outcomes].map(([id, { duplicateOf }]) => [id, duplicateOf])).toEqual([[4, 2]])
    expect(repair.sessions).toEqual([])
    expect(repair.deletedSessionIds).toEqual([])
  })

  it('measures the window from the accepted punch, even if only its duplicate is read', () => {
    const store = emptyStore()
    const second = 1 / 3600
    add(store, [punchAt(1, 0, 'in'), punchAt(2, 30 * second, 'in')])
    const { repair } = add(store, [punchAt(3, 80 * second, 'in')])
    expect(repair.outcomes.get(3)).toMatchObject({ action: 'check_in', duplicateOf: null })
  })

  it('gives the check-out to a duplicate whose original is before the window', () => {
    const store = emptyStore()
    add(store, [punchAt(1, 0, 'in')])
    const { repair } = add(store, [punchAt(2, 0.01, 'in'), punchAt(3, 8, 'out')])
    expect(repair.outcomes.get(2)).toMatchObject({ duplicateOf: 1, session: { checkInId: 1, checkOutId: 3 } })
  })

  it('changes nothing if nothing is added', () => {
    const store = emptyStore()
    add(store, [punchAt(1, 0, 'in')])
    expect(add(store, []).repair).toEqual({ outcomes: new Map(), sessions: [], deletedSessionIds: [] })
  })
})
