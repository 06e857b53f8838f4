import { checkInput } from '../check-input.ts'
import type { App } from '../context.ts'
import { IntegrationName } from '../modules/integrations/input.ts'
import * as integrations from '../modules/integrations/service.ts'

/** What third parties may push into a workspace. */
export const integrationsAdmin = (app: App) => ({
  integrations: {
    /** A first time the answer holds the integration's secret, and never again. */
    enable: (name: IntegrationName) => integrations.enableIntegration(app, checkInput(IntegrationName, name)),
    disable: (name: IntegrationName) => integrations.disableIntegration(app, checkInput(IntegrationName, name)),
    regenerateSecret: (name: IntegrationName) => integrations.regenerateSecret(app, checkInput(IntegrationName, name)),
    list: (workspaceId: number) => integrations.listIntegrations(app, workspaceId),
  },
})
