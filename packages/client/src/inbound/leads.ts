import type { LeadSource } from '@service/contract/values'
import type { Call } from '../call.ts'
import type { CallOptions, CreateOptions } from '../call-options.ts'
import { callerStack } from '../caller-stack.ts'
import type { CheckedSecrets } from './inbound-options.ts'
import { type Ping, pingRoute } from './ping.ts'
import { type InboundRoute, type SendInbound, secretHeader } from './send-inbound.ts'

export interface LeadsPing extends Ping {
  supported_sources: string[]
  /** The source of the path. */
  source_hint: string
}

/** A lead from a form. Further fields, such as answers to your own questions, are stored as notes. */
export interface CapturedLead {
  name?: string | null | undefined
  email?: string | null | undefined
  phone?: string | null | undefined
  company?: string | null | undefined
  message?: string | null | undefined
  [field: string]: unknown
}

/** The result of a lead: created, or why not. */
export interface LeadReceipt {
  received: boolean
  lead_created: boolean
  /** The person already has an open lead, which is `lead_id`. */
  duplicate: boolean
  skipped: boolean
  reason: string | null
  lead_id: number | null
  source: string
}

/** Leads of forms and advertising platforms. */
export interface InboundLeads {
  ping(source: LeadSource, options?: CallOptions): Call<LeadsPing>
  /**
   * Sends a lead with the secret of its source. Duplicates and skipped leads are results, not errors.
   *
   * @example
   * const receipt = await inbound.leads.capture('website', { name: 'Grace', email: 'grace@example.org' })
   */
  capture(source: LeadSource, lead: CapturedLead, options?: CreateOptions): Call<LeadReceipt>
}

const path = '/webhooks/{workspace}/leads/{source}'

const pingLeads = pingRoute('leads.ping', path, { supported_sources: 'array', source_hint: 'string' })

const captureLead: InboundRoute = {
  operation: 'leads.capture',
  method: 'POST',
  path,
  body: {},
  responses: {
    200: {
      received: 'boolean',
      lead_created: 'boolean',
      duplicate: 'boolean',
      skipped: 'boolean',
      reason: 'string|null',
      lead_id: 'integer|null',
      source: 'string',
    },
  },
}

export function leads(send: SendInbound, secrets: CheckedSecrets): InboundLeads {
  const methods: InboundLeads = {
    ping: (source, options) =>
      send({ route: pingLeads, params: { source }, options, callerStack: callerStack(methods.ping) }),
    capture(source, body, options) {
      const credentials = secretHeader(Object.hasOwn(secrets.leads, source) ? secrets.leads[source] : undefined)
      return send({
        route: captureLead,
        params: { source },
        body,
        credentials,
        options,
        callerStack: callerStack(methods.capture),
      })
    },
  }
  return methods
}
