import { firstKeysOf } from '../../paths/paths.ts'
import type { JsonRecord } from '../../sanitize/json-path.ts'
import { keysOf } from '../json.ts'
import { flat } from './flat.ts'
import type { Format } from './format.ts'
import { generic } from './generic.ts'
import { loki } from './loki.ts'
import { otlp } from './otlp.ts'
import { sentry } from './sentry.ts'
import { sentryWebhook } from './sentry-webhook.ts'
import table from './table.json' with { type: 'json' }
import { compileRow, type Row, toList } from './table-format.ts'

const inCode: Readonly<Record<string, Format>> = { loki, otlp, sentry, 'sentry-webhook': sentryWebhook }

/** Tried in this order, between the documented shape and the generic reader. */
// `as`: tests check the content of the file.
export const rows = table as readonly Row[]

const readers: readonly Format[] = rows.map((row) => inCode[row.name] ?? compileRow(row))

/** The rows that require each key. Most rows require keys that a report does not have. */
const createIndex = (): ReadonlyMap<string, readonly number[]> => {
  const index = new Map<string, number[]>()
  for (const [position, { when }] of rows.entries())
    for (const key of new Set(firstKeysOf(toList(when)))) index.set(key, [...(index.get(key) ?? []), position])
  return index
}
const index = createIndex()

/** All readers except the catch-all ones, in order. */
export const formats: readonly Format[] = [flat, ...readers, generic]

const maxCachedKeys = 1_000
const candidatesByKeys = new Map<string, readonly Format[]>()

/** The readers whose conditions use a key of the report, in order. Reports of one sender have the same keys. */
const candidatesFor = (report: JsonRecord): readonly Format[] => {
  const keys = keysOf(report).filter((key) => index.has(key))
  const name = keys.join(' ')
  const known = candidatesByKeys.get(name)
  if (known !== undefined) return known
  const positions = new Set(keys.flatMap((key) => index.get(key) ?? []))
  const found = readers.filter((_, position) => positions.has(position))
  if (candidatesByKeys.size >= maxCachedKeys) candidatesByKeys.clear()
  candidatesByKeys.set(name, found)
  return found
}

export const formatOf = (report: JsonRecord): Format =>
  flat.recognizes(report) ? flat : (candidatesFor(report).find((reader) => reader.recognizes(report)) ?? generic)
