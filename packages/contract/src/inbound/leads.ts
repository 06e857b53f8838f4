import * as z from 'zod/mini'
import { wrongSecret } from '../docs/decisions.ts'
import { maxTextLength, orNull, text } from '../fields.ts'
import type { InboundRoute } from '../route.ts'
import type { DocsOf } from '../route-docs.ts'
import { leadSources } from '../values.ts'
import { deliveryRefusals, pingDescription, pingExample, pingFields, pingRefusals } from './ping.ts'

export const LeadsPing = z.looseObject({
  ...pingFields,
  supported_sources: z.array(z.string()),
  source_hint: z.string(),
})
export type LeadsPing = z.infer<typeof LeadsPing>

/** LinkedIn's challenge with the signature that it asks for, in place of a ping's answer. */
export const SignedChallenge = z.looseObject({ challengeCode: z.string(), challengeResponse: z.string() })

/** The documented lead body (§4); the platforms' own bodies are read too. */
export const CapturedLead = z.looseObject({
  name: text(maxTextLength),
  email: text(maxTextLength),
  phone: text(maxTextLength),
  company: text(maxTextLength),
  message: text(maxTextLength),
})
export type CapturedLead = z.input<typeof CapturedLead>

/** The answer to a lead (§4): created, or why not. */
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
  operation: 'leads.ping',
  method: 'GET',
  surface: 'inbound',
  path: '/webhooks/{workspace}/leads/{source}',
  answers: { 200: LeadsPing },
  challengeAnswer: SignedChallenge,
  refusals: [...pingRefusals, 403],
} as const satisfies InboundRoute

export const receiveLead = {
  operation: 'leads.capture',
  method: 'POST',
  surface: 'inbound',
  path: '/webhooks/{workspace}/leads/{source}',
  secrets: ['webhook'],
  body: CapturedLead,
  answers: { 200: LeadReceipt },
  refusals: deliveryRefusals,
} as const satisfies InboundRoute

export const leadRoutes = [pingLeads, receiveLead] as const satisfies readonly InboundRoute[]

/** Documentation of the lead webhook. */
export const leadDocs = (): DocsOf<typeof leadRoutes> => ({
  'leads.ping': {
    tag: 'Lead capture',
    summary: 'Check the lead webhook',
    description: `${pingDescription} Lists the supported sources. The challenges with which Meta, WhatsApp and LinkedIn try the address are answered here too.`,
    answers: {
      ready: {
        ...pingExample,
        message: 'The lead webhook is ready.',
        supported_sources: [...leadSources],
        source_hint: 'website',
      },
    },
    notes: {
      does: 'Says whether the webhook is configured, with the supported sources. Answers a platform’s challenge.',
      madeBy: ['create.leadSource'],
      decisions: [
        {
          open: 'Names of the five other sources',
          decided: 'facebook, google_ads, linkedin, tiktok, whatsapp beside website',
        },
      ],
    },
  },
  'leads.capture': {
    tag: 'Lead capture',
    summary: 'Send a lead',
    description:
      'A lead that was not created is answered with 200 too: `duplicate` and `skipped` say that, and `reason` says why. The bodies of the supported platforms are read as they are.',
    bodies: {
      form: {
        name: 'Grace Kim',
        email: 'grace@fabrikam.test',
        phone: '+49 30 5550123',
        company: 'Fabrikam',
        message: 'Please call me about a demo.',
      },
    },
    answers: {
      created: {
        received: true,
        lead_created: true,
        duplicate: false,
        skipped: false,
        reason: null,
        lead_id: 33,
        source: 'website',
      },
      duplicate: {
        received: true,
        lead_created: false,
        duplicate: true,
        skipped: false,
        reason: 'duplicate',
        lead_id: 33,
        source: 'website',
      },
    },
    notes: {
      does: 'Writes a lead, or says why not; reads the platforms’ own formats.',
      madeBy: ['create.leadSource'],
      decisions: [
        wrongSecret,
        {
          open: 'What is the same lead',
          decided:
            'An open lead with the same e-mail, or on WhatsApp the same number; or the same enquiry again: `duplicate: true`, reason `duplicate`, and the `lead_id` of that lead',
        },
        {
          open: 'When a lead is skipped: `skipped: true`, with one of these reasons',
          decided:
            '`source_inactive` (the source is off) · `no_contact` (neither e-mail nor phone) · `test_lead` (marked as a test) · `details_not_included` (names a lead without its details) · `status_update` (the state of a message) · `echo` (sent by the business itself) · `withdrawn` (the person withdrew the data) · `cancelled` (the appointment was cancelled) · `message_deleted` (the person deleted the message) · `not_a_message` (a reaction, an edit or another event of a chat) · `not_a_lead` (anything else that carries no lead)',
        },
      ],
    },
  },
})
