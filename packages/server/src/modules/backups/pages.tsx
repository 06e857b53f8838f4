import { resolve } from 'node:path'
import type { Backup, SystemReport } from '@service/contract/admin/operations'
import { toShellWord } from '../../core/shell-word.ts'
import { Badge } from '../../ui/components/badge.tsx'
import { ActionButton, LinkButton } from '../../ui/components/button.tsx'
import { Card, Facts, PageHead } from '../../ui/components/card.tsx'
import { Copyable } from '../../ui/components/code.tsx'
import { Banner } from '../../ui/components/notice.tsx'
import { Table } from '../../ui/components/table.tsx'
import { Time } from '../../ui/components/time.tsx'
import { errorPage } from '../../ui/error-pages.tsx'
import { bytes, count, duration, words } from '../../ui/format.ts'
import { submit } from '../../ui/forms.ts'
import { type PageResult, redirect, show, type WorkspacePage, type WorkspacePages } from '../../ui/page-types.ts'
import { SettingsTabs, settingsCrumbs } from '../workspaces/pages.tsx'

const role = 'instance'

/** Instance status, for instance administrators. */
export const systemPages: WorkspacePages = [
  { method: 'GET', path: '/settings/system', role, handle: systemState },
  { method: 'GET', path: '/settings/system/tables', role, handle: tableSizes },
  { method: 'POST', path: '/settings/system/backups', role, handle: makeBackup },
  { method: 'GET', path: '/settings/system/backups/{file}/export', role, handle: downloadBackup },
]

async function systemState(page: WorkspacePage): Promise<PageResult> {
  const [system, backups] = await Promise.all([page.admin.system.get(), page.admin.backups.list()])
  const hasDirectory = system.backups.directory !== null
  return show({
    title: 'System',
    crumbs: settingsCrumbs(page),
    body: (
      <>
        <SettingsTabs page={page} current="/settings/system" />
        <PageHead title="System">Status of the whole instance, not only this workspace.</PageHead>
        <div class="stack">
          {system.schema.pending > 0 && (
            <Banner tone="warn">{count(system.schema.pending)} database migrations are pending.</Banner>
          )}
          <div class="halves even">
            <Instance page={page} system={system} />
            <Queue system={system} />
          </div>
          <Card
            title="Backups"
            flush
            aside={
              hasDirectory && (
                <ActionButton id="make-backup" action={page.link('/settings/system/backups')} small icon="download">
                  Back up now
                </ActionButton>
              )
            }
          >
            <BackupSchedule system={system} />
            {backups.data.length > 0 && <BackupTable page={page} backups={backups.data} />}
            <Restore system={system} newest={backups.data[0]} />
          </Card>
          <Retention days={system.retention_days} />
        </div>
      </>
    ),
  })
}

const databases = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const

function Instance({ page, system }: { readonly page: WorkspacePage; readonly system: SystemReport }) {
  const { version, node, database, schema, workspaces } = system
  return (
    <Card title="Instance">
      <Facts
        facts={[
          ['Version', version],
          ['Node.js', node],
          [
            'Database',
            <>
              {databases[database.kind]}, {bytes(database.size_bytes)}{' '}
              <a href={page.link('/settings/system/tables')}>by table</a>
            </>,
          ],
          ['Schema', schema.latest ?? '–'],
          ['Workspaces', count(workspaces)],
        ]}
      />
    </Card>
  )
}

const lateAfterSeconds = 60

function Queue({ system: { deliveries } }: { readonly system: SystemReport }) {
  const { pending, overdue_seconds, failing_subscriptions, disabled_subscriptions } = deliveries
  const isLate = overdue_seconds > lateAfterSeconds
  return (
    <Card title="Deliveries">
      <Facts
        facts={[
          [
            'State',
            <Badge tone={isLate ? 'warn' : 'ok'}>
              {isLate ? `${duration(overdue_seconds * 1000)} behind` : 'In time'}
            </Badge>,
          ],
          ['Waiting', count(pending)],
          ['Failing endpoints', count(failing_subscriptions)],
          ['Disabled endpoints', count(disabled_subscriptions)],
        ]}
      />
    </Card>
  )
}

function BackupSchedule({ system: { backups } }: { readonly system: SystemReport }) {
  const { directory, every_hours, keep, last_at } = backups
  if (directory === null) return <p class="card-body quiet">No backup directory is configured on this server.</p>
  return (
    <div class="card-body">
      <Facts
        facts={[
          ['Directory', <code class="breakable">{directory}</code>],
          ['Made', every_hours === null ? 'Manual only' : `Every ${every_hours} h, the newest ${keep} are kept`],
          ['Last', <Time at={last_at} />],
        ]}
      />
    </div>
  )
}

function BackupTable({ page, backups }: { readonly page: WorkspacePage; readonly backups: readonly Backup[] }) {
  return (
    <Table
      caption="Backups, newest first"
      columns={[
        { name: 'File', classes: 'wide' },
        { name: 'Why', classes: 'wide-only' },
        { name: 'Rows', classes: 'right wide-only' },
        { name: 'Size', classes: 'right' },
        { name: 'When', classes: 'right' },
        { name: 'Actions', classes: 'right', isHidden: true },
      ]}
    >
      {backups.map(({ file, reason, rows, size_bytes, created_at }) => (
        <tr>
          <td class="wide">
            <div class="clip">
              <code>{file}</code>
            </div>
          </td>
          <td class="wide-only tight">{words(reason)}</td>
          <td class="right wide-only tight">{count(rows)}</td>
          <td class="right tight">{bytes(size_bytes)}</td>
          <td class="right meta">
            <Time at={created_at} />
          </td>
          <td class="right tight">
            <LinkButton
              href={page.link(`/settings/system/backups/${encodeURIComponent(file)}/export`)}
              variant="quiet"
              small
              icon="download"
              label={`Download ${file}`}
            />
          </td>
        </tr>
      ))}
    </Table>
  )
}

interface RestoreProps {
  readonly system: SystemReport
  readonly newest: Backup | undefined
}

function Restore({ system: { backups, database }, newest }: RestoreProps) {
  if (newest === undefined || backups.directory === null || (database.kind === 'sqlite' && database.directory === null))
    return null
  const target =
    database.kind === 'postgres' ? '--database-url postgres://…' : `--data ${toShellWord(database.directory ?? '')}`
  return (
    <div class="card-body">
      <p>
        Restore: stop the server, then
        {database.kind === 'postgres' && ', with the URL of an empty database,'}
      </p>
      <Copyable
        id="restore-command"
        value={`service-server restore ${toShellWord(resolve(backups.directory, newest.file))} ${target}`}
        label="the command"
      />
    </div>
  )
}

function Retention({ days }: { readonly days: SystemReport['retention_days'] }) {
  return (
    <Card title="Retention">
      <Facts
        facts={Object.entries(days).map(([kind, kept]) => [
          kind === 'enquiry' ? 'Inquiry' : words(kind),
          kept === null ? 'Indefinitely' : `${count(kept)} days`,
        ])}
      />
    </Card>
  )
}

async function makeBackup(page: WorkspacePage): Promise<PageResult> {
  const result = await submit(page, page.admin.backups.create())
  const notice = result.ok ? 'Backup created' : (result.form.refusal ?? 'The backup could not be created.')
  return redirect(page.link('/settings/system'), notice)
}

async function downloadBackup(page: WorkspacePage): Promise<PageResult> {
  const response = await page.openStream(`/backups/${encodeURIComponent(page.params['file'] ?? '')}`)
  if (response.ok) return { kind: 'forwarded', response }
  const { message } = await response.json()
  return errorPage({ status: response.status, message }, page.dashboard(''))
}

/** A separate page, because on SQLite measuring tables reads the whole file. */
async function tableSizes(page: WorkspacePage): Promise<PageResult> {
  const { data } = await page.admin.system.tables()
  return show({
    title: 'Tables',
    crumbs: [...settingsCrumbs(page), { label: 'System', href: page.link('/settings/system') }],
    body: (
      <>
        <PageHead title="Tables">Sizes include indexes, largest first.</PageHead>
        <div class="table-frame">
          <Table
            caption="Tables by size"
            columns={[
              { name: 'Table', classes: 'wide' },
              { name: 'Rows', classes: 'right' },
              { name: 'Size', classes: 'right' },
            ]}
          >
            {data.map(({ table, rows, size_bytes }) => (
              <tr>
                <td class="wide">
                  <code>{table}</code>
                </td>
                <td class="right tight">{count(rows)}</td>
                <td class="right tight">{bytes(size_bytes)}</td>
              </tr>
            ))}
          </Table>
        </div>
      </>
    ),
  })
}
