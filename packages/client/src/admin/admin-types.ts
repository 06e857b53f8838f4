import type { adminRoutes } from '@service/contract/admin'
import type { Methods } from '../methods.ts'

// The build replaces this file with `build/published-types.ts` before it writes the declarations.

export type * from '@service/contract/admin/audit'
export type * from '@service/contract/admin/automation'
export type * from '@service/contract/admin/automation-input'
export type * from '@service/contract/admin/crm'
export type * from '@service/contract/admin/crm-input'
export type * from '@service/contract/admin/deliveries'
export type * from '@service/contract/admin/error-reports'
export type * from '@service/contract/admin/git'
export type * from '@service/contract/admin/hrms'
export type * from '@service/contract/admin/hrms-input'
export type * from '@service/contract/admin/inbound-deliveries'
export type * from '@service/contract/admin/integration-input'
export type * from '@service/contract/admin/integrations'
export type * from '@service/contract/admin/mapping'
export type * from '@service/contract/admin/messages'
export type * from '@service/contract/admin/operations'
export type * from '@service/contract/admin/origin'
export type * from '@service/contract/admin/overview'
export type { Page } from '@service/contract/admin/pages'
export type * from '@service/contract/admin/people'
export type * from '@service/contract/admin/people-input'
export type * from '@service/contract/admin/users'
export type * from '@service/contract/admin/webhook-input'
export type * from '@service/contract/admin/webhooks'
export type * from '@service/contract/admin/work'
export type * from '@service/contract/admin/work-input'
export type { EventName } from '@service/contract/events'
export type { IntegrationName, SecretIntegration } from '@service/contract/integration-names'
export type { Scope } from '@service/contract/scopes'
export type { ErrorLevel } from '@service/contract/values'

/**
 * Everything that administration can do, over HTTP, in process, or from the command line. The first argument of a
 * method holds the path parameters (`{workspace, id}`), the second the input. Invalid input is a ValidationError, an id
 * that is not in the workspace a NotFoundError.
 */
export type Admin = Methods<(typeof adminRoutes)[number]>
