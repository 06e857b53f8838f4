import type { ReadList } from '../../read-list.ts'
import { listLeadsPage } from './service.ts'

export const crmReads = { leads: listLeadsPage } satisfies Record<string, ReadList>
