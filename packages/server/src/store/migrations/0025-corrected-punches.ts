import type { Migration } from '../columns.ts'

/** Lists and hours look for corrections within a session. There are few. */
export const correctedPunches: Migration = {
  name: '0025-corrected-punches',
  isConcurrent: true,
  statements: () => ['create index punches_corrected on punches (employee_id, workspace_id, at) where corrected = 1'],
}
