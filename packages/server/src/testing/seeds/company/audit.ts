import { type Micros, parseInstant } from '../../../core/clock.ts'
import { allDays, atHour, type Company, daysFrom, isWorkday, type Person, pick, spread } from './company.ts'
import { disabledSince, isDisabled } from './deliveries.ts'
import type { Rule } from './messages.ts'
import { byTime, insertRows } from './store-rows.ts'
import type { StoredTicket } from './tickets.ts'

interface Entry {
  readonly at: Micros
  readonly person: Person
  readonly operation: string
  readonly resource: number | null
  readonly before: object | null
  readonly after: object
}

/** Audit entries: settings, ticket changes of the last ten days, and sign-ins. */
export async function storeAudit(
  company: Company,
  rules: readonly Rule[],
  tickets: readonly StoredTicket[],
): Promise<void> {
  const { app, now, workspace } = company
  const entries = [
    ...settingsChanges(company, rules),
    ...signIns(company),
    ...tickets.flatMap((ticket) => ticketChanges(company, ticket)),
  ]
  const rows = byTime(entries.filter(({ at }) => at <= now)).map(
    ({ at, person: { id, name }, operation, ...change }) => {
      const isSignIn = operation === 'sessions.create'
      return {
        at,
        operation,
        actor: `person:${id}`,
        actor_name: name,
        address: `192.0.2.${10 + (id % 200)}`,
        via: isSignIn ? null : `session:${id}`,
        workspace_id: isSignIn ? null : workspace,
        resource: change.resource === null ? null : String(change.resource),
        before_json: change.before && JSON.stringify(change.before),
        after_json: JSON.stringify(change.after),
        request_id: app.ids.uuid(),
      }
    },
  )
  await insertRows(app, 'audit_log', rows)
}

function settingsChanges({ now, people, subscriptions }: Company, rules: readonly Rule[]): readonly Entry[] {
  const by = { person: pick(people, 1), before: null }
  return [
    ...rules.map(({ id, name, at }) => ({ ...by, at, operation: 'rules.create', resource: id, after: { id, name } })),
    ...subscriptions.map(({ id, description, created_at }) => {
      const after = { id, description, url: '***', secret: '***' }
      return { ...by, at: parseInstant(created_at), operation: 'webhooks.create', resource: id, after }
    }),
    ...subscriptions.filter(isDisabled).map(({ id }) => {
      const change = { before: { enabled: true }, after: { enabled: false, disabled_reason: 'manual' } }
      return { ...by, at: daysFrom(now, disabledSince), operation: 'webhooks.disable', resource: id, ...change }
    }),
  ]
}

const signIns = ({ now, people }: Company): readonly Entry[] =>
  allDays
    .filter((ago) => isWorkday(now, ago))
    .map((ago) => {
      const person = pick(people, ago % 5)
      const after = { user: { id: person.id, name: person.name } }
      const at = atHour(now, ago, 9 + 3 * spread(ago))
      return { at, person, operation: 'sessions.create', resource: null, before: null, after }
    })

const ticketChanges = ({ now, people }: Company, { row, changes }: StoredTicket): readonly Entry[] =>
  changes.flatMap(({ at, by, changes }) => {
    const person = people.find(({ id }) => id === by)
    if (person === undefined || at < daysFrom(now, -10)) return []
    const fields = Object.entries(changes)
    const side = (name: 'from' | 'to') => Object.fromEntries(fields.map(([field, change]) => [field, change[name]]))
    return [{ at, person, operation: 'tickets.update', resource: row.id, before: side('from'), after: side('to') }]
  })
