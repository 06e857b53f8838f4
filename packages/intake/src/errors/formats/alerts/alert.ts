import { isObject, type JsonObject, objectsOf, textOf } from '../../json.ts'
import { type ErrorRecord, toRecord } from '../../record.ts'
import type { SeverityScale } from '../../severity.ts'

/** What an alert is read into: something watches, and tells when a rule holds and when it no longer does. */
export type FoundAlert = {
  /** The name of the rule, which stands where errors have their class. */
  readonly name: unknown
  readonly summary: unknown
  readonly severity?: unknown
  readonly severityScale?: SeverityScale
  /** Where a person looks on. */
  readonly link?: unknown
  readonly labels?: unknown
  readonly app?: unknown
  readonly environment?: unknown
  readonly status?: unknown
  readonly method?: unknown
  /** What was found in code stands in a file. */
  readonly file?: unknown
  readonly line?: unknown
  /** What stays the same from the alert to the note that it is over, and when it fires again. */
  readonly identity: readonly unknown[]
  readonly isOver: boolean
}

export const toAlert = ({ name, summary, link, identity, isOver, ...found }: FoundAlert): ErrorRecord => {
  const parts = identity.filter((part) => textOf(part) !== null)
  return toRecord({
    ...found,
    exception: name,
    message: summary,
    url: link,
    fingerprint: parts.length === 0 ? null : parts,
    recovered: isOver,
  })
}

const over = new Set([
  'resolved',
  'resolve',
  'recovered',
  'recovery',
  'ok',
  'okay',
  'up',
  'closed',
  'close',
  'inactive',
  'deactivated',
  'normal',
  'healthy',
  'success',
  'successful',
  'online',
  'restored',
  'clear',
  'cleared',
])

/** Whether a word for a state says that the alert is over. */
export const saysOver = (state: unknown): boolean => over.has(textOf(state)?.trim().toLowerCase() ?? '')

const mostLabels = 200

/** Labels of several holders as one; the later win. Whatever is no object counts as nothing. */
export const labelsOf = (...holders: readonly unknown[]): JsonObject => {
  const labels: Record<string, unknown> = {}
  for (const holder of holders) {
    let count = 0
    if (!isObject(holder)) continue
    for (const name in holder) {
      count += 1
      if (count > mostLabels) break
      if (name !== '__proto__') labels[name] = holder[name]
    }
  }
  return labels
}

/** Labels that are listed as names and values. */
export const listedLabels = (list: unknown, keys: readonly [name: string, value: string]): JsonObject => {
  const [name, value] = keys
  return Object.fromEntries(
    objectsOf(list).flatMap((entry) => {
      const label = textOf(entry[name])
      return label === null ? [] : [[label, entry[value]]]
    }),
  )
}

const writtenLabel = /^([^:=]{1,100})[:=]([^\n]{1,1000})$/

/** Labels that are written: `env:production, team:shop`, as one text or a list of them. */
export const textualLabels = (given: unknown): JsonObject => {
  const listed = Array.isArray(given) ? given.slice(0, mostLabels) : (textOf(given)?.split(',', mostLabels) ?? [])
  return Object.fromEntries(
    listed.flatMap((label) => {
      const [, name, value = ''] = typeof label === 'string' ? (writtenLabel.exec(label.trim()) ?? []) : []
      return name === undefined ? [] : [[name, value.trim()]]
    }),
  )
}
