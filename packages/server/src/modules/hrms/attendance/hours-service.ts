import type { EmployeeHours } from '@service/contract/admin/hrms'
import type { App } from '../../../context.ts'
import { fromDay, microsPerDay, microsPerSecond } from '../../../core/clock.ts'
import { validation } from '../../../core/errors.ts'
import type { Page } from '../../../core/pagination.ts'
import { localDay } from '../../../core/zones.ts'
import { getWorkspace } from '../../workspaces/service.ts'
import { listEmployees } from '../service.ts'
import { defaultLimits } from './punch.ts'
import * as queries from './queries.ts'

const maxDays = 31

interface HoursQuery extends Page {
  readonly from: string
  readonly to: string
}

/** The hours of employees from one local day to another, newest employee first. */
export async function listHours(
  app: App,
  workspaceId: number,
  { from, to, ...page }: HoursQuery,
): Promise<EmployeeHours[]> {
  const days = (fromDay(to) - fromDay(from)) / microsPerDay + 1
  if (days < 1 || days > maxDays)
    throw validation({
      to: [`The to field must be a day from the day of the from field to ${maxDays - 1} days later.`],
    })
  const employees = await listEmployees(app, workspaceId, page)
  const now = app.clock.now()
  const period = { workspaceId, employeeIds: employees.map(({ id }) => id), from, to }
  const openSince = now - defaultLimits.openSessionLimitUs
  const rows = await queries.listHours(app.store, { ...period, now, openSince })
  const { time_zone } = await getWorkspace(app, workspaceId)
  const voided = (await queries.listVoidedCheckIns(app.store, period))
    .map(({ employee_id, at }) => ({ employee_id, day: localDay(at / 1000, time_zone) }))
    .filter(({ day }) => day >= from && day <= to)
  return employees.map(({ id, user }) => {
    const corrected = new Set(voided.filter(({ employee_id }) => employee_id === id).map(({ day }) => day))
    const worked = rows.filter(({ employee_id }) => employee_id === id).map((row) => toDay(row, corrected))
    const known = new Set(worked.map(({ day }) => day))
    const emptied = [...corrected].filter((day) => !known.has(day)).map((day) => ({ ...emptyDay, day }))
    return { id, name: user.name, days: [...worked, ...emptied].toSorted((a, b) => a.day.localeCompare(b.day)) }
  })
}

type HoursRow = Awaited<ReturnType<typeof queries.listHours>>[number]

const toDay = ({ day, worked, open, corrected }: HoursRow, correctedDays: ReadonlySet<string>) => ({
  day,
  worked_seconds: Math.floor(Number(worked) / microsPerSecond),
  checked_in: Number(open) > 0,
  corrected: Number(corrected) > 0 || correctedDays.has(day),
})

/** A day whose check-ins were all moved or deleted. */
const emptyDay = { worked_seconds: 0, checked_in: false, corrected: true }
