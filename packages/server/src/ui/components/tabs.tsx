import { count } from '../format.ts'
import { Icon } from './icon.tsx'

export interface Tab {
  readonly label: string
  readonly href: string
  readonly isCurrent: boolean
  /** A text such as `99+` if counting stopped at a limit. */
  readonly count?: number | string | undefined
  readonly sharedBy?: string | undefined
}

/** Views of a list with their counts. */
export function Tabs({
  label,
  tabs,
  id,
  live,
}: {
  readonly label: string
  readonly tabs: readonly Tab[]
  readonly id?: string
  /** The topics whose changes refresh the counts. */
  readonly live?: string
}) {
  return (
    <nav class="tabs" aria-label={label} id={id} data-live={live}>
      {tabs.map((tab) => (
        <a href={tab.href} aria-current={tab.isCurrent ? 'page' : undefined}>
          {tab.sharedBy !== undefined && <Icon name="users" />}
          <bdi>{tab.label}</bdi>
          {tab.sharedBy !== undefined && <span class="sr">, shared by {tab.sharedBy}</span>}
          {tab.count !== undefined && (
            <span class="count">{typeof tab.count === 'number' ? count(tab.count) : tab.count}</span>
          )}
        </a>
      ))}
    </nav>
  )
}

/** A choice between a few views of the same data. */
export function Segments({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  return (
    <nav class="segments" aria-label={label}>
      {tabs.map((tab) => (
        <a href={tab.href} aria-current={tab.isCurrent ? 'true' : undefined}>
          {tab.label} {tab.count}
        </a>
      ))}
    </nav>
  )
}

/** An active filter with a link that removes it. */
export function Chip({
  name,
  value,
  without,
}: {
  readonly name: string
  readonly value: string
  readonly without: string
}) {
  return (
    <span class="chip">
      <span>
        {name} is <strong dir="auto">{value}</strong>
      </span>
      <a href={without} aria-label={`Remove the filter ${name}`}>
        <Icon name="x" />
      </a>
    </span>
  )
}
