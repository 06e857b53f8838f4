import type { Activity } from '@service/contract/admin/git'
import { gitProviders } from '@service/contract/values'
import { localDay } from '../../core/zones.ts'
import { LinkButton } from '../../ui/components/button.tsx'
import { FilterBar } from '../../ui/components/filter-bar.tsx'
import { Icon } from '../../ui/components/icon.tsx'
import { Empty } from '../../ui/components/notice.tsx'
import { PagedList } from '../../ui/components/table.tsx'
import { Time } from '../../ui/components/time.tsx'
import { findEntry, pluralize, weekDay } from '../../ui/format.ts'
import { numberOrUndefined, queryValues, textOrUndefined, urlWith } from '../../ui/forms.ts'
import type { IconName } from '../../ui/icon-names.ts'
import { type PageResult, show, type WorkspacePage, type WorkspacePages } from '../../ui/page-types.ts'

export const gitPages: WorkspacePages = [{ method: 'GET', path: '/activity', handle: activityList }]

const filterNames = ['provider', 'repository'] as const
const providerNames = { github: 'GitHub', gitlab: 'GitLab', bitbucket: 'Bitbucket' } as const
const providers = gitProviders.map((value) => ({ value, label: providerNames[value] }))

/** Repository activity by day. */
async function activityList(page: WorkspacePage): Promise<PageResult> {
  const { query } = page
  const { data, next_before } = await page.admin.activities.list(
    { workspace: page.workspace.id },
    {
      provider: textOrUndefined(query, 'provider') as (typeof gitProviders)[number] | undefined, // validated by the API
      repository: textOrUndefined(query, 'repository'),
      before: numberOrUndefined(query, 'before'),
    },
  )
  return show({
    title: 'Activity',
    live: true,
    body: (
      <>
        <h1 class="sr">Activity</h1>
        <FilterBar
          path={page.link('/activity')}
          query={query}
          filters={[
            { name: 'provider', label: 'Provider', options: providers },
            { name: 'repository', label: 'Repository' },
          ]}
        />
        <div class="stack" id="activity-list" data-live="activity">
          <PagedList
            isEmpty={data.length === 0}
            empty={<NoActivity page={page} />}
            summary={pluralize(data.length, 'entry', 'entries')}
            page={page}
            href={urlWith(page.link('/activity'), queryValues(query, filterNames))}
            next={next_before}
          >
            {byDay(data, page.zone).map(([day, entries]) => (
              <section class="section">
                <h2>{weekDay(day)}</h2>
                <ol class="timeline feed">
                  {entries.map((entry) => (
                    <Entry page={page} entry={entry} />
                  ))}
                </ol>
              </section>
            ))}
          </PagedList>
        </div>
      </>
    ),
  })
}

const happenedAt = ({ occurred_at, created_at }: Activity) => occurred_at ?? created_at

function byDay(entries: readonly Activity[], zone: string): (readonly [string, readonly Activity[]])[] {
  const days = new Map<string, Activity[]>()
  for (const entry of entries) {
    const day = localDay(Date.parse(happenedAt(entry)), zone)
    days.set(day, [...(days.get(day) ?? []), entry])
  }
  return [...days]
}

const icons: Readonly<Record<string, IconName>> = {
  commit: 'git-commit-horizontal',
  push: 'git-commit-horizontal',
  branch: 'git-branch',
  tag: 'tag',
  tag_push: 'tag',
  release: 'tag',
  pull_request: 'git-pull-request',
  merge_request: 'git-pull-request',
  issue: 'circle-alert',
  work_item: 'circle-alert',
  vulnerability: 'triangle-alert',
  comment: 'message-square',
  note: 'message-square',
  build: 'play',
  pipeline: 'play',
  deployment: 'server',
}

function Entry({ page, entry }: { readonly page: WorkspacePage; readonly entry: Activity }) {
  const { kind, title, url, repository, commit_sha } = entry
  return (
    <li>
      <Icon name={findEntry(icons, kind) ?? 'activity'} />
      <div>
        <p>
          {url === null ? (
            title
          ) : (
            <a href={url} rel="noreferrer">
              {title}
            </a>
          )}
        </p>
        <p class="meta">
          {repository !== null && <a href={urlWith(page.link('/activity'), { repository })}>{repository}</a>}
          {repository !== null && ' · '}
          {commit_sha !== null && <code>{commit_sha.slice(0, 7)}</code>}
          {commit_sha !== null && ' · '}
          <Time at={happenedAt(entry)} />
        </p>
      </div>
    </li>
  )
}

function NoActivity({ page }: { readonly page: WorkspacePage }) {
  if (filterNames.some((name) => page.query.text(name) !== ''))
    return (
      <Empty
        icon="search"
        title="No activity matches"
        actions={<LinkButton href={page.link('/activity')}>All activity</LinkButton>}
      >
        Enter the full repository name, such as northwind/shop.
      </Empty>
    )
  return (
    <Empty
      icon="git-branch"
      title="No activity yet"
      actions={page.can('admin') && <LinkButton href={page.link('/integrations')}>Connect a repository</LinkButton>}
    >
      Commits, pull requests, and releases of connected repositories appear here immediately.
    </Empty>
  )
}
