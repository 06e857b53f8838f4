import type { TicketTimelineEntry } from '@service/client/admin'
import { Icon } from '../../ui/components/icon.tsx'
import { Avatar } from '../../ui/components/person.tsx'
import { Time } from '../../ui/components/time.tsx'
import { words } from '../../ui/format.ts'

/** What ids in a change stand for. */
export type TimelineNames = Readonly<Partial<Record<string, ReadonlyMap<number, string>>>>

interface Told {
  readonly entry: TicketTimelineEntry
  readonly names: TimelineNames
}

/** What happened to a ticket, the oldest first. */
export function Timeline({
  entries,
  names,
}: {
  readonly entries: readonly TicketTimelineEntry[]
  readonly names: TimelineNames
}) {
  return (
    <ol class="timeline">
      {entries.map((entry) => (
        <Entry entry={entry} names={names} />
      ))}
    </ol>
  )
}

/** What no person does has a sign in place of a face. */
const icons: Readonly<Partial<Record<string, 'workflow' | 'alarm-clock' | 'bug'>>> = {
  rule_ran: 'workflow',
  rule_refused: 'workflow',
  sla_breached: 'alarm-clock',
  error_reported: 'bug',
}

const actors: Readonly<Record<string, string>> = { rule: 'A rule', error_report: 'An error', user: 'Somebody' }

function Entry({ entry, names }: Told) {
  const { by, kind, at } = entry
  const icon = icons[kind]
  const actor = by?.name ?? actors[by?.kind ?? 'user'] ?? 'Somebody'
  return (
    <li>
      {icon === undefined ? <Avatar name={actor} /> : <Icon name={icon} />}
      <p>
        {kind !== 'sla_breached' && <strong>{actor}</strong>} {sentenceOf({ entry, names })} · <Time at={at} />
      </p>
    </li>
  )
}

const verbs: Readonly<Record<string, string>> = {
  created: 'created it',
  changed: 'changed it',
  resolved: 'resolved it',
  reopened: 'opened it again',
  rule_ran: 'ran',
  rule_refused: 'could not run',
  error_reported: 'reported it',
}

function sentenceOf({ entry, names }: Told): string {
  const { kind, detail, changes } = entry
  if (kind === 'sla_breached') return `The ${words(detail ?? 'promise').toLowerCase()} is late`
  const changed = Object.entries(changes ?? {}).map(([field, { from, to }]) => changeOf({ field, from, to, names }))
  const said =
    kind === 'changed' && changed.length > 0 ? changed.join(', ') : (verbs[kind] ?? words(kind).toLowerCase())
  return detail === null ? said : `${said}: ${detail}`
}

interface Change {
  readonly field: string
  readonly from: unknown
  readonly to: unknown
  readonly names: TimelineNames
}

function changeOf({ field, from, to, names }: Change): string {
  const told = (value: unknown) => tell(value, names[field])
  if (field === 'assigned_to') return to === null ? `took it from ${told(from)}` : `gave it to ${told(to)}`
  if (field === 'status') return `moved it to ${told(to)}`
  if (field === 'title' || field === 'description') return `changed the ${field}`
  const name = words(field.replace(/_(?:id|at)$/, '')).toLowerCase()
  return from === null ? `set the ${name} to ${told(to)}` : `changed the ${name} from ${told(from)} to ${told(to)}`
}

function tell(value: unknown, names: ReadonlyMap<number, string> | undefined): string {
  if (value === null || value === undefined || value === '') return 'nothing'
  if (Array.isArray(value)) return value.length === 0 ? 'nothing' : value.join(', ')
  if (typeof value === 'number') return names?.get(value) ?? `#${value}`
  return typeof value === 'string' ? words(value) : JSON.stringify(value)
}
