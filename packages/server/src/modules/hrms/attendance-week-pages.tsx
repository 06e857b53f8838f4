import type { EmployeeHours } from '@service/contract/admin/hrms'
import { localDay } from '../../core/zones.ts'
import { LinkButton } from '../../ui/components/button.tsx'
import { Person } from '../../ui/components/person.tsx'
import { Pager, RowLink, Table } from '../../ui/components/table.tsx'
import { csvHead, csvLine } from '../../ui/csv.ts'
import { dayAfter, pluralize, weekDay } from '../../ui/format.ts'
import { numberOrUndefined, urlWith } from '../../ui/forms.ts'
import { type PageResult, show, type WorkspacePage } from '../../ui/page-types.ts'
import { AttendanceTabs, CorrectedMark, dayIn, NoEmployees, PeriodBar } from './attendance-pages.tsx'

const path = '/attendance/week'
const daysOfWeek = 7

/** The hours of each employee in the week that contains the day in the URL. */
export async function attendanceWeek(page: WorkspacePage): Promise<PageResult> {
  const week = getWeek(page)
  const [monday = '', sunday = ''] = [week[0], week.at(-1)]
  const before = numberOrUndefined(page.query, 'before')
  const { data, next_before } = await listWeek(page, week, before)
  return show({
    title: 'Week',
    live: true,
    crumbs: [{ label: 'Attendance', href: page.link('/attendance') }],
    action: (
      <LinkButton href={urlWith(page.link(`${path}/export`), { day: monday })} icon="download">
        CSV
      </LinkButton>
    ),
    body: (
      <>
        <AttendanceTabs page={page} current="Week" />
        <PeriodBar
          page={page}
          path={path}
          days={daysOfWeek}
          day={monday}
          isCurrent={week.includes(getToday(page))}
          title={`${weekDay(monday)} – ${weekDay(sunday)}`}
        />
        <div id="attendance-week" data-live="punches employees">
          {data.length === 0 ? (
            <NoEmployees page={page} />
          ) : (
            <>
              <WeekTable page={page} week={week} employees={data} />
              <Pager
                summary={pluralize(data.length, 'employee')}
                page={page}
                href={urlWith(page.link(path), { day: monday })}
                next={next_before}
              />
            </>
          )}
        </div>
      </>
    ),
  })
}

const getToday = ({ now, workspace: { zone } }: WorkspacePage) => localDay(now, zone)

/** The days from Monday to Sunday. */
function getWeek(page: WorkspacePage): readonly string[] {
  const day = dayIn(page.query.text('day')) ?? getToday(page)
  const daysSinceMonday = (new Date(day).getUTCDay() + 6) % daysOfWeek
  return Array.from({ length: daysOfWeek }, (_, index) => dayAfter(day, index - daysSinceMonday))
}

function listWeek({ admin, workspace }: WorkspacePage, week: readonly string[], before?: number) {
  const [from = '', to = ''] = [week[0], week.at(-1)]
  return admin.attendance.hours({ workspace: workspace.id }, { from, to, limit: 200, before })
}

interface WeekProps {
  readonly page: WorkspacePage
  readonly week: readonly string[]
  readonly employees: readonly EmployeeHours[]
}

function WeekTable({ page, week, employees }: WeekProps) {
  const today = getToday(page)
  const classesOf = (day: string) => `right tight wide-only${day === today ? ' today' : ''}`
  const totals = week.map((day) => sumOf(employees.map((employee) => workedOn(employee, day))))
  return (
    <Table
      bleed
      caption="Hours of the week"
      columns={[
        { name: 'Employee', classes: 'wide' },
        ...week.map((day) => ({ name: shortName(day), classes: classesOf(day) })),
        { name: 'Total', classes: 'right' },
      ]}
      foot={
        <tr>
          <td>Total</td>
          {week.map((day, index) => (
            <td class={classesOf(day)}>{toHours(totals[index] ?? 0)}</td>
          ))}
          <td class="right tight">{toHours(sumOf(totals))}</td>
        </tr>
      }
    >
      {employees
        .toSorted((a, b) => a.name.localeCompare(b.name))
        .map((employee) => (
          <tr id={`week-${employee.id}`}>
            <td class="wide">
              <RowLink href={page.link(`/employees/${employee.id}`)}>
                <Person name={employee.name} />
              </RowLink>
              <div class="second">{daysInWords(employee, week)}</div>
            </td>
            {week.map((day) => (
              <td class={classesOf(day)}>
                {isInSince(employee, day) && <InMark />}
                {isCorrectedOn(employee, day) && <CorrectedMark />}
                {toHours(workedOn(employee, day))}
              </td>
            ))}
            <td class="right tight">
              <strong>{toHours(totalOf(employee))}</strong>
            </td>
          </tr>
        ))}
    </Table>
  )
}

const InMark = () => (
  <>
    <span class="in-mark" aria-hidden="true" />
    <span class="sr">In now, </span>
  </>
)

/** The days with hours, for phones. */
const daysInWords = (employee: EmployeeHours, week: readonly string[]): string =>
  week
    .filter((day) => workedOn(employee, day) > 0 || isCorrectedOn(employee, day))
    .map((day) => {
      const corrected = isCorrectedOn(employee, day) ? ' (corrected)' : ''
      const hours = `${shortName(day).slice(0, 3)} ${toHours(workedOn(employee, day))}${corrected}`
      return isInSince(employee, day) ? `${hours} (in now)` : hours
    })
    .join(' · ')

/** `Mon 23` */
const shortName = (day: string) => weekDay(day).replace(',', '').split(' ', 2).join(' ')

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)
const totalOf = ({ days }: EmployeeHours) => sumOf(days.map(({ worked_seconds }) => worked_seconds))
const dayAt = ({ days }: EmployeeHours, wanted: string) => days.find(({ day }) => day === wanted)
const workedOn = (employee: EmployeeHours, day: string) => dayAt(employee, day)?.worked_seconds ?? 0
const isInSince = (employee: EmployeeHours, day: string) => dayAt(employee, day)?.checked_in === true

const isCorrectedOn = (employee: EmployeeHours, day: string) => dayAt(employee, day)?.corrected === true

/** `8:05` for 8 hours and 5 minutes. */
function toHours(seconds: number): string {
  if (seconds === 0) return '–'
  const minutes = Math.floor(seconds / 60)
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
}

/** All employees with decimal hours, which spreadsheets can add. */
export function exportWeek(page: WorkspacePage): PageResult {
  const week = getWeek(page)
  return { kind: 'download', name: `attendance-${week[0]}.csv`, type: 'text/csv', content: toCsv(page, week) }
}

async function* toCsv(page: WorkspacePage, week: readonly string[]): AsyncGenerator<string> {
  const decimal = (seconds: number) => Number((seconds / 3600).toFixed(2))
  yield csvHead(['Employee', ...week, 'Total', 'Corrected'])
  for await (const employee of listWeek(page, week))
    yield csvLine([
      employee.name,
      ...week.map((day) => decimal(workedOn(employee, day))),
      decimal(totalOf(employee)),
      week.filter((day) => isCorrectedOn(employee, day)).join(' '),
    ])
}
