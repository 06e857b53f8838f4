import * as z from 'zod/mini'
import type { InboundRoute } from '../route.ts'
import { delivery, ping, pingFields } from './ping.ts'

export const GitPing = z.looseObject({ ...pingFields, provider: z.string() })

export type GitPing = z.infer<typeof GitPing>

/** The response to a Git delivery (§4). `stored` counts activity entries. A created ticket sets `ticket_number`. */
export const GitReceipt = z.looseObject({
  received: z.boolean(),
  event: z.string(),
  stored: z.int(),
  ticket_created: z.boolean(),
  ticket_number: z.optional(z.string()),
})

export type GitReceipt = z.infer<typeof GitReceipt>

export const pingGit = {
  ...ping,
  operation: 'git.ping',
  path: '/webhooks/{workspace}/{provider}',
  responses: { 200: GitPing },
} as const satisfies InboundRoute

export const receiveGit = {
  ...delivery,
  operation: 'git.send',
  path: '/webhooks/{workspace}/{provider}',
  secrets: ['provider'],
  body: z.looseObject({}),
  idempotencyKey: false,
  responses: { 200: GitReceipt },
} as const satisfies InboundRoute

export const gitRoutes = [pingGit, receiveGit] as const satisfies readonly InboundRoute[]
