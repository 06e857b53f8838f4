import type { Insertable, Updateable } from 'kysely'
import type { Page, SearchedPage } from '../../core/pagination.ts'
import { deleteRow, refuseDuplicate } from '../../store/constraint.ts'
import type { Db } from '../../store/database.ts'
import { listFiltered } from '../../store/filtered-list.ts'
import { memberName, newestFirst } from '../../store/list-query.ts'
import { createSearch } from '../../store/record-search.ts'
import type { Store } from '../../store/store.ts'
import type { RowRef } from '../../store/workspace-keys.ts'
import type { DevicesTable, EmployeesTable } from './table.ts'

const employeesWithUsers = (db: Db, workspaceId: number) =>
  db
    .selectFrom('employees')
    .innerJoin('users', 'users.id', 'employees.user_id')
    .select([
      'employees.id',
      'employees.user_id',
      'employee_code',
      'attendance_uid',
      'department',
      'job_title',
      'employment_type',
      'joined_at',
      memberName(workspaceId, 'users').as('user_name'),
      'users.email as user_email',
    ])
    .where('employees.workspace_id', '=', workspaceId)

export type EmployeeRow = NonNullable<Awaited<ReturnType<typeof findEmployee>>>

export const listEmployees = (store: Store, workspaceId: number, { search, ...page }: SearchedPage) =>
  listFiltered(store.dialect, {
    all: employeesWithUsers(store.db, workspaceId),
    search: createSearch(store, { table: 'employees', workspaceId, search }),
    page,
    orders: {},
    id: 'employees.id',
    filters: {},
  })

export const deleteEmployee = (db: Db, workspaceId: number, id: number) =>
  deleteRow(db, { table: 'employees', workspaceId, id, refusal: 'The employee has punches.' })

export const deleteDevice = (db: Db, workspaceId: number, id: number) =>
  deleteRow(db, { table: 'devices', workspaceId, id, refusal: 'The device has punches.' })

export const findAnyEmployee = (db: Db, workspaceId: number) =>
  db
    .selectFrom('employees')
    .select('user_id')
    .where('workspace_id', '=', workspaceId)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()

export const findEmployee = (db: Db, workspaceId: number, id: number) =>
  employeesWithUsers(db, workspaceId).where('employees.id', '=', id).executeTakeFirst()

/** The fields that identify an employee. E-mail addresses are stored trimmed and lower-cased. */
export type EmployeeKey = 'employee_code' | 'attendance_uid' | 'user_id' | 'email'

const employeeColumns = {
  employee_code: 'employees.employee_code',
  attendance_uid: 'employees.attendance_uid',
  user_id: 'employees.user_id',
  email: 'users.email',
} as const

export const findEmployeeBy = (
  db: Db,
  workspaceId: number,
  { key, value }: { key: EmployeeKey; value: string | number },
) => employeesWithUsers(db, workspaceId).where(employeeColumns[key], '=', value).executeTakeFirst()

/** Returns undefined if the code, attendance uid, or user is taken. */
export const insertEmployee = (db: Db, row: Insertable<EmployeesTable>) =>
  db
    .insertInto('employees')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()

export const updateEmployee = (db: Db, { workspaceId, id }: RowRef, patch: Updateable<EmployeesTable>) =>
  refuseDuplicate(
    db.updateTable('employees').set(patch).where('workspace_id', '=', workspaceId).where('id', '=', id).execute(),
    'An employee with this code or attendance uid already exists.',
  )

const deviceColumns = [
  ...(['id', 'source_type', 'device_name', 'external_device_id', 'time_zone', 'timestamp_format'] as const),
] as const

const selectDevices = (db: Db, workspaceId: number) =>
  db.selectFrom('devices').select(deviceColumns).where('workspace_id', '=', workspaceId)

export const listDevices = (db: Db, workspaceId: number) => selectDevices(db, workspaceId).orderBy('id').execute()

export const listDevicesPage = (db: Db, workspaceId: number, page: Page) =>
  newestFirst(selectDevices(db, workspaceId), page).execute()

export const findDevice = (db: Db, workspaceId: number, id: number) =>
  selectDevices(db, workspaceId).where('id', '=', id).executeTakeFirst()

export const updateDevice = (db: Db, { workspaceId, id }: RowRef, patch: Updateable<DevicesTable>) =>
  db.updateTable('devices').set(patch).where('workspace_id', '=', workspaceId).where('id', '=', id).execute()

/** Returns undefined if the workspace already has this device. */
export const insertDevice = (db: Db, row: Insertable<DevicesTable>) =>
  db
    .insertInto('devices')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning(deviceColumns)
    .executeTakeFirst()

export const updateDeviceSecret = (db: Db, { workspaceId, id, secretHash }: RowRef & { readonly secretHash: string }) =>
  db
    .updateTable('devices')
    .set({ secret_hash: secretHash })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning(deviceColumns)
    .executeTakeFirst()

export const findDeviceBySecretHash = (db: Db, workspaceId: number, secretHash: string) =>
  db
    .selectFrom('devices')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('secret_hash', '=', secretHash)
    .executeTakeFirst()
