import * as z from 'zod/mini'
import { maxTitleLength, requiredText } from '../fields.ts'
import { errorLevels, gitProviders } from '../values.ts'
import { mappingPatch } from './mapping.ts'

/** Inbound integrations whose secret is only compared, so it is always one of ours. */
export const secretIntegrations = ['errors', 'attendance'] as const
export type SecretIntegration = (typeof secretIntegrations)[number]

/** What third parties push into a workspace; lead sources are apart. */
export const integrationNames = [...secretIntegrations, ...gitProviders] as const
export type IntegrationName = (typeof integrationNames)[number]

/** A field that is left out stays as it is. */
export const IntegrationPatch = z.object({
  enabled: z.optional(z.boolean()),
  /** Git: whether an opened issue becomes a ticket. */
  open_tickets: z.optional(z.boolean()),
  /** Git: what the provider signs with; null for none, so that every delivery is accepted. */
  secret: z.optional(z.nullable(requiredText(maxTitleLength))),
  /** Error reports: from which level on a report opens a ticket; null for none. */
  min_level: z.optional(z.nullable(z.enum(errorLevels))),
  /** Error reports: whether a note that an error is over resolves its ticket. */
  resolve_tickets: z.optional(z.boolean()),
  /** Error reports: how many tickets one delivery may open, 1–100; 20 by default. Further new errors are held back. */
  max_new_tickets: z.optional(z.int().check(z.minimum(1), z.maximum(100))),
  /** Error reports and attendance: how their bodies are read. Null removes it. */
  mapping: mappingPatch,
})
export type IntegrationPatch = z.input<typeof IntegrationPatch>
