import type { ReadList } from '../../read-list.ts'
import { listErrors } from './service.ts'

export const errorReads = { 'error-reports': listErrors } satisfies Record<string, ReadList>
