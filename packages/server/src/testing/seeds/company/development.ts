import { hash } from 'node:crypto'
import { fingerprint } from '@service/intake/errors/fingerprint'
import { toFrame } from '@service/intake/errors/frame'
import { toRecord } from '@service/intake/errors/record'
import { priorityOf } from '@service/intake/errors/severity'
import { describeError, titleOf } from '@service/intake/errors/ticket-text'
import { type Micros, microsPerMinute, toDay } from '../../../core/clock.ts'
import { receiveErrors } from '../../../modules/error-reports/service.ts'
import { bodyToStore } from '../../../modules/inbound-deliveries/service.ts'
import { findReceivingIntegration } from '../../../modules/integrations/service.ts'
import { allDays, atHour, type Company, daysFrom, pick, records, spread } from './company.ts'
import data from './development.json' with { type: 'json' }
import { byTime, insertRows, type Received, withIds } from './store-rows.ts'
import type { StoredTicket, TicketPlan } from './tickets.ts'

/** Tickets from error reports have no author. */
const reported = {
  tags: [],
  project_id: null,
  created_by: null,
  origin: 'error_report',
  due_at: null,
  team: 'Engineering',
}

const findTicketId = (tickets: readonly StoredTicket[], plan: TicketPlan | null) =>
  tickets.find(({ row }) => row.title === plan?.title)?.row.id ?? null

/** Errors of the company's applications with their report times. */
export const planErrors = ({ now }: Company) =>
  data.errors.map(
    ({ sender: [app, framework, severity, method, status], urls, frames, days, history, ...details }, n) => {
      const found = frames.map(([file, line, name]) =>
        toFrame({ file, line, function: name } as Parameters<typeof toFrame>[0]),
      ) // the data's format
      const sender = { app, framework, severity, method, status, environment: 'production' }
      const record = toRecord({ ...sender, ...details, url: urls[0], frames: found })
      const reportedAt = reportTimes(now, days, n)
      const [at = now] = reportedAt
      const steps = history?.map(([share = 0, change]) => {
        const then = daysFrom(at, Number(share))
        // A report of a resolved error reopens its ticket.
        return {
          change: String(change),
          at: change === 'open' ? (reportedAt.find((time) => time > then) ?? then) : then,
        }
      })
      const texts = { title: titleOf(record), description: describeError(record), category: 'error' }
      const ticket = steps === undefined ? null : { at, ...reported, ...texts, priority: priorityOf(record), steps }
      return { at, reportedAt, record, urls, ticket }
    },
  )

type ErrorPlan = ReturnType<typeof planErrors>[number]

/** Report times in a range of days, with a changing rate. An ongoing error has one from a moment ago. */
function reportTimes(now: Micros, days: readonly number[][], n: number): readonly Micros[] {
  const times = days.flatMap(([first = 0, last = 0, from = 0, to = 0]) =>
    allDays
      .filter((ago) => ago <= first && ago >= last)
      .flatMap((ago) => {
        const count = Math.round(from + ((to - from) * (first - ago)) / Math.max(1, first - last))
        return Array.from({ length: count }, (_, index) => atHour(now, ago, 24 * spread(index * 3 + ago + n)))
      }),
  )
  const goesOn = days.some(([, last]) => last === 0) ? [now - (3 + 4 * n) * microsPerMinute] : []
  return [...times.filter((at) => at < now - 30 * microsPerMinute), ...goesOn].toSorted((a, b) => a - b)
}

/** Stores error groups with daily counts and newest reports, and returns the report times. */
export async function storeErrors(
  { app, workspace: workspace_id }: Company,
  plans: readonly ErrorPlan[],
  tickets: readonly StoredTicket[],
): Promise<readonly Received[]> {
  const groups = (await withIds(app, 'error_groups', plans)).map((plan) => ({ ...plan, samples: createSamples(plan) }))
  const rows = groups.map(({ id, record, reportedAt, ticket, samples }) => {
    const { message, exception, file, line, framework, environment, severity, app } = record
    return {
      id,
      workspace_id,
      message,
      exception,
      file,
      line,
      framework,
      environment,
      severity,
      app,
      fingerprint: fingerprint(record),
      ticket_id: findTicketId(tickets, ticket),
      count: reportedAt.length,
      first_seen_at: reportedAt.at(0) ?? 0,
      last_seen_at: reportedAt.at(-1) ?? 0,
      sample: samples.at(-1)?.sample ?? '',
    }
  })
  await insertRows(app, 'error_groups', rows)
  const days = groups.flatMap(({ id, reportedAt }) =>
    [...Map.groupBy(reportedAt, toDay)].map(([day, times]) => {
      return { workspace_id, group_id: id, day, count: times.length, last_seen_at: times.at(-1) ?? 0 }
    }),
  )
  await insertRows(app, 'error_group_days', days)
  const samples = byTime(groups.flatMap(({ id, samples }) => samples.map((sample) => ({ ...sample, group_id: id }))))
  await insertRows(
    app,
    'error_samples',
    samples.map(({ at, ...sample }) => ({ workspace_id, ...sample, seen_at: at })),
  )
  const times = plans.flatMap(({ reportedAt }) => reportedAt)
  return times.map((at) => ({ at, integration: 'errors', status: 200, summary: 'error report' }))
}

/** The ten newest reports are kept; each overwrites the one ten before it. */
const createSamples = ({ record, urls, reportedAt }: ErrorPlan) =>
  reportedAt.slice(-10).map((at, index) => {
    const environment = index % 9 === 4 ? 'staging' : 'production'
    const sample = JSON.stringify({ ...record, url: pick(urls, index), environment })
    return { at, slot: (Math.max(0, reportedAt.length - 10) + index + 1) % 10, sample }
  })

interface GitEvent {
  /** An index into the list of repositories. */
  readonly repository: number
  readonly days_ago: number
  readonly by: string
  readonly what: 'push' | 'open' | 'merge' | 'issue'
  /** The branch, or the number of a pull request or issue. */
  readonly of: string
  readonly title: string
}

/** Repository activity, and issues that become tickets. */
export const planGit = ({ now }: Company) =>
  records<GitEvent>(data.git).map(({ repository: index, days_ago, by, what, of, title }) => {
    const at = daysFrom(now, -days_ago)
    const [provider = '', repository = ''] = pick(data.repositories, index)
    const host = data.hosts[provider as keyof typeof data.hosts] // the repositories are theirs
    const [event = '', kind = '', path = '', phrase = ''] = host[what]
    const commit_sha = what === 'push' ? hash('sha1', `${of} ${title}`) : null
    const repository_url = `${host.url}/${repository}`
    const url = `${repository_url}/${path}/${commit_sha ?? of}`
    const activity = {
      kind,
      title: `${by} ${phrase.replace('{of}', of)}: ${title}`,
      url,
      commit_sha,
      repository,
      repository_url,
      ref: what === 'push' ? `refs/heads/${of}` : null,
      occurred_at: at,
      actor: by,
      actor_url: `${host.url}/${by.split(' ')[0]?.toLowerCase()}`,
    }
    const description = `Opened as ${repository}#${of} on ${provider} by ${by}.\n\n${url}`
    const steps = [
      { at: daysFrom(at, 0.1), change: 'in_progress' },
      { at: daysFrom(at, 2), change: 'resolved' },
    ]
    const ticket = {
      at,
      ...reported,
      origin: 'git_issue',
      title,
      description,
      priority: 'medium',
      category: 'git_issue',
      steps,
    }
    return { at, provider, event, activity, issue: what === 'issue' ? { number: Number(of), ticket } : null }
  })

/** Stores the activity and returns the delivery times. */
export async function storeGit(
  { app, workspace: workspace_id }: Company,
  hooks: ReturnType<typeof planGit>,
  tickets: readonly StoredTicket[],
): Promise<readonly Received[]> {
  const deliveries = await withIds(app, 'git_deliveries', hooks)
  const rows = deliveries.map(({ id, provider, event, at }) => {
    return { id, workspace_id, provider, event, delivery_id: app.ids.uuid(), received_at: at }
  })
  await insertRows(app, 'git_deliveries', rows)
  const activities = deliveries.map(({ id, provider, event, at, activity }) => {
    return { workspace_id, delivery_id: id, provider, event, ...activity, created_at: at }
  })
  await insertRows(app, 'activities', activities)
  const issues = deliveries.flatMap(({ provider, activity: { repository, url }, issue }) => {
    if (issue === null) return []
    const { number, ticket } = issue
    const key = { repository_key: repository, issue_key: String(number) }
    return [
      { workspace_id, provider, ...key, repository, issue: number, url, ticket_id: findTicketId(tickets, ticket) },
    ]
  })
  await insertRows(app, 'git_issue_tickets', issues)
  return deliveries.map(({ at, provider, event }) => ({ at, integration: provider, status: 200, summary: event }))
}

/**
 * Receives some reports now, so that their bodies can be explained and replayed. One of them is misread. They are
 * only counted, because a ticket would have an event to send.
 */
export async function receiveBodies({ app, workspace: workspaceId }: Company): Promise<void> {
  const integration = await findReceivingIntegration(app, workspaceId, 'errors')
  if (integration === undefined) throw new Error('The company has no error monitor.')
  const headers = { 'content-type': 'application/json' }
  for (const report of data.bodies) {
    const body = new TextEncoder().encode(JSON.stringify(report, null, 2))
    const stored = bodyToStore(app, 'errors', { headers, body })
    await receiveErrors(app, { workspaceId, requestId: app.ids.uuid(), headers, body, stored }, integration)
  }
}
