import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomPunches, shuffled } from '../../../../test/random-punches.ts'
import { microsPerHour, microsPerMinute } from '../../../core/clock.ts'
import { pairPunches } from './pair-punches.ts'
import type { PairingOutcome, PunchInput, Session } from './punch.ts'
import { repairPairing, repairWindow, type StoredWindow } from './repair-window.ts'

// A store in miniature: like the tables, it keeps a session once, and a verdict names its session by the check-in.
type Row = { punch: PunchInput; verdict: Omit<PairingOutcome, 'session'>; checkInId: number | null }
type Store = { rows: Map<number, Row>; sessions: Map<number, Session> }

const emptyStore = (): Store => ({ rows: new Map(), sessions: new Map() })

const withSession = (store: Store, { punch, verdict: decision, checkInId }: Row) => ({
  punch,
  verdict: { ...decision, session: checkInId === null ? null : (store.sessions.get(checkInId) ?? null) },
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

const add = (store: Store, added: readonly PunchInput[]) => {
  const stored = readWindow(store, added)
  const repair = repairPairing({ added, stored })
  const punches = new Map([...stored.punches.map(({ punch }) => punch), ...added].map((punch) => [punch.id, punch]))
  for (const [id, { session, ...decision }] of repair.verdicts) {
    const punch = punches.get(id)
    if (punch) store.rows.set(id, { punch, verdict: decision, checkInId: session?.checkInId ?? null })
  }
  for (const session of repair.sessions) store.sessions.set(session.checkInId, session)
  for (const id of repair.goneSessionIds) store.sessions.delete(id)
  return { read: stored.punches.length, repair }
}

const contentsOf = (store: Store) => ({
  sessions: [...store.sessions.values()].toSorted((a, b) => a.checkInAt - b.checkInAt),
  verdicts: new Map([...store.rows].map(([id, row]) => [id, withSession(store, row).verdict])),
})

/** The same punches, cut into deliveries of one to five in a random order. */
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
  it('gives after every delivery what pairing everything from scratch gives', () => {
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

  it('reads no more than the last minute for a punch later than all others', () => {
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

  it('writes the one new verdict and the one session that a later punch closes', () => {
    const store = emptyStore()
    expect(add(store, [punchAt(1, 0)]).repair.goneSessionIds).toEqual([])
    const { repair } = add(store, [punchAt(2, 8)])
    expect([...repair.verdicts.keys()]).toEqual([2])
    expect(repair.sessions.map(({ checkInId, checkOutId }) => [checkInId, checkOutId])).toEqual([[1, 2]])
    expect(repair.goneSessionIds).toEqual([])
  })

  it('turns the later toggles round when one arrives late between them', () => {
    const store = emptyStore()
    add(store, [punchAt(1, 0), punchAt(2, 8), punchAt(3, 24), punchAt(4, 32)])
    const { repair } = add(store, [punchAt(5, 4)])
    expect([...repair.verdicts.keys()].toSorted()).toEqual([2, 3, 4, 5])
    expect(contentsOf(store).sessions.map(({ checkInId, checkOutId }) => [checkInId, checkOutId])).toEqual([
      [1, 5],
      [2, 3],
      [4, null],
    ])
    expect(repair.goneSessionIds).toEqual([3])
  })

  it('writes only the duplicate when a punch is sent again', () => {
    const store = emptyStore()
    add(store, [punchAt(1, 0), punchAt(2, 8), punchAt(3, 24)])
    const { repair } = add(store, [punchAt(4, 8)])
    expect([...repair.verdicts].map(([id, { duplicateOf }]) => [id, duplicateOf])).toEqual([[4, 2]])
    expect(repair.sessions).toEqual([])
    expect(repair.goneSessionIds).toEqual([])
  })

  it('measures the window from the accepted punch, also where only a repetition of it is read', () => {
    const store = emptyStore()
    const second = 1 / 3600
    add(store, [punchAt(1, 0, 'in'), punchAt(2, 30 * second, 'in')])
    const { repair } = add(store, [punchAt(3, 80 * second, 'in')])
    expect(repair.verdicts.get(3)).toMatchObject({ action: 'check_in', duplicateOf: null })
  })

  it('shows the check-out also on a duplicate whose original lies before the window', () => {
    const store = emptyStore()
    add(store, [punchAt(1, 0, 'in')])
    const { repair } = add(store, [punchAt(2, 0.01, 'in'), punchAt(3, 8, 'out')])
    expect(repair.verdicts.get(2)).toMatchObject({ duplicateOf: 1, session: { checkInId: 1, checkOutId: 3 } })
  })

  it('changes nothing when nothing is added', () => {
    const store = emptyStore()
    add(store, [punchAt(1, 0, 'in')])
    expect(add(store, []).repair).toEqual({ verdicts: new Map(), sessions: [], goneSessionIds: [] })
  })
})
