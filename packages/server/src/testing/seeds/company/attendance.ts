import { hash } from 'node:crypto'
import { formatInstant, type Micros, microsPerSecond, toDay } from '../../../core/clock.ts'
import { pairPunches } from '../../../modules/hrms/attendance/pair-punches.ts'
import { allDays, atHour, type Company, daysFrom, getWeekday, type Person, records, spread } from './company.ts'
import { insertRows, type Received, withIds } from './store-rows.ts'
import data from './work.json' with { type: 'json' }

/** A device sends a punch a few seconds after it happened. */
const deviceDelay = 4 * microsPerSecond

/** Stores the punches of all past shifts with their pairing, and returns the delivery times. */
export async function recordAttendance(company: Company): Promise<readonly Received[]> {
  const { app, workspace: workspace_id, now, people } = company
  const punchesOfShifts = people.flatMap((person, index) =>
    allDays
      .filter((ago) => person.weekdays.includes(String(getWeekday(now, ago))))
      .flatMap((ago) => createPunches(now, person, { ago, n: ago * people.length + index })),
  )
  const punches = await withIds(
    app,
    'punches',
    punchesOfShifts.filter(({ at }) => at <= now - deviceDelay),
  )
  const pairings = people.map((person) => ({
    person,
    ...pairPunches(punches.filter((punch) => punch.person === person)),
  }))
  const outcomes = new Map(pairings.flatMap(({ outcomes }) => [...outcomes]))
  const rows = punches.map(({ id, person, direction, at, deviceId, deviceFamily }) => {
    const verdict = outcomes.get(id)
    return {
      id,
      workspace_id,
      employee_id: person.employeeId,
      device_id: deviceId,
      device_family: deviceFamily,
      direction,
      at,
      offset_minutes: 0,
      via: 'webhook',
      received_at: at + deviceDelay,
      action: verdict?.action ?? 'check_in',
      duplicate_of: verdict?.duplicateOf ?? null,
      orphan: verdict?.orphan === true ? 1 : 0,
      check_in_punch_id: verdict?.session?.checkInId ?? null,
    }
  })
  await insertRows(app, 'punches', rows)
  const sessions = pairings.flatMap(({ person, sessions }) =>
    sessions.map(({ checkInId, checkInAt, checkOutId, checkOutAt }) => ({
      check_in_punch_id: checkInId,
      workspace_id,
      employee_id: person.employeeId,
      check_in_at: checkInAt,
      check_out_punch_id: checkOutId,
      check_out_at: checkOutAt,
      day: toDay(checkInAt),
    })),
  )
  await insertRows(app, 'attendance_sessions', sessions)
  const unmatched = createUnmatchedPunches(company)
  await insertRows(app, 'unmatched_punches', unmatched)
  const accepted = rows.map(({ received_at: at, action: summary }) => ({ at, status: 200, summary }))
  const refused = unmatched.map(({ received_at: at, reason: summary }) => ({ at, status: 422, summary }))
  return [...accepted, ...refused].map((delivery) => ({ integration: 'attendance', ...delivery }))
}

/** Office employees arrive around the hour, if at all. Shift workers are on time. */
function createPunches(now: Micros, person: Person, { ago, n }: { readonly ago: number; readonly n: number }) {
  const isOffice = person.from === 9
  if (isOffice && n % 19 === 0) return []
  const minutesLate = isOffice ? -18 + 26 * spread(n) + (n % 10 === 0 ? 60 : 0) : -3 - 9 * spread(n)
  const overtimeMinutes = isOffice ? -25 + 80 * spread(n * 2) : 1 + 7 * spread(n * 2)
  const { id: deviceId, source_type: deviceFamily } = person.device
  const punch = (direction: 'in' | 'out', at: Micros) => ({ person, deviceId, deviceFamily, direction, at })
  const checkIn = punch('in', atHour(now, ago, person.from + minutesLate / 60))
  const checkOut = punch('out', atHour(now, ago, person.to + overtimeMinutes / 60))
  // Occasionally, someone forgets to check in or punches twice.
  if (isOffice && n % 127 === 1) return [checkOut]
  return n % 67 === 0 ? [checkIn, punch('in', checkIn.at + 11 * microsPerSecond), checkOut] : [checkIn, checkOut]
}

/** Unmatched punches: a new badge and a new reader. */
const createUnmatchedPunches = ({ workspace: workspace_id, now }: Company) =>
  records<{ reason: string; days_ago: number }>(data.unmatched).map(({ reason, days_ago, ...identifiers }) => {
    const at = daysFrom(now, -days_ago)
    const body = JSON.stringify({ ...identifiers, direction: 'in', timestamp: formatInstant(at) })
    const received = { received_at: at + deviceDelay, replayed_at: null, punch_id: null }
    return { workspace_id, reason, via: 'webhook', body, body_hash: hash('sha256', body), ...received }
  })
