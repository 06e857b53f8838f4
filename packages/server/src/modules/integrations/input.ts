import { integerId } from '@service/contract'
import * as z from 'zod/mini'

/** Inbound integrations that share one secret for the whole workspace. */
export const integrationKinds = ['errors', 'attendance'] as const
export type IntegrationKind = (typeof integrationKinds)[number]

export const IntegrationName = z.object({ workspace_id: integerId, kind: z.enum(integrationKinds) })
export type IntegrationName = z.input<typeof IntegrationName>
