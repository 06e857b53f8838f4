import type { WorkspacePages } from '../../ui/page-types.ts'
import { attendanceDay } from './attendance-pages.tsx'
import { devicePages } from './device-pages.tsx'
import { createEmployee, editEmployee, newEmployee, updateEmployee } from './employee-edit-pages.tsx'
import { deleteEmployee, employeeDetail, employeeList } from './employee-pages.tsx'
import { punchList, replayPunch, unmatchedList } from './punch-pages.tsx'

export const hrmsPages: WorkspacePages = [
  { method: 'GET', path: '/employees', handle: employeeList },
  { method: 'GET', path: '/employees/new', role: 'admin', handle: newEmployee },
  { method: 'POST', path: '/employees', role: 'admin', handle: createEmployee },
  { method: 'GET', path: '/employees/{id}', handle: employeeDetail },
  { method: 'GET', path: '/employees/{id}/edit', role: 'admin', handle: editEmployee },
  { method: 'POST', path: '/employees/{id}', role: 'admin', handle: updateEmployee },
  { method: 'POST', path: '/employees/{id}/delete', role: 'admin', handle: deleteEmployee },
  { method: 'GET', path: '/attendance', handle: attendanceDay },
  { method: 'GET', path: '/attendance/punches', handle: punchList },
  { method: 'GET', path: '/attendance/unmatched', handle: unmatchedList },
  { method: 'POST', path: '/attendance/unmatched/{id}/replay', role: 'member', handle: replayPunch },
  ...devicePages,
]
