import { type Micros, microsPerDay } from '../../../core/clock.ts'
import { type Company, hourOf, isWorkday } from './company.ts'
import { insertRows } from './insert-rows.ts'
import type { Person } from './people.ts'
import type { Connected } from './subscriptions.ts'
import { serviceLevels } from './ticket-course.ts'
import type { StoredTicket } from './tickets.ts'

interface Entry {
  readonly at: Micros
  readonly person: Person
  readonly operation: string
  readonly resource: string | null
  readonly before: object | null
  readonly after: object | null
}

interface Changed {
  readonly tickets: readonly StoredTicket[]
  readonly rules: readonly { readonly id: number; readonly name: string; readonly at: Micros }[]
  readonly subscriptions: readonly Connected[]
}

/** How far back the company's people have changed tickets through administration. */
const ticketsSince = 10 * microsPerDay

/** What people have changed through administration. */
export async function storeAudit(company: Company, changed: Changed): Promise<void> {
  const { app, workspace } = company
  const entries = [
    ...settingsChanged(company, changed),
    ...signIns(company),
    ...ticketsChanged(company, changed.tickets),
  ]
  await insertRows(
    app,
    'audit_log',
    entries
      .filter(({ at }) => at <= company.now)
      .toSorted((a, b) => a.at - b.at)
      .map(({ at, person, operation, resource, before, after }) => ({
        at,
        actor: `person:${person.id}`,
        actor_name: person.name,
        via: operation === 'sessions.create' ? null : `session:${person.id}`,
        address: `192.0.2.${10 + (person.id % 200)}`,
        operation,
        workspace_id: operation === 'sessions.create' ? null : workspace,
        resource,
        before_json: before && JSON.stringify(before),
        after_json: after && JSON.stringify(after),
        request_id: app.ids.uuid(),
      })),
  )
}

/** What was set up, by the first two of the people: the owner and an administrator. */
function settingsChanged({ calendar, people }: Company, { rules, subscriptions }: Changed): readonly Entry[] {
  const [owner, admin] = people
  if (owner === undefined || admin === undefined) return []
  const foundedAt = (calendar[0]?.startsAt ?? 0) - microsPerDay
  const levels = Object.entries(serviceLevels).map(([priority, { firstResponse, resolution }]): Entry => {
    const after = { priority, first_response_minutes: firstResponse, resolution_minutes: resolution }
    return { at: foundedAt, person: owner, operation: 'slaPolicies.update', resource: priority, before: null, after }
  })
  const made = rules.map(({ id, name, at }): Entry => {
    return { at, person: admin, operation: 'rules.create', resource: String(id), before: null, after: { id, name } }
  })
  const connected = subscriptions.flatMap(({ id, description, at, disabledAt }): Entry[] => {
    const one = { person: admin, resource: String(id) }
    const after = { id, description, url: '***', secret: '***' }
    const disabled = { before: { enabled: true }, after: { enabled: false, disabled_reason: 'manual' } }
    return [
      { ...one, at, operation: 'webhooks.create', before: null, after },
      ...(disabledAt === null ? [] : [{ ...one, ...disabled, at: disabledAt, operation: 'webhooks.disable' }]),
    ]
  })
  return [...levels, ...made, ...connected]
}

function signIns({ calendar, people, random: streamOf }: Company): readonly Entry[] {
  const random = streamOf('sign-ins')
  return calendar.filter(isWorkday).flatMap((day) =>
    people
      .filter(({ shift }) => shift.isOffice && random.happens(0.12))
      .map((person) => ({
        at: hourOf(day, 8.8 + 3 * random.fraction()),
        ...{ person, operation: 'sessions.create', resource: null, before: null },
        after: { user: { id: person.id, name: person.name } },
      })),
  )
}

function ticketsChanged({ now, people }: Company, tickets: readonly StoredTicket[]): readonly Entry[] {
  return tickets.flatMap(({ id, changes }) =>
    changes.flatMap(({ at, changes: fields, actor }) => {
      const person = people.find((one) => actor.kind === 'user' && one.id === actor.id)
      if (person === undefined || at < now - ticketsSince) return []
      const side = (name: 'from' | 'to') =>
        Object.fromEntries(Object.entries(fields).map(([field, change]) => [field, change[name]]))
      return [
        { at, person, operation: 'tickets.update', resource: String(id), before: side('from'), after: side('to') },
      ]
    }),
  )
}
