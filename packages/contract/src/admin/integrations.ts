import * as z from 'zod/mini'
import { instant } from '../fields.ts'
import type { AdminRoute } from '../route.ts'
import { errorLevels } from '../values.ts'
import { IntegrationPatch, integrationNames } from './integration-input.ts'
import { actionRefusals, readRefusals, writeRefusals } from './pages.ts'

const integration = {
  integration: z.enum(integrationNames),
  enabled: z.boolean(),
  has_secret: z.boolean(),
  /** Git: whether an opened issue becomes a ticket. */
  open_tickets: z.boolean(),
  /** Error reports: from which level on a report opens a ticket; null when the workspace has set none. */
  min_level: z.nullable(z.enum(errorLevels)),
  /** Error reports: whether a note that an error is over resolves its ticket. */
  resolve_tickets: z.boolean(),
  /** Null while nobody has set it up. */
  updated_at: z.nullable(instant),
}

/** What third parties may push into the workspace, without its secret. */
export const Integration = z.object(integration)

export type Integration = z.output<typeof Integration>

/** With the first secret, when the change has issued it. */
export const ChangedIntegration = z.object({ ...integration, secret: z.optional(z.string()) })

export type ChangedIntegration = z.output<typeof ChangedIntegration>

/** With the secret, which is in this answer and in no other. */
export const IntegrationWithSecret = z.object({ ...integration, secret: z.string() })

export type IntegrationWithSecret = z.output<typeof IntegrationWithSecret>

const one = '/workspaces/{workspace}/integrations/{integration}'

const common = { surface: 'admin', role: 'admin' } as const

export const integrationAdminRoutes = [
  {
    ...common,
    operation: 'integrations.list',
    method: 'GET',
    path: '/workspaces/{workspace}/integrations',
    answers: { 200: z.object({ data: z.array(Integration) }) },
    refusals: readRefusals,
  },
  {
    ...common,
    operation: 'integrations.get',
    method: 'GET',
    path: one,
    answers: { 200: Integration },
    refusals: readRefusals,
  },
  {
    ...common,
    operation: 'integrations.update',
    method: 'PATCH',
    path: one,
    body: IntegrationPatch,
    answers: { 200: ChangedIntegration },
    refusals: writeRefusals,
  },
  {
    ...common,
    operation: 'integrations.rotateSecret',
    method: 'POST',
    path: `${one}/rotate-secret`,
    answers: { 200: IntegrationWithSecret },
    refusals: actionRefusals,
  },
] as const satisfies readonly AdminRoute[]
