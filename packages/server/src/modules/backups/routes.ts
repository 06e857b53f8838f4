import type { operationsAdminRoutes } from '@service/contract/admin/operations'
import type { AdminHandlers } from '../../route-handler.ts'
import { createBackup, listBackups } from './service.ts'

export const backupAdminHandlers = {
  'backups.list': (app) => listBackups(app),
  'backups.create': {
    async prepare(app) {
      const backup = await createBackup(app)
      return async () => backup
    },
  },
} satisfies Pick<AdminHandlers<typeof operationsAdminRoutes>, 'backups.list' | 'backups.create'>
