import { hash } from 'node:crypto'
import { formatInstant, type Micros, microsPerMinute, microsPerSecond, toDay } from '../../../core/clock.ts'
import { pairPunches } from '../../../modules/hrms/attendance/pair-punches.ts'
import { type Company, type Day, hourOf } from './company.ts'
import { idAt, insertRows, type Received, takeIds } from './insert-rows.ts'
import type { Person } from './people.ts'
import type { Random } from './random.ts'

interface Punch {
  readonly person: Person
  readonly direction: 'in' | 'out'
  readonly at: Micros
}

/** A device sends a punch some seconds after it was made. */
const sendingTakes = 4 * microsPerSecond

/** Stores the punches of all shifts up to now, paired as the platform pairs them, and gives back when they came. */
export async function recordAttendance(company: Company): Promise<readonly Received[]> {
  const { app, workspace, now, calendar, people } = company
  const random = company.random('attendance')
  const punches = people
    .flatMap((person) => calendar.flatMap((day) => punchesOf(random, person, day)))
    .filter(({ at }) => at + sendingTakes <= now)
    .toSorted((a, b) => a.at - b.at)
  const ids = await takeIds(app, 'punches', punches.length)
  const stored = punches.map((punch, index) => ({ ...punch, id: idAt(ids, index), ...kindOf(punch.person) }))
  const pairings = people.map(({ id }) => pairPunches(stored.filter(({ person }) => person.id === id)))
  const outcomes = new Map(pairings.flatMap(({ verdicts }) => [...verdicts]))
  const rows = stored.map(({ id, person, direction, at, deviceId, deviceFamily }) => {
    const outcome = outcomes.get(id)
    return {
      id,
      workspace_id: workspace,
      employee_id: person.employeeId,
      device_id: deviceId,
      device_family: deviceFamily,
      direction,
      at,
      offset_minutes: 0,
      via: 'webhook',
      received_at: at + sendingTakes,
      action: outcome?.action ?? 'check_in',
      duplicate_of: outcome?.duplicateOf ?? null,
      orphan: outcome?.orphan === true ? 1 : 0,
      check_in_punch_id: outcome?.session?.checkInId ?? null,
    }
  })
  await insertRows(app, 'punches', rows)
  await insertRows(
    app,
    'attendance_sessions',
    people.flatMap(({ employeeId }, index) =>
      (pairings[index]?.sessions ?? []).map((session) => ({
        check_in_punch_id: session.checkInId,
        workspace_id: workspace,
        employee_id: employeeId,
        check_in_at: session.checkInAt,
        check_out_punch_id: session.checkOutId,
        check_out_at: session.checkOutAt,
        day: toDay(session.checkInAt),
      })),
    ),
  )
  return [
    ...rows.map(({ received_at: at, action }) => ({ at, status: 200, summary: action })),
    ...(await keepUnmatched(company)),
  ]
}

const kindOf = ({ device }: Person) => ({ deviceId: device.id, deviceFamily: device.source_type })

function punchesOf(random: Random, person: Person, day: Day): readonly Punch[] {
  const { shift } = person
  if (!shift.weekdays.includes(day.weekday)) return []
  const jitter = () => random.fraction()
  if (!shift.isOffice) {
    // The shift before goes when this one is there.
    const from = shift.from - (3 + 9 * jitter()) / 60
    return inAndOut({ random, person, day, from, to: shift.to + (1 + 7 * jitter()) / 60 })
  }
  if (random.happens(0.05)) return []
  const isLate = random.happens(0.1)
  const from = shift.from + (isLate ? 20 + 60 * jitter() : -18 + 26 * jitter()) / 60
  return inAndOut({ random, person, day, from, to: shift.to + (-25 + 80 * jitter()) / 60 })
}

interface Presence {
  readonly random: Random
  readonly person: Person
  readonly day: Day
  readonly from: number
  readonly to: number
}

/** Some hesitate and punch twice; and once in a while somebody forgets the morning's. */
function inAndOut({ random, person, day, from, to }: Presence): readonly Punch[] {
  const came: Punch = { person, direction: 'in', at: hourOf(day, from) }
  const went: Punch = { person, direction: 'out', at: hourOf(day, to) }
  if (person.shift.isOffice && random.happens(0.008)) return [went]
  if (!random.happens(0.015)) return [came, went]
  return [came, { ...came, at: came.at + random.whole(7, 20) * microsPerSecond }, went]
}

/** Two punches that nobody could be found for: a new badge, and a reader that is not registered. */
async function keepUnmatched({ app, workspace, now }: Company): Promise<readonly Received[]> {
  const unmatched = [
    {
      reason: 'employee_not_found',
      minutesAgo: 2 * 24 * 60 + 311,
      attendance_uid: '1044',
      external_device_id: 'DEMO-GATE-2',
    },
    {
      reason: 'device_not_found',
      minutesAgo: 1 * 24 * 60 + 95,
      attendance_uid: '1009',
      external_device_id: 'DEMO-GATE-4',
    },
  ]
  const rows = unmatched.map(({ reason, minutesAgo, ...identifiers }) => {
    const at = now - minutesAgo * microsPerMinute
    const body = JSON.stringify({ ...identifiers, direction: 'in', timestamp: formatInstant(at) })
    const received = { received_at: at + sendingTakes, replayed_at: null, punch_id: null }
    return { workspace_id: workspace, reason, via: 'webhook', body, body_hash: hash('sha256', body), ...received }
  })
  await insertRows(app, 'unmatched_punches', rows)
  return rows.map(({ received_at: at, reason }) => ({ at, status: 422, summary: reason }))
}
