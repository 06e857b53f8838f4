import type { WorkspacePages } from '../../ui/page-types.ts'
import { changeSettings, integrationDetail, issueSecret } from './detail-pages.tsx'
import { integrationList } from './list-pages.tsx'

const role = 'admin'

export const integrationPages: WorkspacePages = [
  { method: 'GET', path: '/integrations', role, handle: integrationList },
  { method: 'GET', path: '/integrations/{integration}', role, handle: integrationDetail },
  { method: 'POST', path: '/integrations/{integration}', role, handle: issueSecret },
  { method: 'POST', path: '/integrations/{integration}/settings', role, handle: changeSettings },
]
