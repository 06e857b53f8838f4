import { maxListLength } from '@service/contract'
import type { Db } from '../../store/database.ts'
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
      'users.name as user_name',
      'users.email as user_email',
    ])
    .where('employees.workspace_id', '=', workspaceId)

export type EmployeeRow = Awaited<ReturnType<typeof listNewestEmployees>>[number]

export const listNewestEmployees = (db: Db, workspaceId: number) =>
  employeesWithUsers(db, workspaceId)
    .orderBy('employees.created_at', 'desc')
    .orderBy('employees.id', 'desc')
    .limit(maxListLength)
    .execute()

export const findEmployee = (db: Db, workspaceId: number, id: number) =>
  employeesWithUsers(db, workspaceId).where('employees.id', '=', id).executeTakeFirst()

/** Each way to name an employee; e-mails are stored trimmed and lower-cased. */
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

/** Nothing when the code, the attendance uid or the user is taken. */
export const insertEmployee = (db: Db, row: Omit<EmployeesTable, 'id'>) =>
  db
    .insertInto('employees')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()

export const updateEmployee = (db: Db, id: number, patch: Partial<Omit<EmployeesTable, 'id'>>) =>
  db.updateTable('employees').set(patch).where('id', '=', id).execute()

const deviceColumns = ['id', 'source_type', 'device_name', 'external_device_id'] as const

export const listDevices = (db: Db, workspaceId: number) =>
  db.selectFrom('devices').select(deviceColumns).where('workspace_id', '=', workspaceId).orderBy('id').execute()

/** Nothing when the workspace has such a device already. */
export const insertDevice = (db: Db, row: Omit<DevicesTable, 'id'>) =>
  db
    .insertInto('devices')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning(deviceColumns)
    .executeTakeFirst()

export const updateDeviceSecret = (
  db: Db,
  { workspaceId, id, secretHash }: { workspaceId: number; id: number; secretHash: string },
) =>
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
