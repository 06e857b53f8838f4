import type { WorkspacePages } from '../../ui/page-types.ts'
import { errorDetail } from './detail-pages.tsx'
import { errorList } from './list-pages.tsx'

export const errorPages: WorkspacePages = [
  { method: 'GET', path: '/errors', handle: errorList },
  { method: 'GET', path: '/errors/{id}', handle: errorDetail },
]
