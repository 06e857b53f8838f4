import type { WorkspacePages } from '../../ui/page-types.ts'
import { attendanceDay } from './attendance-pages.tsx'
import { devicePages } from './device-pages.tsx'
import { employeePages } from './employee-pages.tsx'
import { punchList, replayPunch, unmatchedList } from './punch-pages.tsx'

export const hrmsPages: WorkspacePages = [
  ...employeePages,
  { method: 'GET', path: '/attendance', handle: attendanceDay },
  { method: 'GET', path: '/attendance/punches', handle: punchList },
  { method: 'GET', path: '/attendance/unmatched', handle: unmatchedList },
  { method: 'POST', path: '/attendance/unmatched/{id}/replay', role: 'member', handle: replayPunch },
  ...devicePages,
]
