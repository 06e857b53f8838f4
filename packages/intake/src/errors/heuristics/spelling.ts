import type { JsonObject } from '../json.ts'
import { classKeysOfErrors, errorKeys, fileKeys, lineKeys, messageKeys, stackKeys } from './keys.ts'
import { appKeys, environmentKeys, severityKeys, statusKeys, urlKeys } from './request-context.ts'

/** `error_message`, `ErrorMessage` and `error-message` are one name. */
export const plainKey = (key: string): string => key.toLowerCase().replace(/[^a-z0-9]/g, '')

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
    .map((key) => [plainKey(key), key] as const)
    .filter(([plain]) => plain.length >= shortest),
)

const mostKeys = 60
const longestKey = 40

/** The object, and under the names that are looked for what it spells otherwise. */
export const withKnownSpelling = (report: JsonObject): JsonObject => {
  const added: [string, unknown][] = []
  for (const key of Object.keys(report).slice(0, mostKeys)) {
    if (isKnown.has(key) || key.length > longestKey) continue
    const name = byPlain.get(plainKey(key))
    if (name !== undefined && report[name] === undefined) added.push([name, report[key]])
  }
  return added.length === 0 ? report : { ...Object.fromEntries(added), ...report }
}
