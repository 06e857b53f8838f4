import { NewPunch } from '@service/contract'
import { parseInstant } from '@service/intake/sanitize/instant'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { TxApp } from '../../../context.ts'
import { microsPerDay } from '../../../core/clock.ts'
import { validation } from '../../../core/errors.ts'
import { recordPunch } from '../../../modules/hrms/attendance/service.ts'
import { findEmployee } from '../../../modules/hrms/queries.ts'
import {
  createEmployee,
  issueDeviceSecret,
  NewDevice,
  NewEmployee,
  registerDevice,
} from '../../../modules/hrms/service.ts'
import { addMember } from '../../../modules/members/service.ts'
import { defineFactory } from '../define-factory.ts'
import { pinTime } from '../factory-context.ts'
import { pinnedSecret, sample } from '../sample.ts'

export const employee = defineFactory({
  kind: 'employee',
  shape: z.omit(NewEmployee, { workspace_id: true, user_id: true }).shape,
  relations: { user_id: 'member' },
  async make(app, { workspace_id, user_id, employee_code, ...fields }, n) {
    const user = user_id ?? (await memberWithoutProfile(app, workspace_id, n))
    const code = employee_code === undefined ? `E-${String(n).padStart(3, '0')}` : employee_code
    return createEmployee(app, { workspace_id, user_id: user, employee_code: code, ...fields })
  },
})

/** A user has only one profile per workspace, so this finds a member without one. */
async function memberWithoutProfile(app: TxApp, workspace_id: number, n: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`select user_id as id from members where workspace_id = ${workspace_id}
    and user_id not in (select user_id from employees where workspace_id = ${workspace_id}) order by 1 limit 1`.execute(
    app.db,
  )
  const [free] = rows
  if (free !== undefined) return free.id
  const person = { name: sample.person(n), email: `employee.${n}@example.test`, role: 'member' as const }
  return (await addMember(app, { workspace_id, ...person })).id
}

/** A device with its secret. */
export const device = defineFactory({
  kind: 'device',
  shape: { ...z.partial(z.omit(NewDevice, { workspace_id: true })).shape, secret: pinnedSecret },
  async make(app, { workspace_id, secret, external_device_id, ...fields }, n) {
    const { id } = await registerDevice(app, {
      workspace_id,
      source_type: fields.source_type ?? 'zkteco',
      device_name: fields.device_name ?? `Door ${n}`,
      external_device_id: external_device_id === undefined ? `DOOR-${n}` : external_device_id,
    })
    return issueDeviceSecret(app, { workspaceId: workspace_id, id }, secret)
  },
})

const oldest = 31 * microsPerDay

/** A punch of a known employee at a known device. One too old for the API gets its own time as arrival time. */
export const punch = defineFactory({
  kind: 'punch',
  shape: { direction: NewPunch.shape.direction, timestamp: NewPunch.shape.timestamp },
  relations: { employee_id: 'employee', device_id: 'device' },
  needs: ['employee_id', 'device_id'],
  async make(app, { workspace_id, employee_id, device_id, direction, timestamp }) {
    const person = await findEmployee(app.db, workspace_id, employee_id ?? 0)
    if (person === undefined) throw validation({ employee: ['The selected employee is not in this workspace.'] })
    const at = timestamp ? parseInstant(timestamp) : null
    const then = at !== null && at < app.clock.now() - oldest ? pinTime(app, timestamp ?? undefined) : app
    const punch = { user_id: person.user_id, device_id, direction, timestamp }
    const recorded = await recordPunch(then, { workspaceId: workspace_id, punch, via: 'admin' })
    if (recorded.recorded) return recorded
    throw validation({ device: ['The selected device is not in this workspace.'] })
  },
})
