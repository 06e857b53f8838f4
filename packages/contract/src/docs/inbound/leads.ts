import type { leadRoutes } from '../../inbound/leads.ts'
import { pingDescription, pingExample } from '../../inbound/ping.ts'
import type { DocsOf } from '../../route-docs.ts'
import { leadSources } from '../../values.ts'
import { wrongSecret } from '../decisions.ts'
import { grace, unreadable } from '../example-values.ts'

const created = {
  received: true,
  lead_created: true,
  duplicate: false,
  skipped: false,
  reason: null,
  lead_id: 33,
  source: 'website',
}

/** Documentation of the lead webhook. */
export const leadDocs: DocsOf<typeof leadRoutes> = {
  'leads.ping': {
    summary: 'Check the lead webhook',
    description: `${pingDescription} Lists the supported sources. The challenges with which Meta, WhatsApp and LinkedIn try the address are answered here too.`,
    responses: {
      ready: {
        ...pingExample,
        message: 'Send leads here with POST and the header X-Service-Webhook-Secret.',
        supported_sources: [...leadSources],
        source_hint: 'website',
      },
    },
    notes: {
      does: 'Returns whether the webhook is configured, with the supported sources. Responds to challenges of platforms.',
      createdWith: ['create.leadSource'],
      decisions: [
        {
          question: 'Names of the five other sources',
          answer: 'facebook, google_ads, linkedin, tiktok, and whatsapp, in addition to website',
        },
      ],
    },
  },
  'leads.capture': {
    summary: 'Send a lead',
    description:
      'A lead that was not created is answered with 200 too: `duplicate` and `skipped` say that, and `reason` says why. The bodies of the supported platforms are read as they are.',
    bodies: { form: { ...grace, message: 'Please call me about a demo.' } },
    responses: {
      created,
      duplicate: { ...created, lead_created: false, duplicate: true, reason: 'duplicate' },
    },
    errors: { 422: unreadable },
    notes: {
      does: 'Creates a lead, or returns why not; reads the formats of the platforms.',
      createdWith: ['create.leadSource'],
      decisions: [
        wrongSecret,
        {
          question: 'Which leads are duplicates',
          answer:
            'An open lead with the same email address, on WhatsApp with the same number, or an inquiry with the same id of the sender, form, and person: `duplicate: true`, reason `duplicate`, and the `lead_id` of that lead. An inquiry that is not an exact copy is stored on it',
        },
        {
          question: 'When a lead is skipped: `skipped: true`, with one of these reasons',
          answer:
            '`source_inactive` (the source is disabled) · `no_contact` (no email address or phone number) · `test_lead` (marked as a test) · `details_not_included` (names a lead without its details) · `status_update` (a message was delivered, read, opened, or clicked) · `bounced` (a message could not be delivered) · `unsubscribed` (the person unsubscribed or complained) · `echo` (sent by the business itself) · `outbound_call` (the business called) · `chat_ended` (a chat was closed, assigned, or rated) · `honeypot` (a bot filled in a hidden field) · `spam` (marked as spam) · `withdrawn` (the person withdrew the data) · `cancelled` (the appointment was cancelled) · `message_deleted` (the person deleted the message) · `not_a_message` (a reaction, an edit, or another event of a chat) · `not_a_lead` (anything else that carries no lead) · `ignored_by_mapping` (the mapping of the source ignores it)',
        },
      ],
    },
  },
}
