import type { ReadList } from '../../read-list.ts'
import { listActivities } from './service.ts'

export const gitReads = { activities: listActivities } satisfies Record<string, ReadList>
