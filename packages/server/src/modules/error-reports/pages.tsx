import type { ErrorGroup } from '@service/contract/admin/error-reports'
import { LinkButton } from '../../ui/components/button.tsx'
import { FilterBar } from '../../ui/components/filter-bar.tsx'
import { Empty } from '../../ui/components/notice.tsx'
import { Pager, RowLink, Table } from '../../ui/components/table.tsx'
import { Tabs } from '../../ui/components/tabs.tsx'
import { Time } from '../../ui/components/time.tsx'
import { count, counted } from '../../ui/format.ts'
import { addressWith, numberOrUndefined, textOrUndefined, valuesOf } from '../../ui/forms.ts'
import { type PageResult, show, type WorkspacePage, type WorkspacePages } from '../../ui/page-types.ts'
import { errorDetail, Level, titleOf } from './detail-pages.tsx'

const states = ['open', 'resolved'] as const

/** Errors that applications reported, one entry per error. */
async function errorList(page: WorkspacePage): Promise<PageResult> {
  const { query } = page
  const status = states.find((state) => state === query.text('status'))
  const { data, next_before } = await page.admin.errorReports.list(
    { workspace: page.workspace.id },
    { status, app: textOrUndefined(query, 'app'), before: numberOrUndefined(query, 'before') },
  )
  const address = (change: Readonly<Record<string, string>>) =>
    addressWith(page.link('/errors'), { ...valuesOf(query, ['status', 'app']), ...change })
  return show({
    title: 'Errors',
    live: true,
    body: (
      <>
        <h1 class="sr">Errors</h1>
        <Tabs
          label="Views of the errors"
          tabs={[
            { label: 'All', href: address({ status: '' }), isCurrent: status === undefined },
            { label: 'Open', href: address({ status: 'open' }), isCurrent: status === 'open' },
            { label: 'Resolved', href: address({ status: 'resolved' }), isCurrent: status === 'resolved' },
          ]}
        />
        <FilterBar
          path={page.link('/errors')}
          query={query}
          kept={['status']}
          filters={[{ name: 'app', label: 'App' }]}
        />
        <div id="error-list" data-live="errors tickets">
          {data.length === 0 ? (
            <NoErrors page={page} />
          ) : (
            <>
              <ErrorTable page={page} errors={data} />
              <Pager
                shown={counted(data.length, 'error')}
                older={next_before === null ? undefined : address({ before: String(next_before) })}
                newest={query.has('before') ? address({}) : undefined}
              />
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
        { name: 'Error', look: 'wide' },
        { name: 'Level', look: 'wide-only' },
        { name: 'App', look: 'wide-only' },
        { name: 'Times', look: 'right' },
        { name: 'Last', look: 'right' },
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
        title="No error is like that"
        actions={<LinkButton href={page.link('/errors')}>All errors</LinkButton>}
      />
    )
  return (
    <Empty
      icon="bug"
      title="No errors yet"
      actions={page.can('admin') && <LinkButton href={page.link('/integrations/errors')}>Report one</LinkButton>}
    >
      Applications report their errors here. The same error again is counted, and a new one opens a ticket.
    </Empty>
  )
}

export const errorPages: WorkspacePages = [
  { method: 'GET', path: '/errors', handle: errorList },
  { method: 'GET', path: '/errors/{id}', handle: errorDetail },
]
