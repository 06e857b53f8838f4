import type { WorkspacePages } from '../../ui/page-types.ts'
import { resourcePages } from '../../ui/resource/pages.ts'
import { accounts } from './account-pages.tsx'
import { deals } from './deal-pages.tsx'
import { leads } from './lead-pages.tsx'
import { leadSourcePages } from './lead-source-pages.tsx'

export const crmPages: WorkspacePages = [
  ...resourcePages(deals),
  ...resourcePages(accounts),
  ...resourcePages(leads),
  ...leadSourcePages,
]
