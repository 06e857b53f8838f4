import { gitProviders, integerId, maxTitleLength, requiredText } from '@service/contract'
import * as z from 'zod/mini'

/** Inbound integrations that share one secret for the whole workspace. */
export const integrationKinds = ['errors', 'attendance'] as const
export type IntegrationKind = (typeof integrationKinds)[number]

export const IntegrationName = z.object({ workspace_id: integerId, kind: z.enum(integrationKinds) })
export type IntegrationName = z.input<typeof IntegrationName>

export const GitIntegrationInput = z.object({
  workspace_id: integerId,
  provider: z.enum(gitProviders),
  enabled: z._default(z.boolean(), true),
  /** Whether an opened issue becomes a ticket. */
  create_tickets: z.optional(z.boolean()),
  /** What the provider signs with; null removes it. */
  secret: z.optional(z.nullable(requiredText(maxTitleLength))),
})
export type GitIntegrationInput = z.input<typeof GitIntegrationInput>
