import type { Child } from 'hono/jsx'

interface CardProps {
  readonly title?: string
  /** Content to the right of the title. */
  readonly aside?: Child
  readonly children?: Child
  readonly id?: string
  /** The topics whose changes refresh the card. */
  readonly live?: string
  /** Whether the content extends to the border, as tables do. */
  readonly flush?: boolean
}

export function Card({ title, aside, children, id, live, flush = false }: CardProps) {
  return (
    <section class="card" id={id} data-live={live}>
      {title !== undefined && (
        <div class="card-head">
          <h2>{title}</h2>
          {aside}
        </div>
      )}
      {flush ? children : <div class="card-body">{children}</div>}
    </section>
  )
}

/** The page heading with a one-sentence description. */
export function PageHead({
  title,
  children,
  badge,
  actions,
}: {
  readonly title: string
  readonly children?: Child
  readonly badge?: Child
  readonly actions?: Child
}) {
  return (
    <div class="page-head">
      <div>
        <h1 tabindex={-1}>
          <bdi>{title}</bdi>
          {badge}
        </h1>
        {children !== undefined && <p>{children}</p>}
      </div>
      {actions !== undefined && <div class="row">{actions}</div>}
    </div>
  )
}

/** A list of names and values. */
export function Facts({
  facts,
}: {
  readonly facts: readonly (readonly [name: Child, value: Child] | false | undefined)[]
}) {
  return (
    <dl class="facts">
      {facts.map(
        (fact) =>
          fact && (
            <>
              <dt>{fact[0]}</dt>
              <dd>{fact[1]}</dd>
            </>
          ),
      )}
    </dl>
  )
}
