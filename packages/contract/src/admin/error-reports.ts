import * as z from 'zod/mini'
import { day, instant, integerId, maxTitleLength, requiredText } from '../fields.ts'
import type { AdminRoute } from '../route.ts'
import { TicketReference } from '../tasks.ts'
import { errorLevels } from '../values.ts'
import { BodyToExplain, mappedList } from './mapping.ts'
import { pageOf, pageQuery, wholeListOf } from './pages.ts'
import { create, list, read, workspace } from './route-kinds.ts'

const said = z.nullable(z.string())

/** Reports of one error: how often, since when, on which ticket, and what the latest one said. */
export const ErrorGroup = z.object({
  id: integerId,
  fingerprint: z.string(),
  ticket_id: z.nullable(integerId),
  count: z.int(),
  first_seen_at: instant,
  last_seen_at: instant,
  message: said,
  exception: said,
  file: said,
  line: z.nullable(z.int()),
  framework: said,
  environment: said,
  severity: said,
  app: said,
  /** The latest report, with secrets masked. */
  sample: z.looseObject({}),
})

export type ErrorGroup = z.output<typeof ErrorGroup>

/** Which errors of a list: those that pass all of these. */
export const ErrorReportQuery = z.object({
  ...pageQuery,
  app: z.optional(requiredText(maxTitleLength)),
  /** `resolved` when its ticket is resolved or closed, else `open`. */
  status: z.optional(z.enum(['open', 'resolved'])),
})

/** An error with its newest reports, and how often it came. */
export const ErrorGroupDetail = z.extend(ErrorGroup, {
  ticket: z.nullable(TicketReference),
  /** At most ten, the newest first, with secrets masked. */
  samples: z.array(z.object({ seen_at: instant, report: z.looseObject({}) })),
  /** Of the last 30 days those on which it was reported (UTC), the oldest first. */
  days: z.array(z.object({ day, count: z.int() })),
})

export type ErrorGroupDetail = z.output<typeof ErrorGroupDetail>

/** How one report of a body is read, and which error it belongs to. */
export const ExplainedReport = z.object({
  /** The name of the format, as the documentation lists them. */
  format: z.string(),
  /** The title that a ticket would have. */
  title: z.string(),
  level: z.enum(errorLevels),
  /** A note that an error is over. */
  recovered: z.boolean(),
  /** Whether a report of this level and kind opens a ticket in this workspace when the error has none. */
  opens_ticket: z.boolean(),
  /** What decides whether it opens a ticket. */
  opens_because: z.enum(['mapping', 'documented', 'min_level', 'recovered']),
  key: z.string(),
  /** What the key is made of, in its order. */
  key_parts: z.array(z.object({ name: z.string(), value: z.string() })),
  /** The rules of grouping that changed the message. */
  message_rules: z.array(z.string()),
  /** The ticket that reports of this key are counted on. */
  ticket_id: z.nullable(integerId),
  /** What was read, with secrets masked. */
  record: z.looseObject({}),
  mapped: mappedList,
})

export type ExplainedReport = z.output<typeof ExplainedReport>

const reports = `${workspace}/error-reports` as const

export const errorAdminRoutes = [
  {
    ...list,
    operation: 'errorReports.list',
    path: reports,
    query: ErrorReportQuery,
    answers: { 200: pageOf(ErrorGroup) },
  },
  { ...read, operation: 'errorReports.get', path: `${reports}/{id}`, answers: { 200: ErrorGroupDetail } },
  {
    ...create,
    role: 'admin',
    operation: 'errorReports.explain',
    path: `${reports}/explain`,
    body: BodyToExplain,
    answers: { 200: wholeListOf(ExplainedReport) },
    audited: false,
  },
] as const satisfies readonly AdminRoute[]
