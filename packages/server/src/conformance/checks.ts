import type { Check } from './check.ts'
import { attendanceChecks } from './checks/attendance.ts'
import { authenticationChecks } from './checks/authentication.ts'
import { checksByRoute } from './checks/by-route.ts'
import { createChecks } from './checks/creates.ts'
import { intakeChecks } from './checks/intake.ts'
import { listsChecks } from './checks/lists.ts'
import { pingChecks } from './checks/pings.ts'

const written: readonly Check[] = [
  ...authenticationChecks,
  ...listsChecks,
  ...pingChecks,
  ...createChecks,
  ...attendanceChecks,
  ...intakeChecks,
]

/** The documented behaviour, sentence by sentence, in the order of the document within each file. */
export const checks: readonly Check[] = [
  ...written,
  ...checksByRoute(new Set(written.map(({ operation }) => operation))),
]
