import * as z from 'zod/mini'
import { maxTextLength, orNull, text } from '../fields.ts'
import type { InboundRoute } from '../route.ts'
import { delivery, ping, pingFields } from './ping.ts'

export const ErrorsPing = z.looseObject(pingFields)

export type ErrorsPing = z.infer<typeof ErrorsPing>

/** The flat error report (§4). Every field is optional. The formats of other frameworks are also accepted. */
export const ErrorReport = z.looseObject({
  message: text(maxTextLength),
  status_code: z.nullish(z.int()),
  exception: text(maxTextLength),
  file: text(maxTextLength),
  line: z.nullish(z.int()),
  url: text(maxTextLength),
  method: text(maxTextLength),
  framework: text(maxTextLength),
  environment: text(maxTextLength),
  app_name: text(maxTextLength),
  severity: text(maxTextLength),
})

export type ErrorReport = z.input<typeof ErrorReport>

/** The response to an error report (§4): a new ticket, or the ticket that counts it. */
export const ErrorReceipt = z.looseObject({
  received: z.boolean(),
  ticket_created: z.boolean(),
  /** Null, like the id, if the body contained no error (such as a batch of sessions). */
  ticket_number: orNull(z.string()),
  ticket_id: orNull(z.int()),
})

export type ErrorReceipt = z.infer<typeof ErrorReceipt>

export const pingErrors = {
  ...ping,
  operation: 'errors.ping',
  path: '/webhooks/{workspace}/errors',
  responses: { 200: ErrorsPing },
} as const satisfies InboundRoute

export const receiveError = {
  ...delivery,
  operation: 'errors.report',
  path: '/webhooks/{workspace}/errors',
  scope: 'tickets:write',
  secrets: ['webhook'],
  body: ErrorReport,
  responses: { 200: ErrorReceipt },
  errorStatuses: [...delivery.errorStatuses, 403],
} as const satisfies InboundRoute

export const errorRoutes = [pingErrors, receiveError] as const satisfies readonly InboundRoute[]
