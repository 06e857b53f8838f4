import type { integrationAdminRoutes } from '@service/contract/admin/integrations'
import type { AdminHandlers } from '../../route-handler.ts'
import * as service from './service.ts'

export const integrationAdminHandlers = {
  'integrations.list': async (app, { workspaceId }) => ({ data: await service.listIntegrations(app, workspaceId) }),
  'integrations.get': service.getIntegration,
  'integrations.update': (app, { body, ...ref }) => service.updateIntegration(app, ref, body),
  'integrations.rotateSecret': service.rotateSecret,
} satisfies AdminHandlers<typeof integrationAdminRoutes>
