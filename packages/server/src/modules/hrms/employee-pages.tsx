import type { Employee } from '@service/contract'
import { LinkButton } from '../../ui/components/button.tsx'
import { Card, Facts, PageHead } from '../../ui/components/card.tsx'
import { Hours } from '../../ui/components/chart.tsx'
import { Confirm } from '../../ui/components/dialog.tsx'
import { FilterBar } from '../../ui/components/filter-bar.tsx'
import { Empty } from '../../ui/components/notice.tsx'
import { Person } from '../../ui/components/person.tsx'
import { Pager, RowLink, Table } from '../../ui/components/table.tsx'
import { Day } from '../../ui/components/time.tsx'
import { counted, dayOf, weekDay, words } from '../../ui/format.ts'
import { addressWith, numberOrUndefined, textOrUndefined, valuesOf } from '../../ui/forms.ts'
import { type PageResult, placeOf, redirect, show, type WorkspacePage } from '../../ui/page-types.ts'
import { dayAfter, dayIn, presenceOn } from './attendance-pages.tsx'

export async function employeeList(page: WorkspacePage): Promise<PageResult> {
  const { query } = page
  const { data, next_before } = await page.admin.employees.list(
    { workspace: page.workspace.id },
    { search: textOrUndefined(query, 'search'), before: numberOrUndefined(query, 'before') },
  )
  const address = (before?: number) =>
    addressWith(page.link('/employees'), { ...valuesOf(query, ['search']), before: before?.toString() })
  return show({
    title: 'Employees',
    live: true,
    action: page.can('admin') ? (
      <LinkButton href={page.link('/employees/new')} look="primary" icon="plus" shortcut="c">
        New employee
      </LinkButton>
    ) : undefined,
    body: (
      <>
        <h1 class="sr">Employees</h1>
        <FilterBar path={page.link('/employees')} query={query} filters={[]} search="Search employees" />
        <div id="employee-list" data-live="employees members">
          {data.length === 0 ? (
            <NoEmployees page={page} />
          ) : (
            <>
              <Table
                bleed
                caption="Employees"
                columns={[
                  { name: 'Name', look: 'wide' },
                  { name: 'Department', look: 'wide-only' },
                  { name: 'Job', look: 'wide-only' },
                  { name: 'Code', look: 'right' },
                ]}
              >
                {data.map(({ id, user, department, job_title, employee_code }) => (
                  <tr id={`employee-${id}`}>
                    <td class="wide">
                      <RowLink id={`open-employee-${id}`} href={page.link(`/employees/${id}`)} drawer>
                        <Person name={user.name} />
                      </RowLink>
                      <div class="second clip">{[department, job_title].filter(Boolean).join(' · ')}</div>
                    </td>
                    <td class="wide-only tight quiet">{department ?? '–'}</td>
                    <td class="wide-only tight quiet">{job_title ?? '–'}</td>
                    <td class="right tight quiet">{employee_code ?? '–'}</td>
                  </tr>
                ))}
              </Table>
              <Pager
                shown={counted(data.length, 'employee')}
                older={next_before === null ? undefined : address(next_before)}
                newest={query.has('before') ? address() : undefined}
              />
            </>
          )}
        </div>
      </>
    ),
  })
}

function NoEmployees({ page }: { readonly page: WorkspacePage }) {
  if (page.query.text('search') !== '')
    return (
      <Empty
        icon="search"
        title="No employee is like that"
        actions={<LinkButton href={page.link('/employees')}>All employees</LinkButton>}
      >
        Search is for a part of the name, the e-mail address or the code.
      </Empty>
    )
  return (
    <Empty
      icon="users"
      title="No employees yet"
      actions={page.can('admin') && <LinkButton href={page.link('/employees/new')}>New employee</LinkButton>}
    >
      An employee is a member with a code or a badge, by which devices at the door know them.
    </Empty>
  )
}

const daysShown = 14

/** An employee, with two weeks of attendance. */
export async function employeeDetail(page: WorkspacePage): Promise<PageResult> {
  const employee = await page.admin.employees.get(placeOf(page))
  return show({
    title: employee.user.name,
    live: true,
    crumbs: [{ label: 'Employees', href: page.link('/employees') }],
    body: (
      <div class="stack" id={`employee-detail-${employee.id}`} data-live="employees punches">
        <PageHead
          title={employee.user.name}
          actions={page.can('admin') && <Actions page={page} employee={employee} />}
        />
        <Facts
          facts={[
            ['E-mail', <a href={`mailto:${employee.user.email}`}>{employee.user.email}</a>],
            ['Code', employee.employee_code ?? '–'],
            ['Badge', employee.attendance_uid ?? '–'],
            employee.department !== null && ['Department', employee.department],
            employee.job_title !== null && ['Job', employee.job_title],
            employee.employment_type !== null && ['Employment', words(employee.employment_type)],
            employee.joined_at !== null && ['Joined', <Day on={employee.joined_at} />],
          ]}
        />
        {await attendanceCard(page, employee)}
      </div>
    ),
  })
}

async function attendanceCard(page: WorkspacePage, { id, user }: Employee) {
  const { now } = page
  const { zone, id: workspace } = page.workspace
  const today = dayOf(now, zone)
  const until = dayIn(page.query.text('until')) ?? today
  const days = Array.from({ length: daysShown }, (_, ago) => dayAfter(until, -ago))
  // One day more: a night shift reaches into the first one shown.
  const found = await Promise.all(
    [...days, dayAfter(until, -daysShown)].map((day) =>
      page.admin.attendance.sessions({ workspace }, { day, employee_id: id, limit: 200 }),
    ),
  )
  const sessions = found.flatMap(({ data }) => data)
  const at = (day: string) => addressWith(page.link(`/employees/${id}`), { until: day })
  return (
    <Card
      title="Attendance"
      aside={
        <span class="row">
          <span class="meta wide-only">Times in {zone}</span>
          <LinkButton href={at(dayAfter(until, -daysShown))} small icon="chevron-left" label="Earlier" />
          {until < today && (
            <LinkButton href={at(dayAfter(until, daysShown))} small icon="chevron-right" label="Later" />
          )}
        </span>
      }
    >
      <Hours
        rows={days.map((day) => {
          const { spans, sentence, worked } = presenceOn(sessions, { day, zone, now })
          return {
            label: weekDay(day),
            spans,
            sentence: `${user.name}, ${weekDay(day)}: ${sentence}`,
            aside: spans.length === 0 ? '–' : `${sentence} · ${worked}`,
          }
        })}
      />
    </Card>
  )
}

function Actions({ page, employee: { id, user } }: { readonly page: WorkspacePage; readonly employee: Employee }) {
  return (
    <>
      <Confirm
        id={`delete-employee-${id}`}
        button={{ icon: 'trash-2', label: 'Delete', look: 'quiet' }}
        title={`Delete the profile of ${user.name}?`}
        action={page.link(`/employees/${id}/delete`)}
        does="Delete profile"
      >
        The person stays a member. A profile with punches stays too: what they say must remain.
      </Confirm>
      <LinkButton id="edit-employee" href={page.link(`/employees/${id}/edit`)} icon="pencil" shortcut="e">
        Edit
      </LinkButton>
    </>
  )
}

export async function deleteEmployee(page: WorkspacePage): Promise<PageResult> {
  const place = placeOf(page)
  const { user } = await page.admin.employees.get(place)
  await page.admin.employees.delete(place)
  return redirect(page.link('/employees'), `The profile of ${user.name} is deleted`)
}
