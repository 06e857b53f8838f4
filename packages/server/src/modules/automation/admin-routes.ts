import type { ReadList } from '../../read-list.ts'
import { listRuns } from './service.ts'

export const automationReads = { 'automation-runs': listRuns } satisfies Record<string, ReadList>
