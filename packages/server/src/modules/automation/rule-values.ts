import type { Condition } from '@service/contract/admin/automation-input'
import { ticketStatuses } from '@service/contract/values'
import { words } from '../../ui/format.ts'
import { formerMember, type Names, recordsOf, showValue } from './rule-labels.ts'

// The values of conditions as texts of the rule form, and what the API stores for such a text.

export const valueText = ({ field, value }: Extract<Condition, { value: unknown }>, names: Names): string =>
  [value]
    .flat()
    .map((entry) => toText(field, entry, names))
    .join(', ')

/** The words for a stored value, unless saving them would store another. */
function toText(field: string, value: string | number, names: Names): string {
  const shown = showValue(field, value, names)
  return readValue(field, shown, names) === String(value) && !shown.includes(',') ? shown : String(value)
}

export const partsOf = (value: string) =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

/** The id of a record whose name is not known. */
const readId = (text: string) =>
  /^\d+$/.exec(text.startsWith(`${formerMember} `) ? text.slice(formerMember.length + 1) : text)?.[0]

/** The stored form of a typed value: the id of a record that is named; undefined if there is none of that name. */
export function readValue(field: string, text: string, names: Names): string | undefined {
  const isSame = (name: string) => name.toLowerCase() === text.trim().toLowerCase()
  const records = recordsOf(field, names)
  if (records !== undefined) {
    const id = [...records].find(([, name]) => isSame(name))?.[0]
    return id === undefined ? readId(text.trim()) : String(id)
  }
  return field === 'status' ? (ticketStatuses.find((status) => isSame(words(status))) ?? text) : text
}
