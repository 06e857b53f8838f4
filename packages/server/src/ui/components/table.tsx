import type { Child } from 'hono/jsx'
import type { PublicPage } from '../page-types.ts'
import { Icon } from './icon.tsx'
import { Empty } from './notice.tsx'

/** A column: its name and cell style. */
interface Column {
  readonly name: string
  /** `right`, `tight`, `wide`, `wide-only` (hidden on phones), or several of them. */
  readonly classes?: string | undefined
  /** Whether the name is only for screen readers. */
  readonly isHidden?: boolean
  /** Makes the name a link that sorts by this column, or back to the default order. */
  readonly sort?: { readonly href: string; readonly direction: 'ascending' | 'descending'; readonly isCurrent: boolean }
  /** Content in place of the name. */
  readonly content?: Child
}

interface TableProps {
  /** A description of the table for screen readers. */
  readonly caption: string
  readonly columns: readonly Column[]
  readonly children: Child
  /** Rows with totals. */
  readonly foot?: Child
  readonly id?: string
  readonly live?: string
  /** Whether the table extends to the page edges. */
  readonly bleed?: boolean
}

/** A table. A `RowLink` in a row makes the whole row clickable. */
export function Table({ caption, columns, children, foot, id, live, bleed = false }: TableProps) {
  return (
    <table class={bleed ? 'table bleed' : 'table'} id={id} data-live={live} data-rows>
      <caption class="sr" dir="auto">
        {caption}
      </caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th
              scope="col"
              class={column.classes}
              aria-sort={column.sort?.isCurrent === true ? column.sort.direction : undefined}
            >
              <ColumnName {...column} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
      {foot !== undefined && <tfoot>{foot}</tfoot>}
    </table>
  )
}

function ColumnName({ name, isHidden = false, sort, content }: Column) {
  if (content !== undefined) return <>{content}</>
  const label = isHidden ? <span class="sr">{name}</span> : name
  if (sort === undefined) return <>{label}</>
  const { href, direction, isCurrent } = sort
  return (
    <a class="sort" href={href}>
      {label}{' '}
      <span aria-hidden="true">{isCurrent ? { ascending: '↑', descending: '↓' }[direction] : isHidden && '↕'}</span>
    </a>
  )
}

/** Makes the whole row a link. */
export function RowLink({
  href,
  children,
  id,
  drawer = false,
}: {
  readonly href: string
  readonly children: Child
  readonly id?: string
  /** Opens the page in the drawer if JavaScript is enabled. */
  readonly drawer?: boolean
}) {
  return (
    <a id={id} class="row-link clip" dir="auto" href={href} {...(drawer ? { 'data-drawer': '' } : {})}>
      {children}
    </a>
  )
}

interface PagerProps {
  readonly page: Pick<PublicPage, 'query'>
  /** The list's URL with its filters. */
  readonly href: string
  /** The cursor of the next page. */
  readonly next: number | null
  /** The same for a sorted list. */
  readonly cursor?: string | null | undefined
  readonly summary: string
}

interface PagedListProps extends PagerProps {
  readonly isEmpty: boolean
  /** Replaces an empty list. */
  readonly empty: Child
  readonly children: Child
}

/** The rows of a list and its pager. */
export function PagedList({ isEmpty, empty, children, ...pager }: PagedListProps) {
  if (isEmpty && pager.next === null && (pager.cursor ?? null) === null) return <>{empty}</>
  return (
    <>
      {isEmpty ? <NothingFoundYet /> : children}
      <Pager {...pager} />
    </>
  )
}

/** Replaces a page without rows if later pages may have some, because one page searches a limited number of records. */
export const NothingFoundYet = ({ actions }: { readonly actions?: Child }) => (
  <Empty icon="search" title="Nothing found yet" actions={actions}>
    None of the records that one page searches matches these filters. Narrow the filters, or continue the search.
  </Empty>
)

/** The pager below a list with more than one page. */
export function Pager({ page: { query }, href, next, cursor = null, summary }: PagerProps) {
  const isSorted = query.has('cursor') || cursor !== null
  const following = cursor === null ? next !== null && `before=${next}` : `cursor=${encodeURIComponent(cursor)}`
  return (
    <nav class="pager" aria-label="Pages">
      <span class="meta">{summary}</span>
      <span class="row">
        {(query.has('before') || query.has('cursor')) && (
          <a class="button small" href={href}>
            {isSorted ? 'First' : 'Newest'}
          </a>
        )}
        {following !== false && (
          <a class="button small" href={`${href}${href.includes('?') ? '&' : '?'}${following}`} rel="next">
            {isSorted ? 'Next' : 'Older'}
            <Icon name="chevron-right" />
          </a>
        )}
      </span>
    </nav>
  )
}
