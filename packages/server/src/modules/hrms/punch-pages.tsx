import type { Punch, StoredUnmatchedPunch } from '@service/contract/admin/hrms'
import type { Page } from '@service/contract/admin/pages'
import { Badge } from '../../ui/components/badge.tsx'
import { ActionButton, LinkButton } from '../../ui/components/button.tsx'
import { Banner, Empty } from '../../ui/components/notice.tsx'
import { Person } from '../../ui/components/person.tsx'
import { PagedList, Table } from '../../ui/components/table.tsx'
import { Time } from '../../ui/components/time.tsx'
import { clockTime, exactTime, pluralize, shortDay, words } from '../../ui/format.ts'
import { numberOrUndefined } from '../../ui/forms.ts'
import { type PageResult, recordRef, redirect, show, type WorkspacePage } from '../../ui/page-types.ts'
import { AddPunch, AttendanceTabs } from './attendance-pages.tsx'

/** Every punch with its pairing result. */
export async function punchList(page: WorkspacePage): Promise<PageResult> {
  const before = numberOrUndefined(page.query, 'before')
  const { data, next_before } = await page.admin.punches.list({ workspace: page.workspace.id }, { before })
  const [people, devices] = await Promise.all([
    employeeNames(
      page,
      data.map(({ employee_id }) => employee_id),
    ),
    deviceNames(
      page,
      data.map(({ device_id }) => device_id),
    ),
  ])
  return show({
    title: 'Punches',
    live: true,
    crumbs: [{ label: 'Attendance', href: page.link('/attendance') }],
    action: <AddPunch page={page} />,
    body: (
      <>
        <AttendanceTabs page={page} current="Punches" />
        <div id="punch-list" data-live="punches">
          <PagedList
            isEmpty={data.length === 0}
            empty={
              <Empty icon="fingerprint" title="No punches yet">
                Punches come from door devices and the API.
              </Empty>
            }
            summary={pluralize(data.length, 'punch', 'punches')}
            page={page}
            href={page.link('/attendance/punches')}
            next={next_before}
          >
            <Table
              bleed
              caption="Punches"
              columns={[
                { name: 'Employee', classes: 'wide' },
                { name: 'Counts as' },
                { name: 'Device', classes: 'wide-only' },
                { name: 'Sent by', classes: 'wide-only' },
                { name: 'At', classes: 'right' },
                { name: 'Actions', classes: 'right', isHidden: true },
              ]}
            >
              {data.map((punch) => (
                <tr id={`punch-${punch.id}`}>
                  <td class="wide">
                    <Person name={people.get(punch.employee_id)} />
                    <div class="second clip" dir="auto">
                      {devices.get(punch.device_id)}
                    </div>
                  </td>
                  <td class="tight">
                    <Outcome punch={punch} />
                  </td>
                  <td class="wide-only tight quiet">
                    <bdi title={devices.get(punch.device_id)}>{devices.get(punch.device_id)}</bdi>
                  </td>
                  <td class="wide-only tight quiet">{senders[punch.via] ?? punch.via}</td>
                  <td class="right meta tight">
                    {punch.voided_at === null ? (
                      <PunchTime page={page} punch={punch} />
                    ) : (
                      <s>
                        <PunchTime page={page} punch={punch} />
                      </s>
                    )}
                    {punch.corrected && (
                      <div class="quiet clip" title={punch.reason ?? undefined}>
                        {punch.reason ?? 'Corrected'}
                      </div>
                    )}
                  </td>
                  <td class="right tight">
                    {punch.voided_at === null && page.can('admin') && (
                      <LinkButton
                        href={page.link(`/attendance/punches/${punch.id}/edit`)}
                        small
                        icon="pencil"
                        label="Correct"
                      />
                    )}
                  </td>
                </tr>
              ))}
            </Table>
          </PagedList>
        </div>
      </>
    ),
  })
}

/** `19 Nov, 14:02` in the zone of the workspace. */
function PunchTime({ page: { now, workspace }, punch }: { readonly page: WorkspacePage; readonly punch: Punch }) {
  const at = Date.parse(punch.at)
  const { zone } = workspace
  return (
    <time dateTime={punch.at} title={exactTime(at, zone)}>
      {shortDay(at, { now, zone })}, {clockTime(at, zone)}
    </time>
  )
}

const senders: Readonly<Record<string, string>> = {
  api: 'API',
  webhook: 'Device',
  replay: 'Replay',
  admin: 'Administration',
}

function Outcome({ punch }: { readonly punch: Punch }) {
  const { action, duplicate_of, orphan, voided_at, replaced_by } = punch
  if (replaced_by !== null) return <Badge tone="mute">Replaced</Badge>
  if (voided_at !== null) return <Badge tone="mute">Deleted</Badge>
  if (duplicate_of !== null) return <Badge tone="mute">Duplicate</Badge>
  if (orphan) return <Badge tone="warn">Out without in</Badge>
  return <Badge tone={action === 'check_in' ? 'ok' : 'info'}>{action === 'check_in' ? 'In' : 'Out'}</Badge>
}

/** Punches of unknown employees or devices, until they are replayed. */
export const unmatchedList = (page: WorkspacePage): Promise<PageResult> => unmatchedPage(page)

async function unmatchedPage(page: WorkspacePage, refusal?: string): Promise<PageResult> {
  const before = numberOrUndefined(page.query, 'before')
  const at = { workspace: page.workspace.id }
  const [{ data, next_before }, registered] = await Promise.all([
    page.admin.attendance.unmatched(at, { before }),
    page.admin.devices.list(at, { limit: 200 }),
  ])
  const devices = new Map(registered.data.map(({ id, device_name }) => [String(id), device_name]))
  return show({
    title: 'Unmatched',
    live: true,
    status: refusal === undefined ? 200 : 409,
    crumbs: [{ label: 'Attendance', href: page.link('/attendance') }],
    body: (
      <>
        <AttendanceTabs page={page} current="Unmatched" />
        {refusal !== undefined && <Banner tone="warn">{refusal}</Banner>}
        <div id="unmatched-list" data-live="punches">
          <PagedList
            isEmpty={data.length === 0}
            empty={
              <Empty icon="circle-check" title="No unmatched punches">
                Punches of unknown employees or devices wait here until they are replayed.
              </Empty>
            }
            summary={pluralize(data.length, 'punch', 'punches')}
            page={page}
            href={page.link('/attendance/unmatched')}
            next={next_before}
          >
            <Table
              bleed
              caption="Unmatched punches"
              columns={[
                { name: 'Sent', classes: 'wide' },
                { name: 'Unknown' },
                { name: 'Arrived', classes: 'right wide-only' },
                { name: 'Actions', classes: 'right', isHidden: true },
              ]}
            >
              {data.map((waiting) => (
                <WaitingRow page={page} waiting={waiting} devices={devices} />
              ))}
            </Table>
          </PagedList>
        </div>
      </>
    ),
  })
}

interface WaitingRowProps {
  readonly page: WorkspacePage
  readonly waiting: StoredUnmatchedPunch
  readonly devices: ReadonlyMap<string, string>
}

function WaitingRow({ page, waiting, devices }: WaitingRowProps) {
  const { id, reason, punch, received_at } = waiting
  const text = (name: string) => {
    const value = punch[name]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
  }
  const employee = text('employee_code') ?? text('attendance_uid') ?? text('email') ?? text('user_id')
  const deviceId = text('device_id') ?? ''
  const device = text('external_device_id') ?? devices.get(deviceId) ?? (deviceId || text('source_type'))
  const sentAt = text('timestamp')
  return (
    <tr id={`unmatched-${id}`}>
      <td class="wide">
        <div class="breakable">
          <strong>{employee ?? 'No employee'}</strong>{' '}
          <span class="quiet">
            {words(text('direction') ?? 'toggle').toLowerCase()} at <bdi>{device ?? 'an unspecified device'}</bdi>
            {sentAt !== undefined && `, ${sentAt}`}
          </span>
        </div>
        <div class="second">
          <Time at={received_at} />
        </div>
      </td>
      <td class="tight">
        <Badge tone="warn">{reason === 'device_not_found' ? 'Device' : 'Employee'}</Badge>
      </td>
      <td class="right meta tight wide-only">
        <Time at={received_at} />
      </td>
      <td class="right tight">
        {page.can('member') && (
          <ActionButton id={`replay-${id}`} action={page.link(`/attendance/unmatched/${id}/replay`)} small>
            Replay
          </ActionButton>
        )}
      </td>
    </tr>
  )
}

/** Replays an unmatched punch after its employee and device are registered. */
export async function replayPunch(page: WorkspacePage): Promise<PageResult> {
  const result = await page.admin.attendance.replay(recordRef(page))
  if (!result.recorded) return unmatchedPage(page, result.hint ?? undefined)
  return redirect(page.link('/attendance/unmatched'), `Punch recorded as ${words(result.action).toLowerCase()}`)
}

type EmployeeNames = ReadonlyMap<number, string>

function employeeNames({ admin, workspace: { id: workspace } }: WorkspacePage, ids: readonly number[]) {
  const name = ({ id, user }: { id: number; user: { name: string } }) => [id, user.name] as const
  return loadNames(ids, {
    list: async () => toEntries(await admin.employees.list({ workspace }, { limit: 200 }), name),
    get: async (id) => name(await admin.employees.get({ workspace, id })),
  })
}

function deviceNames({ admin, workspace: { id: workspace } }: WorkspacePage, ids: readonly number[]) {
  const name = ({ id, device_name }: { id: number; device_name: string }) => [id, device_name] as const
  return loadNames(ids, {
    list: async () => toEntries(await admin.devices.list({ workspace }, { limit: 200 }), name),
    get: async (id) => name(await admin.devices.get({ workspace, id })),
  })
}

type Entry = readonly [number, string]

const toEntries = <Row,>({ data }: Page<Row>, name: (row: Row) => Entry): Entry[] => data.map(name)

interface Sources {
  readonly list: () => Promise<readonly Entry[]>
  readonly get: (id: number) => Promise<Entry>
}

/** Most workspaces have fewer than one page; the rest are fetched individually. */
async function loadNames(ids: readonly number[], { list, get }: Sources): Promise<EmployeeNames> {
  if (ids.length === 0) return new Map()
  const names = new Map(await list())
  const missing = [...new Set(ids)].filter((id) => !names.has(id))
  for (const [id, name] of await Promise.all(missing.map(get))) names.set(id, name)
  return names
}
