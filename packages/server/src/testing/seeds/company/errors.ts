import { fingerprint } from '@service/intake/errors/fingerprint'
import { toFrame } from '@service/intake/errors/frame'
import { type ErrorRecord, toRecord } from '@service/intake/errors/record'
import { priorityOf } from '@service/intake/errors/severity'
import { describeError, titleOf } from '@service/intake/errors/ticket-text'
import { type Micros, microsPerDay, microsPerHour, microsPerMinute, toDay } from '../../../core/clock.ts'
import type { Company } from './company.ts'
import { type ErrorText, errorTexts } from './error-texts.ts'
import { idAt, insertRows, type Received, takeIds } from './insert-rows.ts'
import type { Random } from './random.ts'
import type { StoredTicket, TicketPlan } from './tickets.ts'

/** An error of one of the company's applications, with when it was reported. */
export interface ErrorPlan {
  readonly record: ErrorRecord
  readonly text: ErrorText
  /** In order; the first opened the ticket, where there is one. */
  readonly reportedAt: readonly Micros[]
  readonly ticket: TicketPlan | null
}

/** As many as the platform keeps of an error. */
const mostSamples = 10

export function planErrors({ calendar, now, random: streamOf }: Company): readonly ErrorPlan[] {
  const random = streamOf('errors')
  const plans = errorTexts.map((text) => {
    const record = toRecord({ ...text.report, frames: text.frames.map(toFrame) })
    const reports = calendar.flatMap(({ ago, startsAt }) => {
      const count = Math.round(text.perDay(ago) * (0.7 + 0.6 * random.fraction()))
      return Array.from({ length: count }, () => startsAt + Math.round(random.fraction() * (microsPerDay - 1)))
    })
    // An error that goes on was reported a moment ago too.
    const latest = text.perDay(0) > 0 ? [now - random.whole(2, 25) * microsPerMinute] : []
    const reportedAt = [...reports, ...latest].filter((at) => at <= now - microsPerMinute).toSorted((a, b) => a - b)
    return { record, text, reportedAt, ticket: ticketOf(record, text, reportedAt) }
  })
  return plans.toSorted((a, b) => (a.reportedAt[0] ?? 0) - (b.reportedAt[0] ?? 0))
}

function ticketOf(record: ErrorRecord, { fate }: ErrorText, reportedAt: readonly Micros[]): TicketPlan | null {
  if (fate === 'none') return null
  const [at = 0] = reportedAt
  const last = reportedAt.at(-1) ?? at
  // Of one that came back, the first reports after the pause reopened the ticket.
  const pause = longestPause(reportedAt)
  return {
    at,
    title: titleOf(record),
    description: describeError(record),
    priority: priorityOf(record),
    category: 'error',
    tags: [],
    project_id: null,
    created_by: null,
    fate: {
      open: { kind: 'in_work' } as const,
      unanswered: { kind: 'unanswered' } as const,
      resolved: { kind: 'told', resolvedAt: last + 3 * microsPerHour } as const,
      reopened: { kind: 'told', resolvedAt: pause.from + 5 * microsPerHour, reopenedAt: pause.to } as const,
    }[fate],
  }
}

function longestPause(reportedAt: readonly Micros[]): { readonly from: Micros; readonly to: Micros } {
  const pauses = reportedAt.slice(1).map((to, index) => ({ from: reportedAt[index] ?? to, to }))
  return pauses.reduce((longest, pause) => (pause.to - pause.from > longest.to - longest.from ? pause : longest), {
    from: 0,
    to: 0,
  })
}

/** Stores the groups with their counts by day and their newest reports, and gives back when reports came. */
export async function storeErrors(
  company: Company,
  plans: readonly ErrorPlan[],
  ticketOf: (plan: TicketPlan) => StoredTicket,
): Promise<readonly Received[]> {
  const { app, workspace } = company
  const random = company.random('error samples')
  const ids = await takeIds(app, 'error_groups', plans.length)
  const groups = plans.map((plan, index) => {
    const samples = samplesOf(random, plan)
    return { plan, id: idAt(ids, index), samples, latest: samples.at(-1)?.sample ?? JSON.stringify(plan.record) }
  })
  await insertRows(
    app,
    'error_groups',
    groups.map(({ plan: { record, reportedAt, ticket }, id, latest }) => ({
      id,
      workspace_id: workspace,
      fingerprint: fingerprint(record),
      ticket_id: ticket === null ? null : ticketOf(ticket).id,
      count: reportedAt.length,
      first_seen_at: reportedAt[0] ?? 0,
      last_seen_at: reportedAt.at(-1) ?? 0,
      message: record.message,
      exception: record.exception,
      file: record.file,
      line: record.line,
      framework: record.framework,
      environment: record.environment,
      severity: record.severity,
      app: record.app,
      sample: latest,
    })),
  )
  await insertRows(
    app,
    'error_group_days',
    groups.flatMap(({ plan, id }) => daysOf(plan).map((day) => ({ workspace_id: workspace, group_id: id, ...day }))),
  )
  const samples = groups.flatMap(({ id, samples }) =>
    samples.map((one) => ({ workspace_id: workspace, group_id: id, ...one })),
  )
  await insertRows(
    app,
    'error_samples',
    samples.toSorted((a, b) => a.seen_at - b.seen_at),
  )
  const times = plans.flatMap(({ reportedAt }) => reportedAt)
  return times.map((at) => ({ at, status: 200, summary: 'error report' }))
}

/** The newest reports; each takes the slot of the one that came ten before it. */
const samplesOf = (random: Random, { record, text, reportedAt }: ErrorPlan) =>
  reportedAt.slice(-mostSamples).map((seen_at, index) => ({
    slot: (Math.max(0, reportedAt.length - mostSamples) + index + 1) % mostSamples,
    sample: JSON.stringify({
      ...record,
      url: random.pick(text.urls),
      environment: random.happens(0.9) ? 'production' : 'staging',
    }),
    seen_at,
  }))

function daysOf({ reportedAt }: ErrorPlan) {
  const days = new Map<string, { count: number; last_seen_at: Micros }>()
  for (const at of reportedAt) {
    const day = toDay(at)
    days.set(day, { count: (days.get(day)?.count ?? 0) + 1, last_seen_at: at })
  }
  return [...days].map(([day, counted]) => ({ day, ...counted }))
}
