import { isDay } from '@service/contract'
import type { AttendanceSession } from '@service/contract/admin/hrms'
import { localDay } from '../../core/zones.ts'
import { LinkButton } from '../../ui/components/button.tsx'
import { Hours, type Span } from '../../ui/components/chart.tsx'
import { Empty } from '../../ui/components/notice.tsx'
import { Pager } from '../../ui/components/table.tsx'
import { Tabs } from '../../ui/components/tabs.tsx'
import { clockTime, count, dayAfter, duration, longDay, pluralize, weekDay } from '../../ui/format.ts'
import { numberOrUndefined, urlWith } from '../../ui/forms.ts'
import { type PageResult, show, type WorkspacePage } from '../../ui/page-types.ts'
import { defaultLimits } from './attendance/punch.ts'

/** Attendance on one day, in the workspace's time zone. */
export async function attendanceDay(page: WorkspacePage): Promise<PageResult> {
  const { now } = page
  const { zone, id: workspace } = page.workspace
  const today = localDay(now, zone)
  const day = dayIn(page.query.text('day')) ?? today
  const before = numberOrUndefined(page.query, 'before')
  const [employees, ...sessions] = await Promise.all([
    page.admin.employees.list({ workspace }, { limit: 100, before }),
    loadSessions(page, day),
    // A night shift counts for its first day, and its bar may extend into this one.
    loadSessions(page, dayAfter(day, -1)),
  ])
  const rows = employees.data.map((employee) => {
    const worked = sessions.flat().filter(({ employee_id }) => employee_id === employee.id)
    return { employee, ...presenceOn(worked, { day, zone, now }) }
  })
  const present = rows.filter(({ spans }) => spans.length > 0)
  const isIn = rows.filter(({ isIn }) => isIn)
  const { next_before } = employees
  return show({
    title: 'Attendance',
    live: true,
    action: <AddPunch page={page} day={day} />,
    body: (
      <>
        <AttendanceTabs page={page} current="Day" />
        <PeriodBar page={page} path="/attendance" day={day} days={1} title={longDay(day)} isCurrent={day === today} />
        <div id="attendance-day" data-live="punches employees">
          {rows.length === 0 ? (
            <NoEmployees page={page} />
          ) : (
            <>
              <p class="quiet attendance-summary">
                {day === today
                  ? `${isIn.length} of ${count(rows.length)} are in.`
                  : `${present.length} of ${count(rows.length)} were there.`}{' '}
                Times in {zone}.
              </p>
              <Hours
                rows={[...rows]
                  .toSorted((a, b) => a.employee.user.name.localeCompare(b.employee.user.name))
                  .map(({ employee, spans, sentence, sessions, worked, isCorrected }) => ({
                    label: (
                      <a dir="auto" href={page.link(`/employees/${employee.id}`)}>
                        {employee.user.name}
                      </a>
                    ),
                    spans,
                    sentence: `${employee.user.name}: ${sentence}`,
                    aside: (
                      <>
                        {isCorrected && <CorrectedMark />}
                        <SessionTimes page={page} day={day} sessions={sessions} worked={worked} />
                      </>
                    ),
                  }))}
              />
              {(next_before !== null || before !== undefined) && (
                <Pager
                  summary={pluralize(rows.length, 'employee')}
                  page={page}
                  href={urlWith(page.link('/attendance'), { day })}
                  next={next_before}
                />
              )}
            </>
          )}
        </div>
      </>
    ),
  })
}

const maxSessions = 2000

const loadSessions = ({ admin, workspace }: WorkspacePage, day: string): Promise<readonly AttendanceSession[]> =>
  admin.attendance.sessions({ workspace: workspace.id }, { day, limit: 200 }).all({ limit: maxSessions })

interface PeriodBarProps {
  readonly page: WorkspacePage
  /** The page within the workspace. */
  readonly path: string
  /** The first day of the period. */
  readonly day: string
  /** The length of the period. */
  readonly days: 1 | 7
  readonly title: string
  /** Whether the period contains today. */
  readonly isCurrent: boolean
}

/** Navigation between days or weeks. */
export function PeriodBar({ page, path, day, days, title, isCurrent }: PeriodBarProps) {
  const dayLink = (offset: number) => urlWith(page.link(path), { day: dayAfter(day, offset) })
  const period = days === 1 ? 'day' : 'week'
  return (
    <div class="toolbar">
      <LinkButton id="period-before" href={dayLink(-days)} icon="chevron-left" label={`Previous ${period}`} />
      <LinkButton id="period-after" href={dayLink(days)} icon="chevron-right" label={`Next ${period}`} />
      <h2>{title}</h2>
      {!isCurrent && (
        <LinkButton id="period-now" href={page.link(path)} variant="quiet">
          {days === 1 ? 'Today' : 'This week'}
        </LinkButton>
      )}
      <form class="row day-form" action={page.link(path)}>
        <input class="input" type="date" name="day" value={day} aria-label="Day" />
        <button class="button" type="submit">
          Go
        </button>
      </form>
    </div>
  )
}

export function NoEmployees({ page }: { readonly page: WorkspacePage }) {
  return (
    <Empty
      icon="clock"
      title="No employees yet"
      actions={page.can('admin') && <LinkButton href={page.link('/employees/new')}>New employee</LinkButton>}
    >
      Door devices send a punch whenever a registered employee clocks in or out.
    </Empty>
  )
}

/** A button for administrators. */
export const AddPunch = ({ page, day }: { readonly page: WorkspacePage; readonly day?: string }) =>
  page.can('admin') ? (
    <LinkButton id="add-punch" href={urlWith(page.link('/attendance/punches/new'), { day })} icon="plus">
      Add punch
    </LinkButton>
  ) : null

interface SessionTimesProps {
  readonly page: WorkspacePage
  readonly day: string
  readonly sessions: readonly AttendanceSession[]
  /** The time worked in the sessions that began on the day. */
  readonly worked: string
}

/** `09:00–17:00 · 8 h`, or `–` without sessions. For administrators, each time is a link to the correction of its punch. */
export function SessionTimes({ page, day, sessions, worked }: SessionTimesProps) {
  if (sessions.length === 0) return <>–</>
  const time = (id: number | null, at: string) => {
    const text = clockTime(Date.parse(at), page.workspace.zone)
    if (id === null || !page.can('admin')) return text
    return (
      <a href={page.link(`/attendance/punches/${id}/edit`)} title="Correct this punch">
        {text}
      </a>
    )
  }
  return (
    <>
      {sessions.map((session, index) => (
        <>
          {index > 0 && ', '}
          {time(session.id, session.check_in_at)}–
          {session.check_out_at === null
            ? openEnd(session, page.now)
            : time(session.check_out_punch_id, session.check_out_at)}
          {sinceEarlier(session, day)}
        </>
      ))}
      {sessions.some((session) => session.day === day) && ` · ${worked}`}
    </>
  )
}

/** An administrator has added, changed, or deleted a punch. */
export const CorrectedMark = () => (
  <>
    <span class="in-mark corrected" title="Corrected" aria-hidden="true" />
    <span class="sr">Corrected, </span>
  </>
)

const views = [
  ['Day', '/attendance'],
  ['Week', '/attendance/week'],
  ['Punches', '/attendance/punches'],
  ['Unmatched', '/attendance/unmatched'],
  ['Devices', '/attendance/devices'],
] as const

/** The tabs of the attendance pages. */
export function AttendanceTabs({
  page,
  current,
}: {
  readonly page: WorkspacePage
  readonly current: (typeof views)[number][0]
}) {
  return (
    <>
      <h1 class="sr">Attendance: {current.toLowerCase()}</h1>
      <Tabs
        label="Attendance views"
        tabs={views.map(([label, path]) => ({ label, href: page.link(path), isCurrent: label === current }))}
      />
    </>
  )
}

const minutesOfDay = 1440

/** Parses the day in an address; undefined if it is invalid. */
export const dayIn = (text: string): string | undefined => (isDay(text) ? text : undefined)

interface LocalDay {
  readonly day: string
  readonly zone: string
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Whether an employee is in. An open session counts for 16 hours; after that, its check-out was forgotten. */
export function isRunning({ check_in_at, check_out_at }: AttendanceSession, now: number): boolean {
  const openForMs = now - Date.parse(check_in_at)
  return check_out_at === null && openForMs >= 0 && openForMs <= defaultLimits.openSessionLimitUs / 1000
}

/** An employee's presence on a day. `worked` is the time of the sessions that began on it, as in the week. */
export function presenceOn(sessions: readonly AttendanceSession[], day: LocalDay) {
  const parts = sessions
    .map((session) => ({ session, ...spanOf(session, day) }))
    .filter(({ session, from, to }) => to > from || session.day === day.day)
    .toSorted((a, b) => a.from - b.from)
  const own = parts.filter(({ session }) => session.day === day.day)
  const workedMs = own.reduce((sum, { session }) => sum + endOf(session, day.now) - Date.parse(session.check_in_at), 0)
  return {
    sessions: parts.map(({ session }) => session),
    spans: parts.map(({ from, to, isOpen }): Span => ({ from, to, isOpen })),
    sentence: parts.length === 0 ? 'Not there' : parts.map(({ session }) => timesOf(session, day)).join(', '),
    worked: workedMs < 60_000 ? '0 min' : duration(workedMs),
    isIn: parts.some(({ isOpen }) => isOpen),
    isCorrected: parts.some(({ session }) => session.corrected),
  }
}

/** The end of the time that counts. An open session counts only while it is running. */
function endOf(session: AttendanceSession, now: number): number {
  if (isRunning(session, now)) return now
  return Date.parse(session.check_out_at ?? session.check_in_at)
}

const spanOf = (session: AttendanceSession, day: LocalDay) => ({
  from: minuteOf(Date.parse(session.check_in_at), day),
  to: minuteOf(endOf(session, day.now), day),
  isOpen: isRunning(session, day.now),
})

/** The local minute of the day; 0 before the day and 1440 after it. */
function minuteOf(at: number, { day, zone }: LocalDay): number {
  const dayAt = localDay(at, zone)
  if (dayAt !== day) return dayAt < day ? 0 : minutesOfDay
  const [hours = 0, minutes = 0] = clockTime(at, zone).split(':').map(Number)
  return hours * 60 + minutes
}

function timesOf(session: AttendanceSession, { day, zone, now }: LocalDay): string {
  const { check_in_at, check_out_at } = session
  const end = check_out_at === null ? openEnd(session, now) : clockTime(Date.parse(check_out_at), zone)
  return `${clockTime(Date.parse(check_in_at), zone)}–${end}${sinceEarlier(session, day)}`
}

const openEnd = (session: AttendanceSession, now: number) => (isRunning(session, now) ? 'now' : 'no Out')

const sinceEarlier = (session: AttendanceSession, day: string) =>
  session.day === day ? '' : ` (began ${weekDay(session.day)})`
