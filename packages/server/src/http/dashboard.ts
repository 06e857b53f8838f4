import { Hono } from 'hono'
import { compress } from 'hono/compress'
import type { App } from '../context.ts'
import { auditPages } from '../modules/audit-log/pages.tsx'
import { automationPages } from '../modules/automation/pages.tsx'
import { systemPages } from '../modules/backups/pages.tsx'
import { accounts, crmPages, deals, leads } from '../modules/crm/pages.tsx'
import { errorPages } from '../modules/error-reports/pages.tsx'
import { gitPages } from '../modules/git/pages.tsx'
import { employees, hrmsPages } from '../modules/hrms/pages.tsx'
import { integrationPages } from '../modules/integrations/pages.tsx'
import { memberPages } from '../modules/members/pages.tsx'
import { messagePages } from '../modules/messages/pages.tsx'
import { overviewPages } from '../modules/overview/pages.tsx'
import { personPages } from '../modules/overview/person-pages.tsx'
import { searchPages } from '../modules/overview/search-pages.tsx'
import { projectPages, projects } from '../modules/projects/pages.tsx'
import { taskPages, tasks } from '../modules/tasks/pages.tsx'
import { tickets } from '../modules/tickets/list-pages.tsx'
import { ticketPages } from '../modules/tickets/pages.tsx'
import { tokenPages } from '../modules/tokens/pages.tsx'
import { accountPages } from '../modules/users/pages.tsx'
import { peoplePages } from '../modules/users/people-pages.tsx'
import { signInPages } from '../modules/users/sign-in-pages.tsx'
import { webhookPages } from '../modules/webhooks/pages.tsx'
import { instanceWorkspacePages } from '../modules/workspaces/instance-pages.tsx'
import { openWorkspacePages } from '../modules/workspaces/open-pages.tsx'
import { workspaceSettingsPages } from '../modules/workspaces/pages.tsx'
import type { WorkspacePages } from '../ui/page-types.ts'
import { loadAssets, unknownFile } from './dashboard/assets.ts'
import { createEditors } from './dashboard/editors.ts'
import { mountLive } from './dashboard/live.ts'
import { describeRoutes, mountPages, mountSession } from './dashboard/mount-pages.ts'
import type { AnswerAdmin } from './dashboard/page-context.ts'
import { answerFailure } from './error-response.ts'

const pages: WorkspacePages = [
  ...overviewPages,
  ...personPages({ leads, tickets, deals }),
  ...ticketPages,
  ...taskPages,
  ...projectPages,
  ...crmPages,
  ...hrmsPages,
  ...messagePages,
  ...gitPages,
  ...errorPages,
  ...tokenPages,
  ...webhookPages,
  ...integrationPages,
  ...automationPages,
  ...workspaceSettingsPages,
  ...memberPages,
  ...auditPages,
  ...systemPages,
]

const workspacePages: WorkspacePages = [
  ...pages,
  ...searchPages({ resources: [tickets, leads, accounts, deals, tasks, projects, employees], pages }),
]

const allPages = {
  publicPages: signInPages,
  accountPages: [...accountPages, ...openWorkspacePages, ...instanceWorkspacePages, ...peoplePages],
  workspacePages,
}

/** Descriptions of all pages, for tests that check each of them. */
export const dashboardRoutes = describeRoutes(allPages)

export async function createDashboard(app: App, answerAdmin: AnswerAdmin): Promise<Hono> {
  const assets = await loadAssets()
  const hono = new Hono().basePath('/dashboard')
  hono.onError(answerFailure(app.log))
  // Only GET: secrets are shown only in responses to forms. An attacker who measures compressed sizes (BREACH) can make a
  // browser request pages, but cannot submit its forms, so the pages with chosen input contain no secret.
  const compressed = compress()
  hono.use((c, next) => (c.req.method === 'GET' ? compressed(c, next) : next()))
  hono.get('/assets/:version/:name', (c) => assets.answer(c.req.raw, c.req.param('version'), c.req.param('name')))
  // Not a page: an unknown file does not lead to the sign-in form.
  for (const path of ['/assets', '/assets/*']) hono.all(path, () => unknownFile())
  mountLive(hono, app, answerAdmin)
  mountSession(hono, app, answerAdmin)
  mountPages(hono, { app, answerAdmin, assets, editors: createEditors(app) }, allPages)
  return hono
}
