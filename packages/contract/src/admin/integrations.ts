import * as z from 'zod/mini'
import { instant } from '../fields.ts'
import { integrationNames } from '../integration-names.ts'
import type { AdminRoute } from '../route.ts'
import { errorLevels } from '../values.ts'
import { timestampFormats } from './hrms-input.ts'
import { IntegrationPatch } from './integration-input.ts'
import { Mapping } from './mapping.ts'
import { wholeListOf } from './pages.ts'
import { action, read, update, workspace } from './route-kinds.ts'

const integration = {
  integration: z.enum(integrationNames),
  enabled: z.boolean(),
  has_secret: z.boolean(),
  /** Git: whether an opened issue becomes a ticket. */
  open_tickets: z.boolean(),
  /** Error reports: the lowest level that opens a ticket. Null when the workspace has not set one. */
  min_level: z.nullable(z.enum(errorLevels)),
  /** Error reports: whether a recovery notice resolves the ticket. */
  resolve_tickets: z.boolean(),
  /** Error reports: how many tickets one delivery may open. */
  max_new_tickets: z.int(),
  /** Error reports and attendance: how their bodies are read. */
  mapping: z.nullable(Mapping),
  /** Attendance: the time zone of times without a UTC offset. */
  time_zone: z.nullable(z.string()),
  /** Attendance: how times without a UTC offset are written. */
  timestamp_format: z.nullable(z.enum(timestampFormats)),
  /** Null before the integration is set up. */
  updated_at: z.nullable(instant),
}

/** An inbound integration, without its secret. */
export const Integration = z.object(integration)

export type Integration = z.output<typeof Integration>

/** With the first secret, if the change issued one. */
export const ChangedIntegration = z.object({ ...integration, secret: z.optional(z.string()) })

export type ChangedIntegration = z.output<typeof ChangedIntegration>

/** With the secret, which only this response contains. */
export const IntegrationWithSecret = z.object({ ...integration, secret: z.string() })

export type IntegrationWithSecret = z.output<typeof IntegrationWithSecret>

const all = `${workspace}/integrations` as const
const one = `${all}/{integration}` as const
const admin = { role: 'admin' } as const

export const integrationAdminRoutes = [
  { ...read, ...admin, operation: 'integrations.list', path: all, responses: { 200: wholeListOf(Integration) } },
  { ...read, ...admin, operation: 'integrations.get', path: one, responses: { 200: Integration } },
  {
    ...update,
    ...admin,
    operation: 'integrations.update',
    path: one,
    body: IntegrationPatch,
    responses: { 200: ChangedIntegration },
  },
  {
    ...action,
    ...admin,
    operation: 'integrations.rotateSecret',
    path: `${one}/rotate-secret`,
    responses: { 200: IntegrationWithSecret },
  },
] as const satisfies readonly AdminRoute[]
