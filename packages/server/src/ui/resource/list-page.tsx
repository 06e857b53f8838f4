import { maxCountUpTo } from '@service/contract/admin/pages'
import type { Child } from 'hono/jsx'
import { LinkButton } from '../components/button.tsx'
import { PageHead } from '../components/card.tsx'
import { FilterBar } from '../components/filter-bar.tsx'
import { Empty } from '../components/notice.tsx'
import { NothingFoundYet, PagedList } from '../components/table.tsx'
import { Segments, Tabs } from '../components/tabs.tsx'
import { count, pluralize, pluralizeCounted, words } from '../format.ts'
import { queryValues, toNumber, urlWith } from '../forms.ts'
import { type PageResult, show, type WorkspacePage } from '../page-types.ts'
import { Board } from './board.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { loadNames, type RenderContext } from './fields.tsx'
import { filterQuery, filtersOf, listQuery, listValues, searchQuery } from './list-query.ts'
import { addNames, addStoredName } from './names.ts'
import {
  type AnyRecord,
  type AnyResource,
  type Counted,
  crumbsOf,
  getField,
  pathOf,
  type ResourceBoard,
  type ResourceView,
} from './resource.ts'
import { loadSavedViews, nameSharers, type RefusedName, ViewActions } from './saved-views.tsx'
import { ResourceTable } from './table.tsx'

interface ListProps extends Pick<RenderContext, 'page' | 'names'> {
  readonly resource: AnyResource
  readonly filters: readonly string[]
}

/** The result of a change to the list, shown above it. */
interface Outcome {
  readonly status: number
  readonly banner?: Child
  /** The ids of the rows to select. */
  readonly selected: readonly number[]
  readonly refusedName?: RefusedName
}

/** The list page. If the resource has a board, `?view=list` selects the list. */
export async function listPage(resource: AnyResource, page: WorkspacePage, outcome?: Outcome): Promise<PageResult> {
  const { noun, list, board } = resource
  const isBoard = board !== undefined && page.query.text('view') !== 'list'
  const filters = filtersOf(resource, isBoard)
  const bulk = isBoard ? [] : (list.bulk ?? [])
  const [names, heading, stored] = await Promise.all([
    loadNames(
      page,
      [...filters, ...bulk].map((name) => getField(resource, name)),
    ),
    list.heading?.(page),
    loadSavedViews(resource, page),
  ])
  const props: ListProps = { resource, page, names, filters }
  const saved = await nameSharers(page, names, stored)
  const views = await countViews(props, [...(list.views?.(page) ?? []), ...saved])
  const loading = isBoard ? boardContent(props, board) : listContent({ ...props, views }, outcome?.selected)
  const {
    summary,
    content,
    status = outcome?.status ?? 200,
  } = await loading.catch((error: unknown) => refusedSearch(props, error))
  const chosen = await addFilteredNames(props)
  const title = words(`${noun}s`)
  const hasToolbar = board !== undefined || list.search !== undefined || filters.length > 0
  return show({
    title,
    live: true,
    status,
    crumbs: crumbsOf(resource, page).slice(0, -1),
    action: <Actions {...props} isBoard={isBoard} />,
    body: (
      <>
        {heading ?? (hasToolbar ? <h1 class="sr">{title}</h1> : <PageHead title={title} />)}
        {views.length > 0 && <Views {...props} views={views} />}
        {outcome?.banner}
        {hasToolbar && !page.query.has('row') && (
          <Toolbar
            {...props}
            names={chosen}
            isBoard={isBoard}
            summary={summary}
            views={views}
            refusedName={outcome?.refusedName}
          />
        )}
        {content}
      </>
    ),
  })
}

/** The names with those of the filters. A record that the filters find may name a former member. */
async function addFilteredNames({ resource, page, names: offered, filters }: ListProps) {
  const at = { workspace: page.workspace.id }
  let names = offered
  for (const field of filters) {
    const id = toNumber(page.query.text(field))
    if (id === undefined) continue
    const row = async () => (await resource.api(page.admin).list(at, { [field]: id, limit: 1 })).data[0]
    names = await addStoredName(resource, page, { names, field, id, row })
  }
  return names
}

function Actions({ resource, page, isBoard }: ListProps & { readonly isBoard: boolean }) {
  const { noun, form, role } = resource
  const path = page.link(pathOf(resource))
  return (
    <>
      {!isBoard && (
        <LinkButton variant="quiet" icon="download" href={urlWith(`${path}/export`, listValues(resource, page.query))}>
          CSV
        </LinkButton>
      )}
      {form.create !== undefined && page.can(role) && (
        <LinkButton href={`${path}/new`} variant="primary" icon="plus" shortcut="c">
          New {noun}
        </LinkButton>
      )}
    </>
  )
}

interface CountedView extends ResourceView {
  readonly counted?: Counted | undefined
  /** Whether the API refuses the view's query. */
  readonly isRefused?: boolean
}

/** There are many tabs, and most of them are not read. */
const maxInTab = 99

const countViews = ({ resource, page }: ListProps, views: readonly ResourceView[]): Promise<readonly CountedView[]> =>
  Promise.all(
    views.map(async (view) => {
      const filter = filterQuery(resource, filtersOf(resource), { text: (name) => view.query[name] ?? '' })
      const at = { workspace: page.workspace.id }
      const result = await resource
        .api(page.admin)
        .count?.(at, { ...filter, up_to: maxInTab })
        .safe()
      if (result === undefined || result.ok) return { ...view, counted: result?.data }
      if (result.error.code !== 'validation') throw result.error
      return { ...view, isRefused: true }
    }),
  )

function Views({ resource, page, filters, views }: ListProps & { readonly views: readonly CountedView[] }) {
  const { noun } = resource
  const tabs = views.map(({ label, query, counted, shared }) => ({
    label,
    href: urlWith(page.link(pathOf(resource)), query),
    isCurrent: isCurrent(page, filters, query),
    sharedBy: shared?.by,
    count: counted?.is_exact === false ? `${counted.count}+` : counted?.count,
  }))
  return <Tabs id={`${noun}-views`} live={`${noun}s views`} label={`${words(noun)} views`} tabs={tabs} />
}

/** Whether the filters are those of a view. Its order may differ. */
const isCurrent = ({ query }: WorkspacePage, filters: readonly string[], view: ResourceView['query']) =>
  [...filters, 'search'].every((name) => query.text(name) === (view[name] ?? ''))

function Toolbar({
  resource,
  page,
  names,
  filters,
  isBoard,
  summary,
  views,
  refusedName,
}: ListProps & {
  readonly isBoard: boolean
  readonly summary: string | undefined
  readonly views: readonly CountedView[]
  readonly refusedName: RefusedName | undefined
}) {
  const { noun, list, board } = resource
  const path = page.link(pathOf(resource))
  const viewLink = (view: string) =>
    urlWith(path, { view, ...queryValues(page.query, [...(list.filters ?? []), 'search']) })
  return (
    <FilterBar
      path={path}
      query={page.query}
      search={list.search}
      preserved={['view', 'sort']}
      after={
        views.length > 0 && (
          <ViewActions
            resource={resource}
            page={page}
            current={views.filter((view) => isCurrent(page, filters, view.query))}
            refused={views.filter(({ isRefused }) => isRefused)}
            refusedName={refusedName}
          />
        )
      }
      filters={filters.map((name) => {
        const { label, options, filterOptions = [] } = getField(resource, name)
        return { name, label, options: options && [...filterOptions, ...options(names)] }
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

interface Content {
  readonly content: Child
  readonly summary?: string | undefined
  readonly status?: number
}

/** Without rows, if the API refuses the search. */
function refusedSearch(props: ListProps, error: unknown): Content {
  const [sentence] = props.page.findRefusal(error)?.errors['search'] ?? []
  if (sentence === undefined) throw error
  return { content: <NoRows {...props} hint={sentence} />, status: 422 }
}

/** Maximum number of cards in a column, which then links to the list. Cards take most of the time of a large board. */
const maxInColumn = 50

async function boardContent(props: ListProps, board: ResourceBoard<AnyRecord, string>): Promise<Content> {
  const { resource, page, filters } = props
  const path = page.link(pathOf(resource))
  const columns = await Promise.all(
    board.values.map(async (value) => {
      const query = {
        ...filterQuery(resource, filters, page.query),
        ...searchQuery(resource, page.query),
        [board.by]: value,
        limit: maxInColumn + 1, // whether there are more
      }
      const { data, next_before } = await resource.api(page.admin).list({ workspace: page.workspace.id }, query)
      const more = urlWith(path, {
        view: 'list',
        [board.by]: value,
        ...queryValues(page.query, [...filters, 'search']),
      })
      return { value, rows: data.slice(0, maxInColumn), more: next_before === null ? undefined : more }
    }),
  )
  const rows = columns.flatMap((column) => column.rows)
  if (rows.length === 0 && columns.every(({ more }) => more === undefined)) return { content: <NoRows {...props} /> }
  if (rows.length === 0) {
    const list = urlWith(path, { view: 'list', ...queryValues(page.query, filters) })
    return { content: <NothingFoundYet actions={<LinkButton href={list}>Continue in the list</LinkButton>} /> }
  }
  const names = await addNames(resource, page, { names: props.names, rows })
  return {
    summary: board.summary?.(rows, page),
    content: <Board {...props} names={names} board={board} columns={columns} />,
  }
}

interface ListContentProps extends ListProps {
  readonly views: readonly CountedView[]
}

async function listContent(props: ListContentProps, selected: readonly number[] | undefined): Promise<Content> {
  const { resource, page, names } = props
  const { noun, list, api, role } = resource
  const query = listQuery(resource, page.query)
  const { data, next_before, next_cursor } = page.query.has('row')
    ? { data: await changedRows(resource, page), next_before: null }
    : await api(page.admin).list({ workspace: page.workspace.id }, query)
  const isWhole = next_before === null && (next_cursor ?? null) === null && !isContinued(page)
  // The number of matches of a search takes as long to find as the page.
  const isCounted = !isWhole && page.query.text('search') === ''
  const [shown, total] = await Promise.all([
    addNames(resource, page, { names, rows: data }),
    isCounted ? countRows(props) : undefined,
  ])
  const isSelectable = list.bulk !== undefined && page.can(role)
  return {
    content: (
      <div class={isSelectable ? 'selectable' : undefined}>
        <div id={`${noun}-list`} data-live={list.live ?? `${noun}s`} data-noun={noun}>
          <PagedList
            isEmpty={data.length === 0}
            empty={<NoRows {...props} />}
            page={page}
            href={urlWith(page.link(pathOf(resource)), listValues(resource, page.query))}
            next={next_before}
            cursor={next_cursor}
            summary={
              isWhole || isCounted
                ? summarize(noun, data.length, total)
                : `${pluralize(data.length, noun)} on this page`
            }
          >
            <ResourceTable
              {...props}
              names={shown}
              rows={data}
              caption={words(`${noun}s`)}
              isList
              isSelectable={isSelectable}
              selected={selected}
            />
          </PagedList>
        </div>
        {isSelectable && <BulkBar resource={resource} page={page} names={names} />}
      </div>
    ),
  }
}

const isContinued = ({ query }: WorkspacePage) => query.has('before') || query.has('cursor')

/** The number of rows of all pages. */
async function countRows({ resource, page, filters, views }: ListContentProps): Promise<Counted | undefined> {
  const counted = views.find(({ query }) => isCurrent(page, filters, query))?.counted
  if (counted?.is_exact === true) return counted
  const query = { ...filterQuery(resource, filters, page.query), up_to: maxCountUpTo }
  return await resource.api(page.admin).count?.({ workspace: page.workspace.id }, query)
}

/** `50 of 50,214 tickets`. */
const summarize = (noun: string, shown: number, total: Counted | undefined) =>
  total === undefined || total.count <= shown
    ? pluralize(shown, noun)
    : `${count(shown)} of ${pluralizeCounted(total, noun)}`

const maxChangedRows = 20

/** The records that a live update requests (`row=<id>`), as far as they match the filters. */
async function changedRows(resource: AnyResource, page: WorkspacePage): Promise<readonly AnyRecord[]> {
  const { list } = resource.api(page.admin)
  const filter = listQuery(resource, page.query)
  const ids = page.query.list('row').slice(0, maxChangedRows).map(Number)
  // The newest match up to an id is the record itself, if it matches.
  const newest = ids.map((id) => list({ workspace: page.workspace.id }, { ...filter, before: id + 1, limit: 1 }))
  const pages = await Promise.all(newest)
  return pages.flatMap(({ data }) => data).filter(({ id }) => ids.includes(id))
}

function NoRows({
  resource,
  page,
  hint = resource.list.searchHint,
}: ListProps & { readonly hint?: string | undefined }) {
  const { noun, icon, emptyText, list, role } = resource
  const path = page.link(pathOf(resource))
  if (page.query.entries().some(([name, value]) => !['view', 'sort'].includes(name) && value !== '')) {
    const all = <LinkButton href={urlWith(path, queryValues(page.query, ['view']))}>All {noun}s</LinkButton>
    return (
      <Empty icon="search" title={`No ${noun}s match`} actions={all}>
        {hint}
      </Empty>
    )
  }
  const create = page.can(role) && <LinkButton href={`${path}/new`}>New {noun}</LinkButton>
  return (
    <Empty icon={icon} title={`No ${noun}s yet`} actions={list.emptyActions?.(page) ?? create}>
      {emptyText}
    </Empty>
  )
}
