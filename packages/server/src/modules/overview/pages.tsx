import type { Overview } from '@service/contract/admin/overview'
import { localDay } from '../../core/zones.ts'
import { Card, PageHead } from '../../ui/components/card.tsx'
import { BarChart, Bars, Legend, type Series, Sparkline } from '../../ui/components/chart.tsx'
import { Person } from '../../ui/components/person.tsx'
import { Segments } from '../../ui/components/tabs.tsx'
import { clockTime, count, percent, pluralize, shortDay } from '../../ui/format.ts'
import { type PageResult, show, type WorkspacePage, type WorkspacePages } from '../../ui/page-types.ts'
import { isRunning } from '../hrms/attendance-pages.tsx'
import { deliverySeries } from '../webhooks/delivery-pages.tsx'
import { Attention, findAttention } from './attention-pages.tsx'
import { FirstSteps, findFirstSteps, hideFirstSteps, ShowFirstSteps } from './first-steps-pages.tsx'

export const overviewPages: WorkspacePages = [
  { method: 'GET', path: '/overview', handle: overviewPage },
  { method: 'POST', path: '/overview/first-steps', handle: hideFirstSteps },
]

const periods = { '24h': '24 hours', '7d': '7 days', '30d': '30 days' } as const
type Period = keyof typeof periods

const toPeriod = (text: string): Period => (text === '7d' || text === '30d' ? text : '24h')

async function overviewPage(page: WorkspacePage): Promise<PageResult> {
  const period = toPeriod(page.query.text('period'))
  const path = { workspace: page.workspace.id }
  const [overview, present, steps, attention] = await Promise.all([
    page.admin.overview.get(path, { period }),
    listPresent(page),
    findFirstSteps(page),
    findAttention(page),
  ])
  const tabs = Object.entries(periods).map(([value, label]) => ({
    label,
    href: page.link(value === '24h' ? '/overview' : `/overview?period=${value}`),
    isCurrent: value === period,
  }))
  return show({
    title: 'Overview',
    live: true,
    body: (
      <>
        <PageHead title={greeting(page)} actions={!steps.areAll && <Segments label="Period" tabs={tabs} />}>
          <span id="overview-sentence" data-live="tickets messages webhooks deliveries errors">
            {attention.length === 0 && !steps.areAll && 'No ticket, webhook, or error needs someone today.'}
          </span>
        </PageHead>
        <div class="stack">
          <Attention page={page} items={attention} />
          <FirstSteps page={page} {...steps} />
          {!steps.areAll && (
            <>
              <Stats overview={overview} />
              <DeliveriesCard page={page} overview={overview} period={period} />
              <div class="halves even">
                <ErrorsCard overview={overview} />
                <PresentCard page={page} present={present} />
              </div>
            </>
          )}
          <ShowFirstSteps page={page} />
        </div>
      </>
    ),
  })
}

function greeting({ now, zone, person }: WorkspacePage): string {
  const hour = Number(clockTime(now, zone).slice(0, 2))
  const part = partsOfDay.findLast(([from]) => hour >= from)?.[1] ?? 'day'
  return `Good ${part}, ${person.name.split(' ')[0]}`
}

/** By their first hour. */
const partsOfDay = [
  [0, 'evening'],
  [4, 'morning'],
  [12, 'afternoon'],
  [18, 'evening'],
] as const

type Countable = 'tickets_opened' | 'tickets_resolved' | 'deliveries_succeeded' | 'deliveries_failed'
const valuesOf = ({ parts }: Overview, name: Countable) => parts.map((part) => part[name])
const sumOf = (overview: Overview, name: Countable) =>
  valuesOf(overview, name).reduce((total, value) => total + value, 0)

function Stats({ overview }: { readonly overview: Overview }) {
  const [opened, resolved] = [sumOf(overview, 'tickets_opened'), sumOf(overview, 'tickets_resolved')]
  const [succeeded, failed] = [sumOf(overview, 'deliveries_succeeded'), sumOf(overview, 'deliveries_failed')]
  const reports = overview.errors_by_app.reduce((total, app) => total + app.reports, 0)
  const kinds = overview.errors_by_app.reduce((total, app) => total + app.kinds, 0)
  return (
    <dl class="stats card" id="overview-stats" data-live="tickets deliveries errors">
      <Stat
        name="Tickets opened"
        value={opened}
        note={compared(opened, overview.tickets_opened_before)}
        values={valuesOf(overview, 'tickets_opened')}
      />
      <Stat
        name="Tickets resolved"
        value={resolved}
        note={resolved >= opened ? 'As many as were opened' : `${count(opened - resolved)} fewer than were opened`}
        values={valuesOf(overview, 'tickets_resolved')}
      />
      <Stat
        name="Not delivered"
        value={failed}
        note={
          succeeded + failed === 0
            ? 'No deliveries'
            : `${percent(failed, succeeded + failed)} of ${count(succeeded + failed)}`
        }
        values={valuesOf(overview, 'deliveries_failed')}
        tone={failed > 0 ? 'bad' : 'accent'}
      />
      <Stat name="Errors reported" value={reports} note={pluralize(kinds, 'kind')} />
    </dl>
  )
}

interface StatProps {
  readonly name: string
  readonly value: number
  readonly note: string
  readonly values?: readonly number[]
  readonly tone?: Series['tone']
}

function Stat({ name, value, note, values, tone = 'accent' }: StatProps) {
  return (
    <div class="stat">
      <dt>{name}</dt>
      <dd class="value">{count(value)}</dd>
      <dd>{note}</dd>
      {values !== undefined && (
        <dd class="spark">
          <Sparkline values={values} tone={tone} />
        </dd>
      )}
    </div>
  )
}

function compared(value: number, before: number): string {
  if (value === before) return 'Unchanged'
  return `${count(Math.abs(value - before))} ${value > before ? 'more' : 'fewer'} than before`
}

interface CardProps {
  readonly page: WorkspacePage
  readonly overview: Overview
}

function DeliveriesCard({ page, overview, period }: CardProps & { readonly period: Period }) {
  const bars = overview.parts.map((part) => {
    const at = Date.parse(part.starts_at)
    const label = period === '24h' ? clockTime(at, page.zone) : shortDay(at, page)
    return { label, values: [part.deliveries_succeeded, part.deliveries_failed] }
  })
  const [succeeded, failed] = [sumOf(overview, 'deliveries_succeeded'), sumOf(overview, 'deliveries_failed')]
  return (
    <Card
      id="overview-deliveries"
      live="deliveries"
      title="Deliveries"
      aside={succeeded + failed > 0 && <Legend series={deliverySeries} />}
    >
      {succeeded + failed === 0 ? (
        <p class="quiet">No deliveries yet. Webhooks send events to other programs.</p>
      ) : (
        <BarChart
          sentence={`${count(succeeded)} deliveries succeeded and ${count(failed)} did not in the last ${periods[period]}.`}
          series={deliverySeries}
          bars={bars}
        />
      )}
    </Card>
  )
}

function ErrorsCard({ overview }: Pick<CardProps, 'overview'>) {
  const rows = overview.errors_by_app.slice(0, 6).map(({ app, reports }) => [app ?? 'Unnamed', reports] as const)
  return (
    <Card id="overview-errors" live="errors" title="Errors by app">
      {rows.length === 0 ? <p class="quiet">No errors reported.</p> : <Bars rows={rows} />}
    </Card>
  )
}

const dayMs = 86_400_000

/** The sessions of a day that are looked through, and the employees whose names the card shows. */
const [maxSessions, maxPresent] = [2000, 8]

/** Employees who are in, newest first. */
async function listPresent(page: WorkspacePage) {
  const path = { workspace: page.workspace.id }
  const days = [page.now, page.now - dayMs].map((at) => localDay(at, page.workspace.zone))
  const [employees, ...sessions] = await Promise.all([
    page.admin.employees.list(path, { limit: 200 }),
    ...days.map((day) => page.admin.attendance.sessions(path, { day, limit: 200 }).all({ limit: maxSessions })),
  ])
  const open = sessions.flat().filter((session) => isRunning(session, page.now))
  const shown = open.slice(0, maxPresent).map(async ({ employee_id: id, check_in_at: since }) => {
    const listed = employees.data.find((employee) => employee.id === id)
    const found = listed ?? (await page.admin.employees.get({ ...path, id }))
    return { name: found.user.name, since }
  })
  const total = `${employees.next_before === null ? '' : 'more than '}${count(employees.data.length)}`
  return { present: await Promise.all(shown), summary: `${count(open.length)} of ${total}` }
}

function PresentCard({
  page,
  present: { present, summary },
}: {
  page: WorkspacePage
  present: Awaited<ReturnType<typeof listPresent>>
}) {
  return (
    <Card id="overview-present" live="punches" title="Who is in" aside={<span class="quiet">{summary}</span>}>
      {present.length === 0 ? (
        <p class="quiet">No one is checked in.</p>
      ) : (
        <ul class="stack tight-stack">
          {present.map(({ name, since }) => {
            const at = Date.parse(since)
            const day = localDay(at, page.zone) === localDay(page.now, page.zone) ? '' : `${shortDay(at, page)}, `
            return (
              <li class="row">
                <Person name={name} />
                <span class="push quiet">
                  since {day}
                  {clockTime(at, page.zone)}
                </span>
              </li>
            )
          })}
        </ul>
      )}
    </Card>
  )
}
