import type { AuditEntry, AuditQuery } from '@service/contract/admin/audit'
import { LinkButton } from '../../ui/components/button.tsx'
import { Facts } from '../../ui/components/card.tsx'
import { FilterBar } from '../../ui/components/filter-bar.tsx'
import { namedOptions } from '../../ui/components/form.tsx'
import { Icon } from '../../ui/components/icon.tsx'
import { Empty } from '../../ui/components/notice.tsx'
import { Avatar } from '../../ui/components/person.tsx'
import { PagedList, Table } from '../../ui/components/table.tsx'
import { Time } from '../../ui/components/time.tsx'
import { pluralize, startOfDay, startOfNextDay, words } from '../../ui/format.ts'
import { numberOrUndefined, queryValues, urlWith } from '../../ui/forms.ts'
import { type PageResult, show, type WorkspacePage, type WorkspacePages } from '../../ui/page-types.ts'
import { listNames } from '../../ui/resource/fields.tsx'
import { SettingsTabs, settingsCrumbs } from '../workspaces/pages.tsx'
import { actorName, Sentence } from './sentence-pages.tsx'

const role = 'admin'

export const auditPages: WorkspacePages = [
  { method: 'GET', path: '/settings/audit', role, handle: auditLog },
  { method: 'GET', path: '/settings/audit/export', role, handle: exportLog },
]

const filterNames = ['actor', 'operation', 'since', 'until'] as const

/** The day filters are inclusive, in the zone of the times that the page shows. */
function readFilters({ query, zone }: WorkspacePage): AuditQuery {
  const since = query.text('since')
  const until = query.text('until')
  return {
    actor: query.text('actor') || undefined,
    operation: query.text('operation') || undefined,
    since: since === '' ? undefined : startOfDay(since, zone),
    until: until === '' ? undefined : startOfNextDay(until, zone),
  }
}

/** The page with its current filters. */
const auditLink = (page: WorkspacePage, path: string): string =>
  urlWith(page.link(path), queryValues(page.query, filterNames))

async function auditLog(page: WorkspacePage): Promise<PageResult> {
  const workspace = page.workspace.id
  const before = numberOrUndefined(page.query, 'before')
  const [{ data, next_before }, members] = await Promise.all([
    page.admin.auditLog.list({ workspace }, { ...readFilters(page), before }),
    listNames(page, 'members'),
  ])
  const people = namedOptions(members).map(({ value, label }) => ({ value: `person:${value}`, label }))
  return show({
    title: 'Audit log',
    crumbs: settingsCrumbs(page),
    action: (
      <LinkButton href={auditLink(page, '/settings/audit/export')} icon="download">
        Export
      </LinkButton>
    ),
    body: (
      <>
        <h1 class="sr">Audit log</h1>
        <SettingsTabs page={page} current="/settings/audit" />
        <FilterBar
          path={page.link('/settings/audit')}
          query={page.query}
          filters={[
            { name: 'actor', label: 'Who', options: people },
            { name: 'operation', label: 'Operation', placeholder: 'tickets.update' },
            { name: 'since', label: 'Since', type: 'date' },
            { name: 'until', label: 'Until', type: 'date' },
          ]}
        />
        <div id="audit-log">
          <PagedList
            isEmpty={data.length === 0}
            empty={
              <Empty icon="history" title="No changes match">
                Every change is recorded with its author and the values before and after it.
              </Empty>
            }
            summary={pluralize(data.length, 'change')}
            page={page}
            href={auditLink(page, '/settings/audit')}
            next={next_before}
          >
            <ul class="card">
              {data.map((entry) => (
                <Entry page={page} entry={entry} />
              ))}
            </ul>
          </PagedList>
        </div>
      </>
    ),
  })
}

function Entry({ page, entry }: { readonly page: WorkspacePage; readonly entry: AuditEntry }) {
  const { id, at, actor, via, address, operation, resource, request_id } = entry
  const credential = via?.split(':')[0] ?? ''
  return (
    <li class="audit-entry" id={`entry-${id}`}>
      <div class="with-icon">
        <Avatar name={actorName(entry)} />
        <p>
          <Sentence page={page} entry={entry} />
        </p>
        <span class="meta push">
          {via !== null && credential !== 'session' && `${words(credential)} · `}
          <Time at={at} />
        </span>
      </div>
      <details>
        <summary class="button quiet small icon-only" aria-label={`Details of change ${id}`}>
          <Icon name="chevron-down" />
        </summary>
        <div class="card-body stack">
          <Difference entry={entry} />
          <Facts
            facts={[
              ['When', <Time at={at} exact />],
              [
                'Who',
                <>
                  <bdi>{actorName(entry)}</bdi> ({[actor, via].filter(Boolean).join(', ')})
                </>,
              ],
              ['Operation', <code>{[operation, resource].filter(Boolean).join(' ')}</code>],
              ['From', address],
              ['Request', <code>{request_id}</code>],
            ]}
          />
        </div>
      </details>
    </li>
  )
}

function Difference({ entry: { id, before, after } }: { readonly entry: AuditEntry }) {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  if (fields.length === 0) return null
  return (
    <div class="scroller table-frame">
      <Table caption={`Fields of change ${id}`} columns={[{ name: 'Field' }, { name: 'Before' }, { name: 'After' }]}>
        {fields.map((field) => (
          <tr>
            <td class="tight">{words(field)}</td>
            <td class="quiet breakable" dir="auto">
              {formatValue(before?.[field])}
            </td>
            <td class="breakable" dir="auto">
              {formatValue(after?.[field])}
            </td>
          </tr>
        ))}
      </Table>
    </div>
  )
}

function formatValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Exports JSON lines, newest first. */
function exportLog(page: WorkspacePage): PageResult {
  return { kind: 'download', name: 'audit-log.ndjson', type: 'application/x-ndjson', content: lines(page) }
}

async function* lines(page: WorkspacePage): AsyncGenerator<string> {
  const list = page.admin.auditLog.list({ workspace: page.workspace.id }, { ...readFilters(page), limit: 200 })
  for await (const { data } of list.pages()) yield data.map((entry) => `${JSON.stringify(entry)}\n`).join('')
}
