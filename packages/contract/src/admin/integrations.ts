import * as z from 'zod/mini'
import { instant } from '../fields.ts'
import type { AdminRoute } from '../route.ts'
import { errorLevels } from '../values.ts'
import { IntegrationPatch, integrationNames } from './integration-input.ts'
import { Mapping } from './mapping.ts'
import { wholeListOf } from './pages.ts'
import { action, read, update, workspace } from './route-kinds.ts'

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
  /** Error reports: how many tickets one delivery may open. */
  max_new_tickets: z.int(),
  /** Error reports and attendance: how their bodies are read. */
  mapping: z.nullable(Mapping),
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

const all = `${workspace}/integrations` as const
const one = `${all}/{integration}` as const
const admin = { role: 'admin' } as const

export const integrationAdminRoutes = [
  { ...read, ...admin, operation: 'integrations.list', path: all, answers: { 200: wholeListOf(Integration) } },
  { ...read, ...admin, operation: 'integrations.get', path: one, answers: { 200: Integration } },
  {
    ...update,
    ...admin,
    operation: 'integrations.update',
    path: one,
    body: IntegrationPatch,
    answers: { 200: ChangedIntegration },
  },
  {
    ...action,
    ...admin,
    operation: 'integrations.rotateSecret',
    path: `${one}/rotate-secret`,
    answers: { 200: IntegrationWithSecret },
  },
] as const satisfies readonly AdminRoute[]
