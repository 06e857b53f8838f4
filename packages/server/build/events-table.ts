import { eventNames, eventSchemas, events } from '@service/contract'
import { markdownTable } from './markdown-table.ts'

const inEveryBody = ['event', 'workspace_id', 'timestamp']

/** The outbound events, when each is sent, and what its body contains. */
export function eventsTable(): string {
  const rows = eventNames.map((name) => {
    const keys = Object.keys(eventSchemas[name].shape).filter((key) => !inEveryBody.includes(key))
    return [`\`${name}\``, events[name], keys.map((key) => `\`${key}\``).join(', ')]
  })
  const others = inEveryBody.map((key) => `\`${key}\``).join(', ')
  return markdownTable(['event', 'sent when', `body, in addition to ${others}`], rows)
}
