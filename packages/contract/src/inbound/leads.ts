import * as z from 'zod/mini'
import { maxTextLength, orNull, text } from '../fields.ts'
import type { InboundRoute } from '../route.ts'
import { delivery, ping, pingFields } from './ping.ts'

export const LeadsPing = z.looseObject({
  ...pingFields,
  supported_sources: z.array(z.string()),
  source_hint: z.string(),
})

export type LeadsPing = z.infer<typeof LeadsPing>

/** LinkedIn's challenge with the required signature, returned instead of a ping response. */
export const SignedChallenge = z.looseObject({ challengeCode: z.string(), challengeResponse: z.string() })

/** The documented lead body (§4). The platforms' own bodies are also accepted. */
export const CapturedLead = z.looseObject({
  name: text(maxTextLength),
  email: text(maxTextLength),
  phone: text(maxTextLength),
  company: text(maxTextLength),
  message: text(maxTextLength),
})

export type CapturedLead = z.input<typeof CapturedLead>

/** The response to a lead (§4): created, or why not. */
export const LeadReceipt = z.looseObject({
  received: z.boolean(),
  lead_created: z.boolean(),
  duplicate: z.boolean(),
  skipped: z.boolean(),
  reason: orNull(z.string()),
  lead_id: orNull(z.int()),
  source: z.string(),
})

export type LeadReceipt = z.infer<typeof LeadReceipt>

export const pingLeads = {
  ...ping,
  operation: 'leads.ping',
  path: '/webhooks/{workspace}/leads/{source}',
  responses: { 200: LeadsPing },
  challengeResponse: SignedChallenge,
  errorStatuses: [...ping.errorStatuses, 403],
} as const satisfies InboundRoute

export const receiveLead = {
  ...delivery,
  operation: 'leads.capture',
  path: '/webhooks/{workspace}/leads/{source}',
  secrets: ['webhook'],
  body: CapturedLead,
  responses: { 200: LeadReceipt },
} as const satisfies InboundRoute

export const leadRoutes = [pingLeads, receiveLead] as const satisfies readonly InboundRoute[]
