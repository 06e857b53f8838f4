import * as z from 'zod/mini'
import { maxTitleLength, requiredText } from '../fields.ts'
import { errorLevels } from '../values.ts'
import { clockPatch } from './hrms-input.ts'
import { mappingPatch } from './mapping.ts'

/** Omitted fields keep their values. */
export const IntegrationPatch = z.object({
  enabled: z.optional(z.boolean()),
  /** Git: whether an opened issue becomes a ticket. */
  open_tickets: z.optional(z.boolean()),
  /** Git: the secret that the provider signs with. With null, every delivery is accepted. */
  secret: z.optional(z.nullable(requiredText(maxTitleLength))),
  /** Error reports: the lowest level that opens a ticket. Null removes the setting. */
  min_level: z.optional(z.nullable(z.enum(errorLevels))),
  /** Error reports: whether a recovery notice resolves the ticket. */
  resolve_tickets: z.optional(z.boolean()),
  /** Error reports: how many tickets one delivery may open, 1–100; 20 by default. Further new errors are held back. */
  max_new_tickets: z.optional(z.int().check(z.minimum(1), z.maximum(100))),
  /** Error reports and attendance: how their bodies are read. Null removes it. */
  mapping: mappingPatch,
  /** Attendance: how times without a UTC offset are read. A device may have its own settings. Null removes one. */
  ...clockPatch,
})
export type IntegrationPatch = z.input<typeof IntegrationPatch>
