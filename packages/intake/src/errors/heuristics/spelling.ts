import { type JsonObject, keysOf, only } from '../json.ts'
import {
  callerKeys,
  classKeysOfErrors,
  errorKeys,
  fileKeys,
  holdersOfErrors,
  lineKeys,
  messageKeys,
  nestingKeys,
  stackKeys,
} from './keys.ts'
import { appKeys, contextKeys, environmentKeys, severityKeys, statusKeys, urlKeys } from './request-context.ts'
import { translated } from './translated-names.ts'

// What a name means is found out once. Of a body that brings new names with each of its reports these are looked at; one
// at a time spends from them, and `startSpelling` begins anew for the next.
const mostNamesTogether = 2_000
const plainKeys = new Map<string, string>()

export const startSpelling = (): void => plainKeys.clear()

const plain = (key: string): string => {
  const lower = key.toLowerCase()
  return translated(lower) ?? lower.replace(/[^a-z0-9]/g, '')
}

/** `error_message`, `ErrorMessage` and `error-message` are one name. */
export const plainKey = (key: string): string => {
  const found = plainKeys.get(key)
  if (found !== undefined) return found
  if (plainKeys.size >= mostNamesTogether) return ''
  const made = plain(key)
  plainKeys.set(key, made)
  return made
}

const known = [
  ...[...messageKeys, ...errorKeys, ...classKeysOfErrors, ...stackKeys, ...fileKeys, ...lineKeys],
  ...[...severityKeys, ...statusKeys, ...environmentKeys, ...appKeys, ...urlKeys],
]
const isKnown: ReadonlySet<string> = new Set(known)
/** `@m` and the like mean what they mean because of their sign. */
const shortest = 3
const byPlain = new Map(
  known
    .toReversed()
    .map((key) => [plain(key), key] as const)
    .filter(([name]) => name.length >= shortest),
)

const mostKeys = 60
const longestKey = 40

/** What `readKnownNames` asks a report for besides. */
const asked: ReadonlySet<string> = new Set([
  ...[...known, ...contextKeys, ...holdersOfErrors, ...nestingKeys, ...callerKeys],
  ...['cause', 'previous', 'innerException', 'InnerException', 'error_message', 'source', 'script', 'type', 'Code'],
  ...['syscall', 'address', 'hostname', 'port'],
])

type Entry = readonly [key: string, value: unknown]

/** Under the names that are looked for what an object spells otherwise. */
const respelled = (report: JsonObject): readonly Entry[] => {
  const added: Entry[] = []
  for (const key of keysOf(report).slice(0, mostKeys)) {
    if (isKnown.has(key) || key.length > longestKey) continue
    const name = byPlain.get(plainKey(key))
    if (name !== undefined && report[name] === undefined) added.push([name, report[key]])
  }
  return added
}

/** The object, and under the names that are looked for what it spells otherwise. */
export const withKnownSpelling = (report: JsonObject): JsonObject => {
  const added = respelled(report)
  return added.length === 0 ? report : { ...Object.fromEntries(added), ...report }
}

/** What `readKnownNames` looks for, respelled where it has to be. */
export const knownNamesOf = (report: JsonObject): JsonObject => {
  const own = only(report, asked)
  const added = respelled(report)
  return added.length === 0 ? own : { ...Object.fromEntries(added), ...own }
}
