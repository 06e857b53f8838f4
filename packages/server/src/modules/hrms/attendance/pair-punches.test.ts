import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomPunches, shuffled } from '../../../../test/random-punches.ts'
import { microsPerHour, microsPerMinute, microsPerSecond } from '../../../core/clock.ts'
import { type Pairing, pairFrom, pairPunches } from './pair-punches.ts'
import type { PairingOutcome, PunchInput } from './punch.ts'

const startAt = Date.UTC(2026, 10, 16, 8) * 1000
type Written = { id?: number; direction: PunchInput['direction']; afterUs: number; deviceId?: number; family?: string }

/** Punches as one would say them; ids follow the order they are written in. */
const punchesOf = (...written: Written[]): PunchInput[] =>
  written.map(({ id, direction, afterUs, deviceId = 1, family = 'zkteco' }, index) => ({
    id: id ?? index + 1,
    at: startAt + afterUs,
    direction,
    deviceId,
    deviceFamily: family,
  }))

const spans = ({ sessions }: Pairing) => sessions.map(({ checkInId, checkOutId }) => [checkInId, checkOutId])

const verdictOf = ({ verdicts }: Pairing, id: number): PairingOutcome => {
  const decision = verdicts.get(id)
  if (!decision) throw new Error(`Punch ${id} has no verdict`)
  return decision
}

const acceptedOf = (punches: readonly PunchInput[], pairing: Pairing) =>
  punches.filter(({ id }) => verdictOf(pairing, id).duplicateOf === null)

describe('pairing a day', () => {
  it('pairs an in with the next out, and shows the check-out on both verdicts', () => {
    const pairing = pairPunches(
      punchesOf({ direction: 'in', afterUs: 0 }, { direction: 'out', afterUs: 8 * microsPerHour }),
    )
    const session = { checkInId: 1, checkInAt: startAt, checkOutId: 2, checkOutAt: startAt + 8 * microsPerHour }
    expect(pairing.sessions).toEqual([session])
    expect(verdictOf(pairing, 1)).toEqual({ action: 'check_in', duplicateOf: null, orphan: false, session })
    expect(verdictOf(pairing, 2)).toEqual({ action: 'check_out', duplicateOf: null, orphan: false, session })
  })

  it('lets toggles open and close in turn', () => {
    const hours = [0, 4, 5, 9].map((hour) => ({ direction: 'toggle' as const, afterUs: hour * microsPerHour }))
    const pairing = pairPunches(punchesOf(...hours))
    expect(spans(pairing)).toEqual([
      [1, 2],
      [3, 4],
    ])
    expect([1, 2, 3, 4].map((id) => verdictOf(pairing, id).action)).toEqual([
      'check_in',
      'check_out',
      'check_in',
      'check_out',
    ])
  })

  it('lets a toggle close what an explicit in opened', () => {
    const punches = punchesOf({ direction: 'in', afterUs: 0 }, { direction: 'toggle', afterUs: microsPerHour })
    expect(spans(pairPunches(punches))).toEqual([[1, 2]])
  })

  it('keeps the first of two ins, and gives the second the open session', () => {
    const pairing = pairPunches(
      punchesOf(
        { direction: 'in', afterUs: 0 },
        { direction: 'in', afterUs: microsPerHour },
        { direction: 'out', afterUs: 8 * microsPerHour },
      ),
    )
    expect(spans(pairing)).toEqual([[1, 3]])
    expect(verdictOf(pairing, 2)).toMatchObject({ action: 'check_in', duplicateOf: null, session: { checkInId: 1 } })
  })

  it('keeps an out without an in as an orphan and invents no check-in', () => {
    const pairing = pairPunches(punchesOf({ direction: 'out', afterUs: 0 }))
    expect(pairing.sessions).toEqual([])
    expect(verdictOf(pairing, 1)).toEqual({ action: 'check_out', duplicateOf: null, orphan: true, session: null })
  })

  it('makes nothing of no punches', () => {
    expect(pairPunches([])).toEqual({ sessions: [], verdicts: new Map() })
  })
})

describe('a forgotten check-out', () => {
  it.each(['out', 'toggle'] as const)('closes a session of exactly 16 hours with %s', (direction) => {
    const punches = punchesOf({ direction: 'in', afterUs: 0 }, { direction, afterUs: 16 * microsPerHour })
    expect(spans(pairPunches(punches))).toEqual([[1, 2]])
  })

  it.each(['in', 'toggle'] as const)('begins a new session one microsecond later with %s', (direction) => {
    const punches = punchesOf({ direction: 'in', afterUs: 0 }, { direction, afterUs: 16 * microsPerHour + 1 })
    expect(spans(pairPunches(punches))).toEqual([
      [1, null],
      [2, null],
    ])
  })

  it('closes with an explicit out however late it comes', () => {
    const punches = punchesOf({ direction: 'in', afterUs: 0 }, { direction: 'out', afterUs: 33 * microsPerHour })
    expect(spans(pairPunches(punches))).toEqual([[1, 2]])
  })

  it('takes another limit when one is given', () => {
    const punches = punchesOf({ direction: 'in', afterUs: 0 }, { direction: 'toggle', afterUs: 24 * microsPerHour })
    expect(spans(pairPunches(punches, { openSessionLimitUs: 26 * microsPerHour }))).toEqual([[1, 2]])
  })
})

describe('duplicates', () => {
  it('measures the window from the accepted punch, so that a chain of duplicates ends', () => {
    const afterS = [0, 50, 100]
    const pairing = pairPunches(
      punchesOf(...afterS.map((s) => ({ direction: 'toggle' as const, afterUs: s * microsPerSecond }))),
    )
    expect([1, 2, 3].map((id) => verdictOf(pairing, id).duplicateOf)).toEqual([null, 1, null])
    expect(spans(pairing)).toEqual([[1, 3]])
  })

  it('counts exactly 60 seconds as a duplicate and a microsecond more as a punch', () => {
    const again = (afterUs: number) =>
      verdictOf(pairPunches(punchesOf({ direction: 'out', afterUs: 0 }, { direction: 'out', afterUs })), 2)
    expect(again(microsPerMinute).duplicateOf).toBe(1)
    expect(again(microsPerMinute + 1).duplicateOf).toBeNull()
  })

  it('takes two doors of one family for one punch, but not two families', () => {
    const second = (family: string) =>
      verdictOf(
        pairPunches(
          punchesOf(
            { direction: 'in', afterUs: 0 },
            { direction: 'in', afterUs: microsPerSecond, deviceId: 2, family },
          ),
        ),
        2,
      )
    expect(second('zkteco').duplicateOf).toBe(1)
    expect(second('hikvision').duplicateOf).toBeNull()
  })

  it('takes no out within a minute of an in for its duplicate', () => {
    const punches = punchesOf({ direction: 'in', afterUs: 0 }, { direction: 'out', afterUs: microsPerSecond })
    expect(spans(pairPunches(punches))).toEqual([[1, 2]])
  })

  it('accepts one punch an instant: in before out before toggle, then the lower device, whatever came first', () => {
    const pairing = pairPunches(
      punchesOf(
        { id: 1, direction: 'toggle', afterUs: 0 },
        { id: 2, direction: 'out', afterUs: 0, family: 'mobile' },
        { id: 3, direction: 'in', afterUs: 0, deviceId: 9, family: 'hikvision' },
        { id: 4, direction: 'in', afterUs: 0, deviceId: 8 },
      ),
    )
    expect(spans(pairing)).toEqual([[4, null]])
    expect([1, 2, 3].map((id) => verdictOf(pairing, id).duplicateOf)).toEqual([4, 4, 4])
  })

  it('never makes a session of length zero', () => {
    const punches = punchesOf(
      { direction: 'toggle', afterUs: 0 },
      { direction: 'toggle', afterUs: 0, deviceId: 2, family: 'mobile' },
    )
    expect(spans(pairPunches(punches))).toEqual([[1, null]])
  })

  it('gives a duplicate the action and the session of its original, even one closed after it', () => {
    const pairing = pairPunches(
      punchesOf(
        { direction: 'toggle', afterUs: 0 },
        { direction: 'toggle', afterUs: microsPerSecond },
        { direction: 'toggle', afterUs: microsPerHour },
      ),
    )
    expect(verdictOf(pairing, 2)).toEqual({ ...verdictOf(pairing, 1), duplicateOf: 1 })
    expect(verdictOf(pairing, 2).session?.checkOutId).toBe(3)
  })

  it('names the accepted punch as the original when the first of an instant is a duplicate itself', () => {
    const pairing = pairPunches(
      punchesOf(
        { direction: 'in', afterUs: 0 },
        { direction: 'in', afterUs: microsPerSecond },
        { direction: 'out', afterUs: microsPerSecond, family: 'mobile' },
      ),
    )
    expect(verdictOf(pairing, 3)).toEqual({ ...verdictOf(pairing, 1), duplicateOf: 1 })
  })
})

describe('the order of arrival', () => {
  it('changes nothing at all', () => {
    const twoOrders = randomPunches.chain((punches) => fc.tuple(fc.constant(punches), shuffled(punches)))
    fc.assert(
      fc.property(twoOrders, ([punches, other]) => {
        const pairing = pairPunches(punches)
        expect(spans(pairPunches(other))).toEqual(spans(pairing))
        for (const { id } of punches) expect(verdictOf(pairPunches(other), id)).toEqual(verdictOf(pairing, id))
      }),
      { numRuns: 500 },
    )
  })

  it('changes no instant of any session when the ids follow it', () => {
    const renumbered = randomPunches.chain((punches) =>
      shuffled(punches.map(({ id }) => id)).map((ids) => ({
        punches,
        renamed: punches.map((punch, index) => ({ ...punch, id: ids[index] ?? 0 })),
      })),
    )
    fc.assert(
      fc.property(renumbered, ({ punches, renamed }) => {
        expect(asInstants(renamed)).toEqual(asInstants(punches))
      }),
      { numRuns: 500 },
    )
  })
})

/** The whole result without ids. Of punches equal in all else the ids choose the accepted one, so lines are sorted. */
const asInstants = (punches: readonly PunchInput[]) => {
  const pairing = pairPunches(punches)
  const instantOf = new Map(punches.map(({ id, at }) => [id, at]))
  const lines = punches.map(({ id, at, direction, deviceId, deviceFamily }) => {
    const { action, duplicateOf, orphan, session } = verdictOf(pairing, id)
    const originalAt = duplicateOf === null ? null : instantOf.get(duplicateOf)
    return JSON.stringify([
      at,
      direction,
      deviceId,
      deviceFamily,
      action,
      originalAt,
      orphan,
      session?.checkInAt,
      session?.checkOutAt,
    ])
  })
  return {
    sessions: pairing.sessions.map(({ checkInAt, checkOutAt }) => [checkInAt, checkOutAt]),
    lines: lines.toSorted(),
  }
}

describe('whatever is punched', () => {
  it('an exact re-send changes nothing and repeats the verdict of the first', () => {
    const withResends = randomPunches.chain((punches) => fc.tuple(fc.constant(punches), fc.subarray(punches)))
    fc.assert(
      fc.property(withResends, ([punches, again]) => {
        const pairing = pairPunches(punches)
        const more = pairPunches([...punches, ...again.map((punch) => ({ ...punch, id: punch.id + 1000 }))])
        expect(more.sessions).toEqual(pairing.sessions)
        for (const { id } of punches) expect(verdictOf(more, id)).toEqual(verdictOf(pairing, id))
        for (const { id } of again) {
          const first = verdictOf(pairing, id)
          expect(verdictOf(more, id + 1000)).toEqual({ ...first, duplicateOf: first.duplicateOf ?? id })
        }
      }),
      { numRuns: 500 },
    )
  })

  it('sessions never overlap and are never empty', () => {
    fc.assert(
      fc.property(randomPunches, (punches) => {
        const { sessions } = pairPunches(punches)
        for (const [index, session] of sessions.entries()) {
          const next = sessions[index + 1]
          const endAt = session.checkOutAt ?? session.checkInAt + 1
          expect(endAt).toBeGreaterThan(session.checkInAt)
          if (next) expect(next.checkInAt).toBeGreaterThan(endAt)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('every accepted check-out closes exactly one session or is an orphan', () => {
    fc.assert(
      fc.property(randomPunches, (punches) => {
        const pairing = pairPunches(punches)
        for (const { id } of acceptedOf(punches, pairing)) {
          const { action, orphan, session } = verdictOf(pairing, id)
          const closed = pairing.sessions.filter(({ checkOutId }) => checkOutId === id)
          expect(closed).toEqual(action === 'check_out' && !orphan ? [session] : [])
        }
      }),
      { numRuns: 500 },
    )
  })

  it('every duplicate names an accepted punch that is as early or earlier and tells the same story', () => {
    fc.assert(
      fc.property(randomPunches, (punches) => {
        const pairing = pairPunches(punches)
        const byId = new Map(punches.map((punch) => [punch.id, punch]))
        for (const { id, at } of punches) {
          const decision = verdictOf(pairing, id)
          if (decision.duplicateOf === null) continue
          expect({ ...decision, duplicateOf: null }).toEqual(verdictOf(pairing, decision.duplicateOf))
          expect(byId.get(decision.duplicateOf)?.at).toBeLessThanOrEqual(at)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('accepted punches stand at different instants, and those of one kind more than a minute apart', () => {
    fc.assert(
      fc.property(randomPunches, (punches) => {
        const accepted = acceptedOf(punches, pairPunches(punches))
        expect(new Set(accepted.map(({ at }) => at)).size).toBe(accepted.length)
        const lastAt = new Map<string, number>()
        for (const { at, direction, deviceFamily } of accepted) {
          const kind = `${direction} of ${deviceFamily}`
          expect(at - (lastAt.get(kind) ?? Number.NEGATIVE_INFINITY)).toBeGreaterThan(microsPerMinute)
          lastAt.set(kind, at)
        }
      }),
      { numRuns: 500 },
    )
  })
})

describe('pairing from some moment on', () => {
  it('goes on from the open session without changing what it was given', () => {
    const first = { checkInId: 1, checkInAt: startAt, checkOutId: null, checkOutAt: null }
    const punches = punchesOf({ id: 2, direction: 'out', afterUs: microsPerHour })
    const { sessions } = pairFrom({ start: { open: first, recent: [] }, punches })
    expect(sessions).toEqual([{ ...first, checkOutId: 2, checkOutAt: startAt + microsPerHour }])
    expect(first.checkOutId).toBeNull()
  })
})
