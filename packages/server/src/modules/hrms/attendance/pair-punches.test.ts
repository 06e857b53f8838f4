import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomPunches, shuffled } from '../../../../test/random-punches.ts'
import { microsPerHour, microsPerMinute, microsPerSecond } from '../../../core/clock.ts'
import { type Pairing, pairFrom, pairPunches } from './pair-punches.ts'
import type { PairingOutcome, PunchInput } from './punch.ts'

const startAt = Date.UTC(2026, 10, 16, 8) * 1000
type PunchSpec = {
  id?: number
  direction: PunchInput['direction']
  afterUs: number
  deviceId?: number
  family?: string
}

/** Ids follow the order of the arguments. */
const punchesOf = (...specs: PunchSpec[]): PunchInput[] =>
  specs.map(({ id, direction, afterUs, deviceId = 1, family = 'zkteco' }, index) => ({
    id: id ?? index + 1,
    at: startAt + afterUs,
    direction,
    deviceId,
    deviceFamily: family,
  }))

const spans = ({ sessions }: Pairing) => sessions.map(({ checkInId, checkOutId }) => [checkInId, checkOutId])

const outcomeOf = ({ outcomes }: Pairing, id: number): PairingOutcome => {
  const outcome = outcomes.get(id)
  if (!outcome) throw new Error(`Punch ${id} has no outcome`)
  return outcome
}

const acceptedOf = (punches: readonly PunchInput[], pairing: Pairing) =>
  punches.filter(({ id }) => outcomeOf(pairing, id).duplicateOf === null)

describe('pairing a day', () => {
  it('pairs an in with the next out, and shows the check-out on both outcomes', () => {
    const pairing = pairPunches(
      punchesOf({ direction: 'in', afterUs: 0 }, { direction: 'out', afterUs: 8 * microsPerHour }),
    )
    const session = { checkInId: 1, checkInAt: startAt, checkOutId: 2, checkOutAt: startAt + 8 * microsPerHour }
    expect(pairing.sessions).toEqual([session])
    expect(outcomeOf(pairing, 1)).toEqual({ action: 'check_in', duplicateOf: null, orphan: false, session })
    expect(outcomeOf(pairing, 2)).toEqual({ action: 'check_out', duplicateOf: null, orphan: false, session })
  })

  it('alternates toggles between check-in and check-out', () => {
    const hours = [0, 4, 5, 9].map((hour) => ({ direction: 'toggle' as const, afterUs: hour * microsPerHour }))
    const pairing = pairPunches(punchesOf(...hours))
    expect(spans(pairing)).toEqual([
      [1, 2],
      [3, 4],
    ])
    expect([1, 2, 3, 4].map((id) => outcomeOf(pairing, id).action)).toEqual([
      'check_in',
      'check_out',
      'check_in',
      'check_out',
    ])
  })

  it('closes a session with a toggle after an explicit in', () => {
    const punches = punchesOf({ direction: 'in', afterUs: 0 }, { direction: 'toggle', afterUs: microsPerHour })
    expect(spans(pairPunches(punches))).toEqual([[1, 2]])
  })

  it('keeps the first of two ins and assigns the second to the open session', () => {
    const pairing = pairPunches(
      punchesOf(
        { direction: 'in', afterUs: 0 },
        { direction: 'in', afterUs: microsPerHour },
        { direction: 'out', afterUs: 8 * microsPerHour },
      ),
    )
    expect(spans(pairing)).toEqual([[1, 3]])
    expect(outcomeOf(pairing, 2)).toMatchObject({ action: 'check_in', duplicateOf: null, session: { checkInId: 1 } })
  })

  it('marks an out without an in as an orphan', () => {
    const pairing = pairPunches(punchesOf({ direction: 'out', afterUs: 0 }))
    expect(pairing.sessions).toEqual([])
    expect(outcomeOf(pairing, 1)).toEqual({ action: 'check_out', duplicateOf: null, orphan: true, session: null })
  })

  it('returns nothing for no punches', () => {
    expect(pairPunches([])).toEqual({ sessions: [], outcomes: new Map() })
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

  it('closes with an explicit out, however late', () => {
    const punches = punchesOf({ direction: 'in', afterUs: 0 }, { direction: 'out', afterUs: 33 * microsPerHour })
    expect(spans(pairPunches(punches))).toEqual([[1, 2]])
  })

  it('uses a custom limit', () => {
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
    expect([1, 2, 3].map((id) => outcomeOf(pairing, id).duplicateOf)).toEqual([null, 1, null])
    expect(spans(pairing)).toEqual([[1, 3]])
  })

  it('treats a punch as a duplicate up to exactly 60 seconds', () => {
    const again = (afterUs: number) =>
      outcomeOf(pairPunches(punchesOf({ direction: 'out', afterUs: 0 }, { direction: 'out', afterUs })), 2)
    expect(again(microsPerMinute).duplicateOf).toBe(1)
    expect(again(microsPerMinute + 1).duplicateOf).toBeNull()
  })

  it('treats two devices of one family as one, but not two families', () => {
    const second = (family: string) =>
      outcomeOf(
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

  it('does not treat an out within a minute of an in as a duplicate', () => {
    const punches = punchesOf({ direction: 'in', afterUs: 0 }, { direction: 'out', afterUs: microsPerSecond })
    expect(spans(pairPunches(punches))).toEqual([[1, 2]])
  })

  it('accepts one punch per instant: in before out before toggle, then the lower device id', () => {
    const pairing = pairPunches(
      punchesOf(
        { id: 1, direction: 'toggle', afterUs: 0 },
        { id: 2, direction: 'out', afterUs: 0, family: 'mobile' },
        { id: 3, direction: 'in', afterUs: 0, deviceId: 9, family: 'hikvision' },
        { id: 4, direction: 'in', afterUs: 0, deviceId: 8 },
      ),
    )
    expect(spans(pairing)).toEqual([[4, null]])
    expect([1, 2, 3].map((id) => outcomeOf(pairing, id).duplicateOf)).toEqual([4, 4, 4])
  })

  it('never creates an empty session', () => {
    const punches = punchesOf(
      { direction: 'toggle', afterUs: 0 },
      { direction: 'toggle', afterUs: 0, deviceId: 2, family: 'mobile' },
    )
    expect(spans(pairPunches(punches))).toEqual([[1, null]])
  })

  it('gives a duplicate the action and session of its original, even if the session closes later', () => {
    const pairing = pairPunches(
      punchesOf(
        { direction: 'toggle', afterUs: 0 },
        { direction: 'toggle', afterUs: microsPerSecond },
        { direction: 'toggle', afterUs: microsPerHour },
      ),
    )
    expect(outcomeOf(pairing, 2)).toEqual({ ...outcomeOf(pairing, 1), duplicateOf: 1 })
    expect(outcomeOf(pairing, 2).session?.checkOutId).toBe(3)
  })

  it('refers to the accepted punch if the first punch of an instant is itself a duplicate', () => {
    const pairing = pairPunches(
      punchesOf(
        { direction: 'in', afterUs: 0 },
        { direction: 'in', afterUs: microsPerSecond },
        { direction: 'out', afterUs: microsPerSecond, family: 'mobile' },
      ),
    )
    expect(outcomeOf(pairing, 3)).toEqual({ ...outcomeOf(pairing, 1), duplicateOf: 1 })
  })
})

describe('a change of shifts', () => {
  const night = [
    { direction: 'in', afterUs: 0 },
    { direction: 'out', afterUs: 8 * microsPerHour },
  ] as const
  const day = [
    { direction: 'in', afterUs: 8 * microsPerHour },
    { direction: 'out', afterUs: 16 * microsPerHour },
  ] as const

  it('begins a new session with an in at the instant of the out', () => {
    const pairing = pairPunches(punchesOf(...night, ...day))
    expect(spans(pairing)).toEqual([
      [1, 2],
      [3, 4],
    ])
    expect([1, 2, 3, 4].map((id) => outcomeOf(pairing, id).duplicateOf)).toEqual([null, null, null, null])
  })

  it('does so at the end of a session of one minute, and after 16 hours', () => {
    for (const endUs of [microsPerMinute, 20 * microsPerHour]) {
      const pairing = pairPunches(
        punchesOf(
          { direction: 'in', afterUs: 0 },
          { direction: 'in', afterUs: endUs },
          { direction: 'out', afterUs: endUs },
          { direction: 'out', afterUs: endUs + microsPerHour },
        ),
      )
      expect(spans(pairing)).toEqual([
        [1, 3],
        [2, 4],
      ])
    }
  })

  it('gives a second tap of each kind at that instant the session of its kind', () => {
    const pairing = pairPunches(
      punchesOf(
        ...night,
        ...day,
        { direction: 'in', afterUs: 8 * microsPerHour, deviceId: 2 },
        { direction: 'out', afterUs: 8 * microsPerHour, deviceId: 2, family: 'mobile' },
        { direction: 'toggle', afterUs: 8 * microsPerHour, deviceId: 3 },
      ),
    )
    expect(spans(pairing)).toEqual([
      [1, 2],
      [3, 4],
    ])
    expect([5, 6, 7].map((id) => outcomeOf(pairing, id).duplicateOf)).toEqual([3, 2, 2])
  })

  it('never merges shifts that follow each other, in any order of arrival', () => {
    const minutes = fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 8 })
    const shifts = minutes.chain((lengths) => {
      let afterUs = 0
      const specs = lengths.flatMap((length) => {
        const start = afterUs
        afterUs += length * microsPerMinute
        return [
          { direction: 'in' as const, afterUs: start },
          { direction: 'out' as const, afterUs },
        ]
      })
      return fc.tuple(fc.constant(lengths), shuffled(specs))
    })
    fc.assert(
      fc.property(shifts, ([lengths, arrived]) => {
        const { sessions } = pairPunches(punchesOf(...arrived))
        const worked = sessions.map(({ checkInAt, checkOutAt }) => ((checkOutAt ?? 0) - checkInAt) / microsPerMinute)
        // Two outs within a minute are one tap, so only longer shifts are told apart.
        if (lengths.every((length) => length > 1)) expect(worked).toEqual(lengths)
      }),
      { numRuns: 500 },
    )
  })
})

describe('the order of arrival', () => {
  it('does not change the result', () => {
    const twoOrders = randomPunches.chain((punches) => fc.tuple(fc.constant(punches), shuffled(punches)))
    fc.assert(
      fc.property(twoOrders, ([punches, other]) => {
        const pairing = pairPunches(punches)
        expect(spans(pairPunches(other))).toEqual(spans(pairing))
        for (const { id } of punches) expect(outcomeOf(pairPunches(other), id)).toEqual(outcomeOf(pairing, id))
      }),
      { numRuns: 500 },
    )
  })

  it('does not change session times if ids follow it', () => {
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
    const { action, duplicateOf, orphan, session } = outcomeOf(pairing, id)
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

describe('any punches', () => {
  it('a resent punch changes nothing and gets the same outcome', () => {
    const withResends = randomPunches.chain((punches) => fc.tuple(fc.constant(punches), fc.subarray(punches)))
    fc.assert(
      fc.property(withResends, ([punches, again]) => {
        const pairing = pairPunches(punches)
        const more = pairPunches([...punches, ...again.map((punch) => ({ ...punch, id: punch.id + 1000 }))])
        expect(more.sessions).toEqual(pairing.sessions)
        for (const { id } of punches) expect(outcomeOf(more, id)).toEqual(outcomeOf(pairing, id))
        for (const { id } of again) {
          const first = outcomeOf(pairing, id)
          expect(outcomeOf(more, id + 1000)).toEqual({ ...first, duplicateOf: first.duplicateOf ?? id })
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
          if (next) expect(next.checkInAt).toBeGreaterThanOrEqual(session.checkOutAt ?? endAt)
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
          const { action, orphan, session } = outcomeOf(pairing, id)
          const closed = pairing.sessions.filter(({ checkOutId }) => checkOutId === id)
          expect(closed).toEqual(action === 'check_out' && !orphan ? [session] : [])
        }
      }),
      { numRuns: 500 },
    )
  })

  it('every duplicate refers to an accepted punch that is not later and has the same outcome', () => {
    fc.assert(
      fc.property(randomPunches, (punches) => {
        const pairing = pairPunches(punches)
        const byId = new Map(punches.map((punch) => [punch.id, punch]))
        for (const { id, at } of punches) {
          const outcome = outcomeOf(pairing, id)
          if (outcome.duplicateOf === null) continue
          expect({ ...outcome, duplicateOf: null }).toEqual(outcomeOf(pairing, outcome.duplicateOf))
          expect(byId.get(outcome.duplicateOf)?.at).toBeLessThanOrEqual(at)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('accepted punches have different instants, and those of one kind are more than a minute apart, except where an in follows an out', () => {
    fc.assert(
      fc.property(randomPunches, (punches) => {
        const pairing = pairPunches(punches)
        const closedAt = new Set(pairing.sessions.map(({ checkOutAt }) => checkOutAt))
        const follows = ({ direction, at }: PunchInput) => direction === 'in' && closedAt.has(at)
        const accepted = acceptedOf(punches, pairing).filter((punch) => !follows(punch))
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

describe('pairing from an instant', () => {
  it('continues the open session without mutating its input', () => {
    const first = { checkInId: 1, checkInAt: startAt, checkOutId: null, checkOutAt: null }
    const punches = punchesOf({ id: 2, direction: 'out', afterUs: microsPerHour })
    const { sessions } = pairFrom({ start: { open: first, recent: [] }, punches })
    expect(sessions).toEqual([{ ...first, checkOutId: 2, checkOutAt: startAt + microsPerHour }])
    expect(first.checkOutId).toBeNull()
  })
})
