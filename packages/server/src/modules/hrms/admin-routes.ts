import type { Act, ReadList } from '../../read-list.ts'
import { listPunchesPage, listSessionsPage, listUnmatchedPage } from './attendance/lists.ts'
import { replayUnmatched } from './attendance/service.ts'

export const hrmsReads = {
  punches: listPunchesPage,
  'attendance-sessions': listSessionsPage,
  'unmatched-punches': listUnmatchedPage,
} satisfies Record<string, ReadList>

export const hrmsActions = { 'unmatched-punches/{id}/replay': replayUnmatched } satisfies Record<string, Act>
