import * as z from 'zod/mini'
import { maxTextLength, orNull, text } from './fields.ts'
import { Device, NewPunch, RecordedPunch, UnmatchedPunch } from './hrms.ts'
import type { RefusalStatus, Route } from './route.ts'

/** The header that carries an inbound secret (§5). */
export const webhookSecretHeader = 'X-Service-Webhook-Secret'
/** The header that carries one device's own secret, in place of the workspace's (§5). */
export const deviceSecretHeader = 'X-Device-Secret'

const pingCore = {
  status: z.string(),
  message: z.string(),
  workspace: z.string(),
  configured: z.boolean(),
  supported_methods: z.array(z.string()),
}
const pingRefusals = [404, 429, 500] as const satisfies readonly RefusalStatus[]
const inboundRefusals = [401, 404, 413, 422, 429, 500] as const satisfies readonly RefusalStatus[]

export const GitPing = z.looseObject({ ...pingCore, provider: z.string() })
export type GitPing = z.infer<typeof GitPing>

export const ErrorsPing = z.looseObject(pingCore)
export type ErrorsPing = z.infer<typeof ErrorsPing>

export const AttendancePing = z.looseObject({
  ...pingCore,
  payload_example: z.looseObject({}),
  registered_devices: z.array(Device),
  note: z.string(),
})
export type AttendancePing = z.infer<typeof AttendancePing>

export const LeadsPing = z.looseObject({ ...pingCore, supported_sources: z.array(z.string()), source_hint: z.string() })
export type LeadsPing = z.infer<typeof LeadsPing>

/** The answer to a Git delivery (§4). `stored` counts activity entries; `ticket_number` is there when a ticket was created. */
export const GitReceipt = z.looseObject({
  received: z.boolean(),
  event: z.string(),
  stored: z.int(),
  ticket_created: z.boolean(),
  ticket_number: z.optional(z.string()),
})
export type GitReceipt = z.infer<typeof GitReceipt>

/** The flat error report (§4). Every field is optional; other frameworks' own formats are read too. */
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

/** The answer to an error report (§4): a new ticket, or the one it was counted on. */
export const ErrorReceipt = z.looseObject({
  received: z.boolean(),
  ticket_created: z.boolean(),
  /** Null, as is the id, when the body held no error (a batch of sessions, say). */
  ticket_number: orNull(z.string()),
  ticket_id: orNull(z.int()),
})
export type ErrorReceipt = z.infer<typeof ErrorReceipt>

const received = { received: z.literal(true) }
export const ReceivedPunch = z.union([z.extend(RecordedPunch, received), z.extend(UnmatchedPunch, received)])
export type ReceivedPunch = z.infer<typeof ReceivedPunch>

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

const ping = <Answer extends z.ZodMiniType>(operation: string, path: string, answer: Answer) =>
  ({
    operation,
    method: 'GET',
    surface: 'inbound',
    path,
    status: 200,
    answer,
    refusals: pingRefusals,
  }) as const satisfies Route

export const pingGit = ping('git.ping', '/webhooks/{workspace}/{provider}', GitPing)
export const pingErrors = ping('errors.ping', '/webhooks/{workspace}/errors', ErrorsPing)
export const pingAttendance = ping('attendance.ping', '/webhooks/{workspace}/attendance', AttendancePing)
export const pingLeads = ping('leads.ping', '/webhooks/{workspace}/leads/{source}', LeadsPing)

export const receiveGit = {
  operation: 'git.send',
  method: 'POST',
  surface: 'inbound',
  path: '/webhooks/{workspace}/{provider}',
  body: z.looseObject({}),
  status: 200,
  answer: GitReceipt,
  refusals: inboundRefusals,
} as const satisfies Route

export const receiveError = {
  operation: 'errors.report',
  method: 'POST',
  surface: 'inbound',
  path: '/webhooks/{workspace}/errors',
  body: ErrorReport,
  status: 200,
  answer: ErrorReceipt,
  refusals: [...inboundRefusals, 403],
} as const satisfies Route

export const receivePunch = {
  operation: 'attendance.punch',
  method: 'POST',
  surface: 'inbound',
  path: '/webhooks/{workspace}/attendance',
  body: NewPunch,
  status: 200,
  answer: ReceivedPunch,
  refusals: inboundRefusals,
  refusalAnswers: { 422: z.extend(UnmatchedPunch, received) },
} as const satisfies Route

export const receiveLead = {
  operation: 'leads.capture',
  method: 'POST',
  surface: 'inbound',
  path: '/webhooks/{workspace}/leads/{source}',
  body: CapturedLead,
  status: 200,
  answer: LeadReceipt,
  refusals: inboundRefusals,
} as const satisfies Route
