import type { Child } from 'hono/jsx'
import type { PublicPage } from '../page-types.ts'
import { Icon } from './icon.tsx'

/** A column: its name, and how its cells stand. */
interface Column {
  readonly name: string
  /** `right`, `tight`, `wide`, `wide-only` (not on phones) or several of them. */
  readonly look?: string | undefined
  /** Names that need not be seen. */
  readonly isHidden?: boolean
}

interface TableProps {
  /** What the table lists, for who cannot see it. */
  readonly caption: string
  readonly columns: readonly Column[]
  readonly children: Child
  readonly id?: string
  readonly live?: string
  /** Whether it reaches the edges of the page. */
  readonly bleed?: boolean
}

/** A table of rows; in each a `RowLink` makes the whole row lead somewhere. */
export function Table({ caption, columns, children, id, live, bleed = false }: TableProps) {
  return (
    <table class={bleed ? 'table bleed' : 'table'} id={id} data-live={live} data-rows>
      <caption class="sr" dir="auto">
        {caption}
      </caption>
      <thead>
        <tr>
          {columns.map(({ name, look, isHidden }) => (
            <th scope="col" class={look}>
              {isHidden === true ? <span class="sr">{name}</span> : name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  )
}

/** Makes its whole row a link. */
export function RowLink({
  href,
  children,
  id,
  drawer = false,
}: {
  readonly href: string
  readonly children: Child
  readonly id?: string
  /** Opens beside the list where there is JavaScript. */
  readonly drawer?: boolean
}) {
  return (
    <a id={id} class="row-link clip" dir="auto" href={href} {...(drawer ? { 'data-drawer': '' } : {})}>
      {children}
    </a>
  )
}

/** What stands below a list that has more than one page. */
export function Pager({
  page: { query },
  href,
  next,
  shown,
}: {
  readonly page: Pick<PublicPage, 'query'>
  /** The address of the list, with its filters. */
  readonly href: string
  /** Where the next page begins. */
  readonly next: number | null
  readonly shown: string
}) {
  return (
    <nav class="pager" aria-label="Pages">
      <span class="meta">{shown}</span>
      <span class="row">
        {query.has('before') && (
          <a class="button small" href={href}>
            Newest
          </a>
        )}
        {next !== null && (
          <a class="button small" href={`${href}${href.includes('?') ? '&' : '?'}before=${next}`} rel="next">
            Older
            <Icon name="chevron-right" />
          </a>
        )}
      </span>
    </nav>
  )
}
