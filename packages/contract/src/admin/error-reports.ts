import * as z from 'zod/mini'
import { day, instant, integerId, maxTitleLength, requiredText } from '../fields.ts'
import type { AdminRoute } from '../route.ts'
import { TicketReference } from '../tasks.ts'
import { errorLevels } from '../values.ts'
import { BodyToExplain, mappedList } from './mapping.ts'
import { searchFilter, sortablePageOf, sortableQuery } from './pages.ts'
import { create, list, listErrorStatuses, read, workspace } from './route-kinds.ts'

const text = z.nullable(z.string())

/** Reports of the same error: their count, first and last time, ticket, and the latest report. */
export const ErrorGroup = z.object({
  id: integerId,
  fingerprint: z.string(),
  ticket_id: z.nullable(integerId),
  count: z.int(),
  first_seen_at: instant,
  last_seen_at: instant,
  message: text,
  exception: text,
  file: text,
  line: z.nullable(z.int()),
  framework: text,
  environment: text,
  severity: text,
  app: text,
  /** The latest report, with secrets masked. */
  sample: z.looseObject({}),
})

export type ErrorGroup = z.output<typeof ErrorGroup>

/** The orders of error lists. */
export const errorSorts = ['last_seen'] as const

/** Filters a list of errors. An error must match all of them. */
export const ErrorReportQuery = z.object({
  ...sortableQuery(errorSorts),
  app: z.optional(requiredText(maxTitleLength)),
  environment: z.optional(requiredText(maxTitleLength)),
  level: z.optional(z.enum(errorLevels)),
  /** The beginnings of words in the exception or the message. */
  search: searchFilter,
  /** `resolved` when its ticket is resolved or closed, else `open`. */
  status: z.optional(z.enum(['open', 'resolved'])),
  /** Only errors that were first reported at or after this instant. */
  since: z.optional(z.iso.datetime({ offset: true })),
})
export type ErrorReportQuery = z.output<typeof ErrorReportQuery>

/** Counts errors that match all filters. */
export const ErrorCountQuery = z.pick(ErrorReportQuery, { status: true, since: true })

const days = z.array(z.object({ day, count: z.int() }))

/** An error in a list. */
export const ListedErrorGroup = z.extend(ErrorGroup, {
  /** The days (UTC) of the last 14 on which it was reported, oldest first. */
  days,
})

export type ListedErrorGroup = z.output<typeof ListedErrorGroup>

/** An error with its newest reports, and its count per day. */
export const ErrorGroupDetail = z.extend(ErrorGroup, {
  ticket: z.nullable(TicketReference),
  /** At most ten, the newest first, with secrets masked. */
  samples: z.array(z.object({ seen_at: instant, report: z.looseObject({}) })),
  /** The days (UTC) of the last 30 on which it was reported, oldest first. */
  days,
})

export type ErrorGroupDetail = z.output<typeof ErrorGroupDetail>

/** How one report of a body is read, and which error it belongs to. */
export const ExplainedReport = z.object({
  /** The documented name of the format. */
  format: z.string(),
  /** The title that a ticket would get. */
  title: z.string(),
  level: z.enum(errorLevels),
  /** Whether the report says that the error is over. */
  recovered: z.boolean(),
  /** Whether a report of this level and kind opens a ticket in this workspace when the error has none. */
  opens_ticket: z.boolean(),
  /** What decides whether it opens a ticket. */
  opens_because: z.enum(['mapping', 'documented', 'min_level', 'recovered']),
  key: z.string(),
  /** The parts of the key, in order. */
  key_parts: z.array(z.object({ name: z.string(), value: z.string() })),
  /** The grouping rules that changed the message. */
  message_rules: z.array(z.string()),
  /** The ticket that counts reports with this key. */
  ticket_id: z.nullable(integerId),
  /** The fields that were read, with secrets masked. */
  record: z.looseObject({}),
  mapped: mappedList,
})

export type ExplainedReport = z.output<typeof ExplainedReport>

/** The reports of a body, and how many of its entries the mapping ignores. */
export const ExplainedReports = z.object({ data: z.array(ExplainedReport), ignored: z.int() })

export type ExplainedReports = z.output<typeof ExplainedReports>

const reports = `${workspace}/error-reports` as const

export const errorAdminRoutes = [
  {
    ...list,
    operation: 'errorReports.list',
    path: reports,
    query: ErrorReportQuery,
    responses: { 200: sortablePageOf(ListedErrorGroup) },
  },
  {
    ...read,
    operation: 'errorReports.count',
    path: `${reports}/count`,
    query: ErrorCountQuery,
    /** Stops at `maxCount`. */
    responses: { 200: z.object({ count: z.int() }) },
    errorStatuses: listErrorStatuses,
  },
  { ...read, operation: 'errorReports.get', path: `${reports}/{id}`, responses: { 200: ErrorGroupDetail } },
  {
    ...create,
    role: 'admin',
    operation: 'errorReports.explain',
    path: `${reports}/explain`,
    body: BodyToExplain,
    responses: { 200: ExplainedReports },
    audited: false,
  },
] as const satisfies readonly AdminRoute[]
