import type { Child } from 'hono/jsx'
import { Icon } from '../components/icon.tsx'
import { words } from '../format.ts'
import { useView } from '../view-context.ts'
import type { RenderContext } from './fields.tsx'
import { type AnyRecord, type AnyResource, getField, pathOf, type ResourceBoard } from './resource.ts'

interface BoardProps extends Pick<RenderContext, 'page' | 'names'> {
  readonly resource: AnyResource
  readonly board: ResourceBoard<AnyRecord, string>
  readonly columns: readonly Column[]
}

interface Column {
  readonly value: string
  readonly rows: readonly AnyRecord[]
  /** A link to the remaining records, if there are more. */
  readonly more: string | undefined
}

/** Cards in columns. Move them by dragging, with `[` and `]`, or with each card's menu, which needs no JavaScript. */
export function Board(props: BoardProps) {
  const { resource, board, page, columns } = props
  const id = `${resource.noun}-board`
  const canMove = page.can(resource.role)
  const groups = [...columns.slice(0, -board.stacked).map((column) => [column]), columns.slice(-board.stacked)]
  const { asset } = useView()
  return (
    <>
      <link rel="stylesheet" href={asset('board.css')} />
      <script src={asset('board.js')} defer />
      <ui-board
        id={id}
        class="board scroller"
        role="group"
        aria-label={`${words(resource.noun)}s by ${getField(resource, board.by).label.toLowerCase()}`}
        aria-describedby={canMove ? `${id}-hint` : undefined}
        data-live={`${resource.noun}s`}
        data-field={board.by}
        data-rows
      >
        {groups.map((group) => (
          <div class="board-group">
            {group.map((column) => (
              <BoardColumn {...props} column={column}>
                {column.rows.map((row) => (
                  <Card {...props} row={row} isIn={column.value} />
                ))}
              </BoardColumn>
            ))}
          </div>
        ))}
      </ui-board>
      {canMove && (
        <p class="meta board-hint wide-only" id={`${id}-hint`}>
          Drag a card to move it, or focus it and press <kbd>[</kbd> or <kbd>]</kbd>.
        </p>
      )}
    </>
  )
}

function BoardColumn({
  resource: { noun },
  board,
  page,
  column: { value, rows, more },
  children,
}: BoardProps & { readonly column: Column; readonly children: Child }) {
  const heading = `${noun}-board-${value}`
  return (
    <section class="board-column" data-column={value} aria-labelledby={heading}>
      <div class="board-head">
        {board.mark?.(value)}
        <h2 id={heading}>{words(value)}</h2>
        <span class="meta">{more === undefined ? rows.length : `${rows.length}+`}</span>
        {board.aside && <span class="meta push">{board.aside(rows, page)}</span>}
      </div>
      <ul>{children}</ul>
      {more !== undefined && (
        <a class="board-more" href={more}>
          All
        </a>
      )}
    </section>
  )
}

function Card({
  resource,
  board,
  page,
  names,
  columns,
  row,
  isIn,
}: BoardProps & { readonly row: AnyRecord; readonly isIn: string }) {
  const id = `${resource.noun}-board-${row.id}`
  const title = resource.title(row)
  const href = page.link(`${pathOf(resource)}/${row.id}`)
  const moveTo = `${href}/${board.by}?back`
  const canMove = page.can(resource.role)
  return (
    <li class="board-card" id={id} data-action={moveTo} draggable={canMove ? 'true' : undefined}>
      <a class="row-link" dir="auto" id={`open-${id}`} href={href} draggable="false" data-drawer>
        {title}
      </a>
      <div class="board-facts">{board.card(row, { page, names, row })}</div>
      {canMove && (
        <>
          <button
            id={`move-${id}`}
            class="button quiet small icon-only board-move"
            type="button"
            popovertarget={`menu-${id}`}
            aria-label={`Move ${title}`}
          >
            <Icon name="ellipsis" />
          </button>
          <form method="post" action={moveTo} class="menu floating" id={`menu-${id}`} popover="auto">
            <input type="hidden" name="was_in" value={isIn} />
            {columns.map(
              ({ value }) =>
                value !== isIn && (
                  <button class="menu-item" type="submit" name={board.by} value={value}>
                    Move to {words(value)}
                  </button>
                ),
            )}
          </form>
        </>
      )}
    </li>
  )
}
