import type { Sender } from '../send-call.ts'
import { type Attendance, attendance } from './attendance.ts'
import { type Employees, employees } from './employees.ts'

/** Human resources. */
export interface Hrms {
  readonly employees: Employees
  readonly attendance: Attendance
}

export const hrms = (send: Sender): Hrms => ({ employees: employees(send), attendance: attendance(send) })
