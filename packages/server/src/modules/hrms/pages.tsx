import { Employee } from '@service/contract'
import { EmployeeInput, EmployeePatch } from '@service/contract/admin/hrms-input'
import { employmentTypes } from '@service/contract/values'
import { localDay } from '../../core/zones.ts'
import { LinkButton } from '../../ui/components/button.tsx'
import { Card } from '../../ui/components/card.tsx'
import { Hours } from '../../ui/components/chart.tsx'
import { EmailLink } from '../../ui/components/contact-link.tsx'
import { Person } from '../../ui/components/person.tsx'
import { dayAfter, weekDay } from '../../ui/format.ts'
import { urlWith } from '../../ui/forms.ts'
import type { WorkspacePage, WorkspacePages } from '../../ui/page-types.ts'
import { choice, day, reference, text } from '../../ui/resource/fields.tsx'
import { resourcePages } from '../../ui/resource/pages.ts'
import { defineResource } from '../../ui/resource/resource.ts'
import { attendanceDay, dayIn, presenceOn, SessionTimes } from './attendance-pages.tsx'
import { attendanceWeek, exportWeek } from './attendance-week-pages.tsx'
import { correctionPages } from './correction-pages.tsx'
import { devicePages } from './device-pages.tsx'
import { punchList, replayPunch, unmatchedList } from './punch-pages.tsx'

export const employees = defineResource<Employee, Employee>()({
  noun: 'employee',
  icon: 'users',
  emptyText: 'An employee is a member with a code or badge that door devices recognize.',
  role: 'admin',
  api: (admin) => admin.employees,
  title: ({ user }) => user.name,
  fields: {
    user_id: reference('Member', 'members', { none: 'New person' }),
    name: text('Name', { hint: 'A new person needs one. Members have theirs.' }),
    email: text<Employee>('E-mail', {
      control: 'email',
      hint: 'A new person needs one. Members have theirs.',
      ofRow: ({ user }) => user.email,
    }),
    employee_code: text('Code', { classes: 'right quiet', narrow: true }),
    attendance_uid: text('Badge', { hint: 'The id that door devices send.', narrow: true }),
    department: text('Department'),
    job_title: text('Job'),
    employment_type: choice('Employment', employmentTypes, { none: 'Not specified' }),
    joined_at: day('Joined'),
    user: { label: 'Name', idField: 'user_id', show: ({ name }) => <Person name={name} /> },
  },
  list: {
    row: Employee,
    link: 'user',
    columns: ['user', 'department', 'job_title', 'employee_code'],
    onPhones: ['employee_code'],
    search: 'Search employees',
    searchHint: 'Searches the beginnings of words in names, e-mail addresses, and codes.',
    secondLine: ({ department, job_title }) => [department, job_title].filter(Boolean).join(' · '),
    live: 'employees members',
  },
  detail: async (page, employee) => ({
    facts: [
      ['E-mail', <EmailLink address={employee.user.email} />],
      'employee_code',
      'attendance_uid',
      '?department',
      '?job_title',
      '?employment_type',
      '?joined_at',
    ],
    below: await attendanceCard(page, employee),
    live: 'employees punches',
  }),
  form: {
    create: EmployeeInput,
    change: EmployeePatch,
    heading: ({ user }) => `Edit ${user.name}`,
    intro: 'Choose a member, or enter a name and e-mail address to add a new one.',
    created: 'is an employee',
  },
  deletes: {
    of: 'profile',
    effect: 'The person stays a member. Profiles with punches cannot be deleted.',
  },
})

const daysShown = 14

async function attendanceCard(page: WorkspacePage, { id, user }: Employee) {
  const { now } = page
  const { zone, id: workspace } = page.workspace
  const today = localDay(now, zone)
  const until = dayIn(page.query.text('until')) ?? today
  const days = Array.from({ length: daysShown }, (_, ago) => dayAfter(until, -ago))
  // One extra day, because a night shift can extend into the first day.
  const pages = await Promise.all(
    [...days, dayAfter(until, -daysShown)].map((day) =>
      page.admin.attendance.sessions({ workspace }, { day, employee_id: id, limit: 200 }),
    ),
  )
  const sessions = pages.flatMap(({ data }) => data)
  const untilLink = (day: string) => urlWith(page.link(`/employees/${id}`), { until: day })
  return (
    <Card
      title="Attendance"
      aside={
        <span class="row">
          <span class="meta wide-only">Times in {zone}</span>
          {page.can('admin') && (
            <LinkButton href={urlWith(page.link('/attendance/punches/new'), { employee_id: String(id) })} small>
              Add punch
            </LinkButton>
          )}
          <LinkButton href={untilLink(dayAfter(until, -daysShown))} small icon="chevron-left" label="Earlier" />
          {until < today && (
            <LinkButton href={untilLink(dayAfter(until, daysShown))} small icon="chevron-right" label="Later" />
          )}
        </span>
      }
    >
      <Hours
        rows={days.map((day) => {
          const { spans, sentence, sessions: shown, worked } = presenceOn(sessions, { day, zone, now })
          return {
            label: weekDay(day),
            spans,
            sentence: `${user.name}, ${weekDay(day)}: ${sentence}`,
            aside: <SessionTimes page={page} day={day} sessions={shown} worked={worked} />,
          }
        })}
      />
    </Card>
  )
}

export const hrmsPages: WorkspacePages = [
  ...resourcePages(employees),
  { method: 'GET', path: '/attendance', handle: attendanceDay },
  { method: 'GET', path: '/attendance/week', handle: attendanceWeek },
  { method: 'GET', path: '/attendance/week/export', handle: exportWeek },
  { method: 'GET', path: '/attendance/punches', handle: punchList },
  { method: 'GET', path: '/attendance/unmatched', handle: unmatchedList },
  { method: 'POST', path: '/attendance/unmatched/{id}/replay', role: 'member', handle: replayPunch },
  ...correctionPages,
  ...devicePages,
]
