import type { ErrorGroup, ErrorGroupDetail } from '@service/contract/admin/error-reports'
import type { Frame } from '@service/intake/errors/frame'
import type { ErrorRecord } from '@service/intake/errors/record'
import { Badge, StatusMark, type Tone } from '../../ui/components/badge.tsx'
import { LinkButton } from '../../ui/components/button.tsx'
import { Card, Facts, PageHead } from '../../ui/components/card.tsx'
import { BarChart } from '../../ui/components/chart.tsx'
import { Code } from '../../ui/components/code.tsx'
import { FilterBar } from '../../ui/components/filter-bar.tsx'
import { Empty } from '../../ui/components/notice.tsx'
import { Pager, RowLink, Table } from '../../ui/components/table.tsx'
import { Tabs } from '../../ui/components/tabs.tsx'
import { Time } from '../../ui/components/time.tsx'
import { count, pluralize, shortDay, words } from '../../ui/format.ts'
import { urlWith, numberOrUndefined, textOrUndefined, queryValues } from '../../ui/forms.ts'
import { type PageResult, recordRef, show, type WorkspacePage, type WorkspacePages } from '../../ui/page-types.ts'

const states = ['open', 'resolved'] as const

/** The error list, one entry per error. */
async function errorList(page: WorkspacePage): Promise<PageResult> {
  const { query } = page
  const status = states.find((state) => state === query.text('status'))
  const { data, next_before } = await page.admin.errorReports.list(
    { workspace: page.workspace.id },
    { status, app: textOrUndefined(query, 'app'), before: numberOrUndefined(query, 'before') },
  )
  const address = (change: Readonly<Record<string, string>>) =>
    urlWith(page.link('/errors'), { ...queryValues(query, ['status', 'app']), ...change })
  return show({
    title: 'Errors',
    live: true,
    body: (
      <>
        <h1 class="sr">Errors</h1>
        <Tabs
          label="Error views"
          tabs={[
            { label: 'All', href: address({ status: '' }), isCurrent: status === undefined },
            { label: 'Open', href: address({ status: 'open' }), isCurrent: status === 'open' },
            { label: 'Resolved', href: address({ status: 'resolved' }), isCurrent: status === 'resolved' },
          ]}
        />
        <FilterBar
          path={page.link('/errors')}
          query={query}
          preserved={['status']}
          filters={[{ name: 'app', label: 'App' }]}
        />
        <div id="error-list" data-live="errors tickets">
          {data.length === 0 ? (
            <NoErrors page={page} />
          ) : (
            <>
              <ErrorTable page={page} errors={data} />
              <Pager summary={pluralize(data.length, 'error')} page={page} href={address({})} next={next_before} />
            </>
          )}
        </div>
      </>
    ),
  })
}

function ErrorTable({ page, errors }: { readonly page: WorkspacePage; readonly errors: readonly ErrorGroup[] }) {
  return (
    <Table
      bleed
      caption="Errors"
      columns={[
        { name: 'Error', classes: 'wide' },
        { name: 'Level', classes: 'wide-only' },
        { name: 'App', classes: 'wide-only' },
        { name: 'Times', classes: 'right' },
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
              {error.exception !== null && <span class="quiet clip wide-only">{error.message}</span>}
            </div>
            <div class="second clip">{[error.app, error.message].filter(Boolean).join(' · ')}</div>
          </td>
          <td class="wide-only tight">
            <Level level={error.severity} />
          </td>
          <td class="wide-only tight quiet">{[error.app, error.environment].filter(Boolean).join(' · ') || '–'}</td>
          <td class="right tight">{count(error.count)}</td>
          <td class="right meta tight">
            <Time at={error.last_seen_at} />
          </td>
        </tr>
      ))}
    </Table>
  )
}

function NoErrors({ page }: { readonly page: WorkspacePage }) {
  if (page.query.has('status') || page.query.has('app'))
    return (
      <Empty
        icon="circle-check"
        title="No errors match"
        actions={<LinkButton href={page.link('/errors')}>All errors</LinkButton>}
      />
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
          ]}
        />
        <DaysCard page={page} error={error} />
        <Stack frames={report.frames} />
        <Samples error={error} />
      </div>
    ),
  })
}

/** The stored report. The client types it as a plain object. */
const toRecord = (sample: Record<string, unknown>) => sample as unknown as ErrorRecord // by this or an older version

const locationText = ({ file, line }: Pick<Frame, 'file' | 'line'>) => (line === null ? file : `${file}:${line}`)

const daysShown = 30
const dayMs = 86_400_000

function DaysCard({ page, error: { days } }: { readonly page: WorkspacePage; readonly error: ErrorGroupDetail }) {
  const counts = new Map(days.map(({ day, count }) => [day, count]))
  const bars = Array.from({ length: daysShown }, (_, index) => {
    const at = page.now - (daysShown - 1 - index) * dayMs
    const day = new Date(at).toISOString().slice(0, 10)
    return { label: shortDay(Date.parse(day), { now: page.now, zone: 'UTC' }), values: [counts.get(day) ?? 0] }
  })
  const all = days.reduce((sum, one) => sum + one.count, 0)
  const most = Math.max(0, ...days.map((one) => one.count))
  return (
    <Card title="Last 30 days" aside={<span class="meta">{pluralize(all, 'report')}</span>}>
      <BarChart
        sentence={`${pluralize(all, 'report')} in 30 days, at most ${count(most)} a day.`}
        series={[{ name: 'Reports', tone: 'bad' }]}
        bars={bars}
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
  level === null ? null : <Badge tone={tones[level] ?? 'bad'}>{words(level)}</Badge>
