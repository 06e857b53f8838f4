import type { Check } from './check.ts'
import { attendanceChecks } from './checks/attendance.ts'
import { authenticationChecks } from './checks/authentication.ts'
import { createChecks } from './checks/creates.ts'
import { intakeChecks } from './checks/intake.ts'
import { listsChecks } from './checks/lists.ts'
import { pingChecks } from './checks/pings.ts'

/** The documented behaviour, sentence by sentence. Those that write nothing stand first in each file's order of the document. */
export const checks: readonly Check[] = [
  ...authenticationChecks,
  ...listsChecks,
  ...pingChecks,
  ...createChecks,
  ...attendanceChecks,
  ...intakeChecks,
]
