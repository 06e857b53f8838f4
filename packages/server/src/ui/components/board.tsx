import type { Child } from 'hono/jsx'
import { Icon } from './icon.tsx'

/** One thing on a board. */
export interface BoardCard {
  readonly id: number
  readonly title: string
  readonly href: string
  /** Where the form goes that moves it. */
  readonly moveTo: string
  /** What stands below the title. */
  readonly children: Child
}

export interface BoardColumn {
  /** What the form that moves a card here sends. */
  readonly key: string
  readonly title: string
  readonly mark?: Child
  readonly cards: readonly BoardCard[]
  /** Right of how many there are, such as their sum. */
  readonly aside?: string | undefined
  /** Leads to the rest where there are more than the cards. */
  readonly more?: string | undefined
}

interface BoardProps {
  readonly id: string
  readonly live: string
  /** What the cards are, for who cannot see them. */
  readonly label: string
  /** The name of the form field that says in which column a card is. */
  readonly field: string
  /** Side by side; those of one group stand over each other. */
  readonly groups: readonly (readonly BoardColumn[])[]
  readonly canMove: boolean
}

/** Cards in columns. They are dragged, moved with `[` and `]`, or, without JavaScript too, by the menu of each. */
export function Board({ id, live, label, field, groups, canMove }: BoardProps) {
  const columns = groups.flat()
  return (
    <>
      <ui-board
        id={id}
        class="board scroller"
        role="group"
        aria-label={label}
        aria-describedby={canMove ? `${id}-hint` : undefined}
        data-live={live}
        data-field={field}
        data-rows
      >
        {groups.map((group) => (
          <div class="board-group">
            {group.map((column) => (
              <Column id={id} column={column}>
                {column.cards.map((card) => (
                  <Card
                    id={`${id}-${card.id}`}
                    card={card}
                    canMove={canMove}
                    field={field}
                    others={columns.filter(({ key }) => key !== column.key)}
                  />
                ))}
              </Column>
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

function Column({
  id,
  column: { key, title, mark, cards, aside, more },
  children,
}: {
  readonly id: string
  readonly column: BoardColumn
  readonly children: Child
}) {
  const heading = `${id}-${key}`
  return (
    <section class="board-column" data-column={key} aria-labelledby={heading}>
      <div class="board-head">
        {mark}
        <h2 id={heading}>{title}</h2>
        <span class="meta">{more === undefined ? cards.length : `${cards.length}+`}</span>
        {aside !== undefined && <span class="meta push">{aside}</span>}
      </div>
      <ul>{children}</ul>
      {more !== undefined && (
        <a class="board-more" href={more}>
          All of them
        </a>
      )}
    </section>
  )
}

function Card({
  id,
  card: { title, href, moveTo, children },
  canMove,
  field,
  others,
}: {
  readonly id: string
  readonly card: BoardCard
  readonly canMove: boolean
  readonly field: string
  readonly others: readonly BoardColumn[]
}) {
  return (
    <li class="board-card" id={id} data-action={moveTo} draggable={canMove ? 'true' : undefined}>
      <a class="row-link" dir="auto" id={`open-${id}`} href={href} draggable="false" data-drawer>
        {title}
      </a>
      <div class="board-facts">{children}</div>
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
            {others.map((column) => (
              <button class="menu-item" type="submit" name={field} value={column.key}>
                Move to {column.title}
              </button>
            ))}
          </form>
        </>
      )}
    </li>
  )
}
