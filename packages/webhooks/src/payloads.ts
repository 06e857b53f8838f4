/** A value from a list that the platform may extend. Editors suggest the known values; any string is valid. */
export type Open<Known extends string> = Known | (string & {})

/** The keys of every payload. */
export interface Envelope<Name extends string> {
  readonly event: Name
  readonly workspace_id: number
  /** ISO 8601 with an offset, e.g. `2026-11-20T18:51:53+00:00`. */
  readonly timestamp: string
}

/** An object's id and name. */
export interface Named {
  readonly id: number
  readonly name: string
}

export interface Ticket {
  readonly id: number
  readonly ticket_number: string
  readonly title: string
  readonly status: Open<'open' | 'in_progress' | 'pending' | 'resolved' | 'closed'>
  readonly priority: Open<'low' | 'medium' | 'high' | 'urgent'>
}

export interface Task {
  readonly id: number
  readonly title: string
  readonly status: Open<'todo' | 'in_progress' | 'review' | 'done'>
  readonly priority: Open<'low' | 'medium' | 'high' | 'urgent'>
  readonly project_id: number | null
  readonly ticket_id: number | null
}

export interface Message {
  readonly id: number
  readonly body: string
  readonly channel: Named
  readonly author: Named | null
}

export interface Project {
  readonly id: number
  readonly name: string
  readonly status: Open<'planning' | 'active' | 'on_hold' | 'completed' | 'archived'>
}

/** The old and the new value of each changed field. */
export type Changes = Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>

// The contract has the same shapes, but infers their types with zod, which a package without dependencies cannot
// reference. `event.test.ts` fails to compile if they differ.

/** The payload of each event, by event name. The platform may add keys to any object. */
export interface Payloads {
  'ticket.created': Envelope<'ticket.created'> & { readonly ticket: Ticket }
  'ticket.updated': Envelope<'ticket.updated'> & { readonly ticket: Ticket; readonly changes: Changes }
  'ticket.resolved': Envelope<'ticket.resolved'> & { readonly ticket: Ticket }
  'task.created': Envelope<'task.created'> & { readonly task: Task }
  'task.updated': Envelope<'task.updated'> & { readonly task: Task; readonly changes: Changes }
  'message.created': Envelope<'message.created'> & { readonly message: Message }
  'project.updated': Envelope<'project.updated'> & { readonly project: Project; readonly changes: Changes }
}
