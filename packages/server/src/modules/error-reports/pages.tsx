import type {
  ErrorGroup,
  ErrorGroupDetail,
  ExplainedReport,
  ListedErrorGroup,
} from '@service/contract/admin/error-reports'
import { errorLevels } from '@service/contract/values'
import type { Frame } from '@service/intake/errors/frame'
import type { ErrorRecord } from '@service/intake/errors/record'
import { Badge, StatusMark, type Tone } from '../../ui/components/badge.tsx'
import { LinkButton } from '../../ui/components/button.tsx'
import { Card, Facts, PageHead } from '../../ui/components/card.tsx'
import { BarChart } from '../../ui/components/chart.tsx'
import { Code } from '../../ui/components/code.tsx'
import { FilterBar } from '../../ui/components/filter-bar.tsx'
import { wordOptions } from '../../ui/components/form.tsx'
import { Empty } from '../../ui/components/notice.tsx'
import { PagedList, RowLink, Table } from '../../ui/components/table.tsx'
import { Tabs } from '../../ui/components/tabs.tsx'
import { Time } from '../../ui/components/time.tsx'
import { count, findEntry, pluralize, shortDay, words } from '../../ui/format.ts'
import { queryValues, textOrUndefined, urlWith } from '../../ui/forms.ts'
import { type PageResult, recordRef, show, type WorkspacePage, type WorkspacePages } from '../../ui/page-types.ts'

const states = ['open', 'resolved'] as const
const filterNames = ['app', 'environment', 'level', 'first_seen'] as const
const kept = ['status', ...filterNames, 'search'] as const

/** The error list, one entry per error, the last report first. */
async function errorList(page: WorkspacePage): Promise<PageResult> {
  const { query } = page
  const { data, next_cursor } = await page.admin.errorReports.list({ workspace: page.workspace.id }, toQuery(page))
  const path = page.link('/errors')
  return show({
    title: 'Errors',
    live: true,
    body: (
      <>
        <h1 class="sr">Errors</h1>
        <Tabs
          label="Error views"
          tabs={['', ...states].map((status) => ({
            label: status === '' ? 'All' : words(status),
            href: urlWith(path, { ...queryValues(query, kept), status }),
            isCurrent: query.text('status') === status,
          }))}
        />
        <FilterBar path={path} query={query} preserved={['status']} search="Search errors" filters={filters} />
        <div id="error-list" data-live="errors tickets">
          <PagedList
            isEmpty={data.length === 0}
            empty={<NoErrors page={page} />}
            summary={pluralize(data.length, 'error')}
            page={page}
            href={urlWith(path, queryValues(query, kept))}
            next={null}
            cursor={next_cursor}
          >
            <ErrorTable page={page} errors={data} />
          </PagedList>
        </div>
      </>
    ),
  })
}

const filters = [
  { name: 'app', label: 'App' },
  { name: 'environment', label: 'Environment' },
  { name: 'level', label: 'Level', options: wordOptions(errorLevels) },
  { name: 'first_seen', label: 'First seen', options: [{ value: 'day', label: 'within 24 hours' }] },
]

/** The API refuses what it does not know. */
const toQuery = ({ query, now }: WorkspacePage) => ({
  status: textOrUndefined(query, 'status') as (typeof states)[number] | undefined,
  app: textOrUndefined(query, 'app'),
  environment: textOrUndefined(query, 'environment'),
  level: textOrUndefined(query, 'level') as (typeof errorLevels)[number] | undefined,
  search: textOrUndefined(query, 'search'),
  since:
    query.text('first_seen') === 'day' ? new Date(now - dayMs).toISOString() : textOrUndefined(query, 'first_seen'),
  sort: 'last_seen' as const,
  cursor: textOrUndefined(query, 'cursor'),
})

interface TableProps {
  readonly page: WorkspacePage
  readonly errors: readonly ListedErrorGroup[]
}

function ErrorTable({ page, errors }: TableProps) {
  return (
    <Table
      bleed
      caption="Errors"
      columns={[
        { name: 'Error', classes: 'wide' },
        { name: 'Level', classes: 'wide-only' },
        { name: 'App', classes: 'wide-only' },
        { name: `${daysListed} days`, classes: 'wide-only' },
        { name: 'Times', classes: 'right' },
        { name: 'First', classes: 'right wide-only' },
        { name: 'Last', classes: 'right' },
      ]}
    >
      {errors.map((error) => (
        <tr id={`error-${error.id}`}>
          <td class="wide">
            <div class="with-icon">
              <RowLink id={`open-error-${error.id}`} href={page.link(`/errors/${error.id}`)} drawer>
                {titleOf(error)}
              </RowLink>
              {page.now - Date.parse(error.first_seen_at) < dayMs && <Badge tone="info">New</Badge>}
              {error.exception !== null && <span class="quiet clip wide-only">{error.message}</span>}
            </div>
            <div class="second clip">{[error.app, error.message].filter(Boolean).join(' · ')}</div>
          </td>
          <td class="wide-only tight">
            <Level level={error.severity} />
          </td>
          <td class="wide-only tight quiet">{[error.app, error.environment].filter(Boolean).join(' · ') || '–'}</td>
          <td class="wide-only tight">
            <DayBars days={error.days} now={page.now} />
          </td>
          <td class="right tight">{count(error.count)}</td>
          <td class="right meta tight wide-only">
            <Time at={error.first_seen_at} />
          </td>
          <td class="right meta tight">
            <Time at={error.last_seen_at} />
          </td>
        </tr>
      ))}
    </Table>
  )
}

const daysListed = 14
const barsHeight = 24

/** One bar per day (UTC); today is the last one. */
function DayBars({ days, now }: Pick<ListedErrorGroup, 'days'> & { readonly now: number }) {
  const bars = dailyCounts(days, { now, length: daysListed })
  const all = bars.reduce((sum, bar) => sum + bar.count, 0)
  const most = Math.max(1, ...bars.map((bar) => bar.count))
  const sentence = `${pluralize(all, 'report')} in ${daysListed} days, ${count(bars.at(-1)?.count ?? 0)} of them today.`
  return (
    <svg class="spark" viewBox="0 0 88 28" role="img" aria-label={sentence}>
      {bars.map((bar, index) => {
        const height = bar.count === 0 ? 1 : Math.max(3, (barsHeight * bar.count) / most)
        const tone = index === daysListed - 1 ? 'bad' : 'mute'
        return (
          <rect
            class={`f-${bar.count === 0 ? 'line' : tone}`}
            x={index * 6 + 3}
            y={26 - height}
            width="4"
            height={height}
          />
        )
      })}
    </svg>
  )
}

interface Days {
  readonly now: number
  readonly length: number
}

/** The counts of the last days (UTC), including days without reports. */
function dailyCounts(days: ListedErrorGroup['days'], { now, length }: Days) {
  const counts = new Map(days.map((listed) => [listed.day, listed.count]))
  return Array.from({ length }, (_, index) => {
    const day = new Date(now - (length - 1 - index) * dayMs).toISOString().slice(0, 10)
    return { day, count: counts.get(day) ?? 0 }
  })
}

function NoErrors({ page }: { readonly page: WorkspacePage }) {
  if (kept.some((name) => page.query.text(name) !== ''))
    return (
      <Empty
        icon="circle-check"
        title="No errors match"
        actions={<LinkButton href={page.link('/errors')}>All errors</LinkButton>}
      >
        {page.query.text('search') === '' ? undefined : 'Searches the beginnings of words in exceptions and messages.'}
      </Empty>
    )
  return (
    <Empty
      icon="bug"
      title="No errors yet"
      actions={page.can('admin') && <LinkButton href={page.link('/integrations/errors')}>Report one</LinkButton>}
    >
      Applications report errors here. A new error opens a ticket; repeats are counted.
    </Empty>
  )
}

export const errorPages: WorkspacePages = [
  { method: 'GET', path: '/errors', handle: errorList },
  { method: 'GET', path: '/errors/{id}', handle: errorDetail },
]

async function errorDetail(page: WorkspacePage): Promise<PageResult> {
  const ref = recordRef(page)
  const error = await page.admin.errorReports.get(ref)
  const ticket = error.ticket === null ? null : await page.admin.tickets.get({ ...ref, id: error.ticket.id })
  const report = toRecord(error.sample)
  const title = titleOf(error)
  return show({
    title,
    live: true,
    crumbs: [{ label: 'Errors', href: page.link('/errors') }],
    body: (
      <div class="stack" id={`error-detail-${error.id}`} data-live="errors tickets">
        <PageHead title={title} badge={<Level level={error.severity} />}>
          {error.exception === null ? undefined : error.message}
        </PageHead>
        <Facts
          facts={[
            ticket !== null && [
              'Ticket',
              <span class="with-icon">
                <StatusMark status={ticket.status} />
                <a dir="auto" href={page.link(`/tickets/${ticket.id}`)}>
                  {ticket.ticket_number} {ticket.title}
                </a>
              </span>,
            ],
            ticket === null && ['Ticket', <Badge tone="mute">None</Badge>],
            ['Seen', pluralize(error.count, 'time')],
            ['First', <Time at={error.first_seen_at} exact />],
            ['Last', <Time at={error.last_seen_at} exact />],
            error.app !== null && ['App', error.app],
            error.environment !== null && ['Environment', error.environment],
            error.framework !== null && ['Framework', error.framework],
            report.url !== null && ['Request', [report.method, report.url].filter(Boolean).join(' ')],
            error.file !== null && ['Where', <code>{locationText(error)}</code>],
            report.format !== undefined && ['Read by', <ReadBy page={page} report={report} />],
          ]}
        />
        <DaysCard page={page} error={error} />
        <Stack frames={report.frames} />
        <Samples error={error} />
      </div>
    ),
  })
}

type StoredReport = ErrorRecord & Partial<Pick<ExplainedReport, 'format' | 'mapped'>>

/** The stored report. The client types it as a plain object. Older reports have no format. */
const toRecord = (sample: Record<string, unknown>) => sample as unknown as StoredReport

/** The reader of a report, and the fields that the mapping set. */
function ReadBy({
  page,
  report: { format, mapped = [] },
}: {
  readonly page: WorkspacePage
  readonly report: StoredReport
}) {
  const mapping = mapped.length > 0 && `, mapping: ${mapped.map(({ field }) => field).join(', ')}`
  return (
    <>
      the {format} reader{mapping}
      {page.can('admin') && (
        <>
          {' · '}
          <a href={page.link('/integrations/errors/mapping')}>Correct the mapping</a>
        </>
      )}
    </>
  )
}

const locationText = ({ file, line }: Pick<Frame, 'file' | 'line'>) => (line === null ? file : `${file}:${line}`)

const daysShown = 30
const dayMs = 86_400_000

function DaysCard({ page, error: { days } }: { readonly page: WorkspacePage; readonly error: ErrorGroupDetail }) {
  const bars = dailyCounts(days, { now: page.now, length: daysShown })
  const all = bars.reduce((sum, bar) => sum + bar.count, 0)
  const most = Math.max(...bars.map((bar) => bar.count))
  return (
    <Card title={`Last ${daysShown} days`} aside={<span class="meta">{pluralize(all, 'report')}</span>}>
      <BarChart
        sentence={`${pluralize(all, 'report')} in ${daysShown} days, at most ${count(most)} a day.`}
        series={[{ name: 'Reports', tone: 'bad' }]}
        bars={bars.map((bar) => ({
          label: shortDay(Date.parse(bar.day), { now: page.now, zone: 'UTC' }),
          values: [bar.count],
        }))}
      />
    </Card>
  )
}

function Stack({ frames }: { readonly frames: readonly Frame[] }) {
  if (frames.length === 0) return null
  const text = frames.map(
    (frame) => `${frame.inApp ? '' : '  '}at ${frame.function ?? '(anonymous)'} ${locationText(frame) ?? ''}`,
  )
  return (
    <section class="section">
      <h2>Stack</h2>
      <Code id="error-stack" title={`${pluralize(frames.length, 'frame')}, newest first; library frames are indented`}>
        {text.join('\n')}
      </Code>
    </section>
  )
}

function Samples({ error: { samples } }: { readonly error: ErrorGroupDetail }) {
  if (samples.length === 0) return null
  return (
    <section class="section">
      <h2>Newest reports</h2>
      <div class="languages card">
        {samples.map(({ seen_at, report }, index) => (
          <details>
            <summary>
              <Time at={seen_at} exact /> <span class="quiet">{toRecord(report).message ?? ''}</span>
            </summary>
            <div class="sample">
              <Facts facts={factsOf(toRecord(report))} />
              <Code id={`sample-${index}`} title="Parsed report, with secrets masked">
                {JSON.stringify(report, null, 2)}
              </Code>
            </div>
          </details>
        ))}
      </div>
    </section>
  )
}

function factsOf({ message, url, method, status, app, environment, labels, causes }: ErrorRecord) {
  return [
    message !== null && (['Message', message] as const),
    url !== null && (['Request', [method, url, status].filter(Boolean).join(' ')] as const),
    app !== null && (['App', [app, environment].filter(Boolean).join(' · ')] as const),
    ...causes.map((cause) => ['Cause', [cause.exception, cause.message].filter(Boolean).join(': ')] as const),
    ...Object.entries(labels ?? {}),
  ]
}

/** The title of an error in a list. */
const titleOf = ({ exception, message }: Pick<ErrorGroup, 'exception' | 'message'>): string =>
  exception ?? message ?? 'Error without a message'

const tones: Readonly<Record<string, Tone>> = {
  warning: 'warn',
  notice: 'info',
  info: 'info',
  debug: 'mute',
  trace: 'mute',
}

const Level = ({ level }: { readonly level: string | null }) =>
  level === null ? null : <Badge tone={findEntry(tones, level) ?? 'bad'}>{words(level)}</Badge>
