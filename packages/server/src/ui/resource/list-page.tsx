import type { Child } from 'hono/jsx'
import { LinkButton } from '../components/button.tsx'
import { PageHead } from '../components/card.tsx'
import { FilterBar } from '../components/filter-bar.tsx'
import { Empty } from '../components/notice.tsx'
import { Pager } from '../components/table.tsx'
import { Segments } from '../components/tabs.tsx'
import { counted, words } from '../format.ts'
import { addressWith, numberOrUndefined, valuesOf } from '../forms.ts'
import { type PageResult, show, type WorkspacePage } from '../page-types.ts'
import { Board } from './board.tsx'
import { loadNames, type RenderContext } from './fields.tsx'
import { type AnyRecord, type AnyResource, crumbsOf, fieldOf, pathOf, type ResourceBoard } from './resource.ts'
import { ResourceTable } from './table.tsx'

interface ListProps extends Pick<RenderContext, 'page' | 'names'> {
  readonly resource: AnyResource
  readonly filters: readonly string[]
}

/** The list page. If the resource has a board, `?view=list` selects the list. */
export async function listPage(resource: AnyResource, page: WorkspacePage): Promise<PageResult> {
  const { noun, list, board, form, role } = resource
  const { filters: given = [], search } = list
  const isBoard = board !== undefined && page.query.text('view') !== 'list'
  const filters = isBoard || board === undefined ? given : [board.by, ...given]
  const fields = filters.map((name) => fieldOf(resource, name))
  const [names, heading] = await Promise.all([loadNames(page, fields), list.heading?.(page)])
  const listing: ListProps = { resource, page, names, filters }
  const { summary, content } = isBoard ? await boardContent(listing, board) : await listContent(listing)
  const title = words(`${noun}s`)
  const hasToolbar = board !== undefined || search !== undefined || filters.length > 0
  return show({
    title,
    live: true,
    crumbs: crumbsOf(resource, page).slice(0, -1),
    action:
      form.create !== undefined && page.can(role) ? (
        <LinkButton href={page.link(`${pathOf(resource)}/new`)} look="primary" icon="plus" shortcut="c">
          New {noun}
        </LinkButton>
      ) : undefined,
    body: (
      <>
        {heading ?? (hasToolbar ? <h1 class="sr">{title}</h1> : <PageHead title={title} />)}
        {hasToolbar && <Toolbar {...listing} isBoard={isBoard} summary={summary} />}
        {content}
      </>
    ),
  })
}

function Toolbar({
  resource,
  page,
  names,
  filters,
  isBoard,
  summary,
}: ListProps & { readonly isBoard: boolean; readonly summary: string | undefined }) {
  const { noun, list, board } = resource
  const path = page.link(pathOf(resource))
  const viewLink = (view: string) => addressWith(path, { view, ...valuesOf(page.query, list.filters ?? []) })
  return (
    <FilterBar
      path={path}
      query={page.query}
      search={list.search}
      kept={['view']}
      filters={filters.map((name) => {
        const { label, options } = fieldOf(resource, name)
        return { name, label, options: options?.(names) }
      })}
    >
      {board !== undefined && (
        <Segments
          label="View"
          tabs={[
            { label: 'Board', href: viewLink(''), isCurrent: isBoard },
            { label: 'List', href: viewLink('list'), isCurrent: !isBoard },
          ]}
        />
      )}
      {summary !== undefined && (
        <span class="quiet" id={`${noun}-sum`} data-live={`${noun}s`}>
          {summary}
        </span>
      )}
    </FilterBar>
  )
}

/** The query of the filters in the URL. */
const filterOf = ({ resource, page: { query }, filters }: ListProps) =>
  Object.fromEntries(
    filters.map((name) => {
      const { read = (text: string) => text || undefined } = fieldOf(resource, name)
      return [name, read(query.text(name)) ?? undefined]
    }),
  )

interface Content {
  readonly content: Child
  readonly summary?: string | undefined
}

/** Maximum number of cards loaded per column. */
const mostInColumn = 100

async function boardContent(listing: ListProps, board: ResourceBoard<AnyRecord, string>): Promise<Content> {
  const { resource, page, filters } = listing
  const path = page.link(pathOf(resource))
  const columns = await Promise.all(
    board.values.map(async (value) => {
      const query = { ...filterOf(listing), [board.by]: value, limit: mostInColumn }
      const { data, next_before } = await resource.api(page.admin).list({ workspace: page.workspace.id }, query)
      const more = addressWith(path, { view: 'list', [board.by]: value, ...valuesOf(page.query, filters) })
      return { value, rows: data, more: next_before === null ? undefined : more }
    }),
  )
  const rows = columns.flatMap((column) => column.rows)
  if (rows.length === 0) return { content: <NoRows {...listing} /> }
  return { summary: board.summary?.(rows, page), content: <Board {...listing} board={board} columns={columns} /> }
}

async function listContent(listing: ListProps): Promise<Content> {
  const { resource, page, filters } = listing
  const { noun, list, api } = resource
  const query = {
    ...filterOf(listing),
    ...(list.search !== undefined && { search: page.query.text('search') || undefined }),
    before: numberOrUndefined(page.query, 'before'),
  }
  const { data, next_before } = await api(page.admin).list({ workspace: page.workspace.id }, query)
  const href = addressWith(page.link(pathOf(resource)), valuesOf(page.query, ['view', ...filters, 'search']))
  return {
    content: (
      <div id={`${noun}-list`} data-live={list.live ?? `${noun}s`}>
        {data.length === 0 ? (
          <NoRows {...listing} />
        ) : (
          <>
            <ResourceTable {...listing} rows={data} caption={words(`${noun}s`)} bleed />
            <Pager page={page} href={href} next={next_before} shown={counted(data.length, noun)} />
          </>
        )}
      </div>
    ),
  }
}

function NoRows({ resource, page }: ListProps) {
  const { noun, icon, about, list, role } = resource
  const path = page.link(pathOf(resource))
  if (page.query.entries().some(([name, value]) => name !== 'view' && value !== '')) {
    const all = <LinkButton href={addressWith(path, valuesOf(page.query, ['view']))}>All {noun}s</LinkButton>
    return (
      <Empty icon="search" title={`No ${noun}s match`} actions={all}>
        {list.searchHint}
      </Empty>
    )
  }
  const create = page.can(role) && <LinkButton href={`${path}/new`}>New {noun}</LinkButton>
  return (
    <Empty icon={icon} title={`No ${noun}s yet`} actions={list.emptyActions?.(page) ?? create}>
      {about}
    </Empty>
  )
}
