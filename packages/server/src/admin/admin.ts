import type { App } from '../context.ts'
import { automationAdmin } from './automation.ts'
import { crmAdmin } from './crm.ts'
import { hrmsAdmin } from './hrms.ts'
import { integrationsAdmin } from './integrations.ts'
import { messagesAdmin } from './messages.ts'
import { peopleAdmin } from './people.ts'
import { webhooksAdmin } from './webhooks.ts'
import { workAdmin } from './work.ts'

/** Everything that administration can do, as typed functions. Bad input throws an `ApiError` with code `validation`. */
export type Admin = ReturnType<typeof createAdmin>

export const createAdmin = (app: App) => ({
  ...peopleAdmin(app),
  ...workAdmin(app),
  ...messagesAdmin(app),
  ...automationAdmin(app),
  ...hrmsAdmin(app),
  ...crmAdmin(app),
  ...integrationsAdmin(app),
  ...webhooksAdmin(app),
})
