import { checkInput } from '../check-input.ts'
import type { App } from '../context.ts'
import { listErrors } from '../modules/error-reports/service.ts'
import { listActivities } from '../modules/git/service.ts'
import { listDeliveries } from '../modules/inbound-deliveries/service.ts'
import { setGitIntegration } from '../modules/integrations/git-service.ts'
import { GitIntegrationInput, IntegrationName } from '../modules/integrations/input.ts'
import * as integrations from '../modules/integrations/service.ts'
import { defaultPage, type Page } from '../page.ts'

/** What third parties may push into a workspace. */
export const integrationsAdmin = (app: App) => ({
  integrations: {
    /** A first time the answer holds the integration's secret, and never again. */
    enable: async (name: IntegrationName) => integrations.enableIntegration(app, checkInput(IntegrationName, name)),
    disable: async (name: IntegrationName) => integrations.disableIntegration(app, checkInput(IntegrationName, name)),
    regenerateSecret: async (name: IntegrationName) =>
      integrations.regenerateSecret(app, checkInput(IntegrationName, name)),
    /** GitHub, GitLab or Bitbucket; with a secret, deliveries must be signed with it. */
    setGit: async (input: GitIntegrationInput) => setGitIntegration(app, checkInput(GitIntegrationInput, input)),
    list: (workspaceId: number) => integrations.listIntegrations(app, workspaceId),
  },
  activities: {
    /** What happened in the workspace's repositories, newest first. */
    list: (workspaceId: number, page: Page = defaultPage) => listActivities(app, workspaceId, page),
  },
  errorReports: {
    /** One entry per error: count, first and last seen, latest sample; newest error first. */
    list: (workspaceId: number, page: Page = defaultPage) => listErrors(app, workspaceId, page),
  },
  deliveriesIn: {
    /** The last inbound deliveries that came with the right secret, newest first. */
    list: (workspaceId: number, page: Page = defaultPage) => listDeliveries(app, workspaceId, page),
  },
})
