import type { App } from '../../context.ts'
import { after } from '../../core/clock.ts'
import { rateWindows, tooManyAttempts } from '../../core/rate-windows.ts'

interface TicketOf {
  readonly workspaceId: number
  readonly ticketId: number
}

interface Signal extends TicketOf {
  readonly personId: number
  /** False when the person has left the ticket. */
  readonly isEditing: boolean
}

/** Who edits which ticket, in memory only. Each process on a shared database knows all of them. */
export interface Editors {
  /** Sent while a person edits, at least every 45 seconds. Throws if they send too many. */
  note(signal: Signal): void
  /** The ids of the people who edit a ticket. */
  list(ticket: TicketOf): number[]
}

const expiresAfterMs = 45_000
const maxSignalsPerMinute = 60
const maxPeople = 1000

interface Entry extends Signal {
  readonly cancelExpiry: () => void
}

const isForTicket = (entry: TicketOf | undefined, { workspaceId, ticketId }: TicketOf) =>
  entry?.workspaceId === workspaceId && entry.ticketId === ticketId

export function createEditors({ changes, clock }: Pick<App, 'changes' | 'clock'>): Editors {
  /** A person edits one ticket, the last one. Those who signaled most recently come last. */
  const people = new Map<number, Entry>()
  const signals = rateWindows(clock.elapsedMs)
  const announce = ({ workspaceId, ticketId, personId }: Signal) =>
    changes.announce(workspaceId, `editing:${ticketId}:${personId}`)
  const remove = (entry: Entry | undefined) => {
    if (entry === undefined) return
    entry.cancelExpiry()
    people.delete(entry.personId)
    announce(entry)
  }
  function apply(signal: Signal): void {
    const before = people.get(signal.personId)
    const isKnown = isForTicket(before, signal)
    if (!signal.isEditing) {
      if (isKnown) remove(before)
      return
    }
    if (isKnown) before?.cancelExpiry()
    else remove(before)
    const expire = () => remove(entry)
    const entry = { ...signal, cancelExpiry: clock.after?.(expiresAfterMs, expire) ?? after(expiresAfterMs, expire) }
    people.delete(signal.personId)
    people.set(signal.personId, entry)
    if (!isKnown) announce(signal)
    if (people.size > maxPeople) remove(people.values().next().value)
  }
  changes.onNote((note) => apply(JSON.parse(note)))
  return {
    note(signal) {
      const counted = signals.hit(String(signal.personId))
      if (counted.hits > maxSignalsPerMinute) throw tooManyAttempts(counted, clock.now())
      apply(signal)
      changes.sendNote(JSON.stringify(signal))
    },
    list: (ticket) =>
      [...people.values()].filter((entry) => isForTicket(entry, ticket)).map(({ personId }) => personId),
  }
}
