import type { EmployeeHours } from '@service/contract/admin/hrms'
import type { App } from '../../../context.ts'
import { fromDay, microsPerDay, microsPerSecond } from '../../../core/clock.ts'
import { validation } from '../../../core/errors.ts'
import type { Page } from '../../../core/pagination.ts'
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
    throw validation({ to: [`The to field must be within ${maxDays} days of the from field.`] })
  const employees = await listEmployees(app, workspaceId, page)
  const now = app.clock.now()
  const rows = await queries.listHours(app.store, {
    workspaceId,
    employeeIds: employees.map(({ id }) => id),
    from,
    to,
    now,
    openSince: now - defaultLimits.openSessionLimitUs,
  })
  return employees.map(({ id, user }) => ({
    id,
    name: user.name,
    days: rows
      .filter(({ employee_id }) => employee_id === id)
      .map(({ day, worked, open }) => ({
        day,
        worked_seconds: Math.floor(Number(worked) / microsPerSecond),
        checked_in: Number(open) > 0,
      })),
  }))
}
