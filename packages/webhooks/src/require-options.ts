import { requireLimit } from './limits.ts'
import type { Checks } from './options.ts'
import { requireSecrets } from './secrets.ts'

/** The type of each option, as in the message about another type. */
export type Types = Readonly<Record<string, string>>

/** The type of each option of a verification. */
export const checkTypes = {
  secret: 'a string, object, or function',
  toleranceSeconds: 'a number',
  requireTimestamp: 'a boolean',
  maxBodyBytes: 'a number',
  schema: 'an object or function',
  now: 'a function',
} satisfies Record<keyof Checks | 'secret', string>

/** Checks the options when a handler or guard is created, so that no mistake disables a check or fails every delivery. */
export function requireCheckOptions(
  options: Checks & { readonly secret: unknown; readonly on?: unknown },
  types: Types = checkTypes,
): void {
  if (typeof options.secret !== 'function') requireSecrets(options.secret)
  requireTypes(options, types)
  if (options.schema && !options.schema['~standard']) throw new TypeError('schema must be a Standard Schema')
}

/** Refuses values of another type, and unknown names, because a misspelled option would have no effect. */
export function requireTypes(given: object, types: Types, kind = 'option'): void {
  for (const [name, value] of Object.entries(given)) {
    const type = types[name] ?? refuseName(name, Object.keys(types), kind)
    if (value === undefined) continue
    // `null` counts as a string, which no function, object, or number is.
    if (!type.includes(typeof (value ?? ''))) throw new TypeError(`${kind} ${name} must be ${type}`)
    if (type === 'a number') requireLimit(name, value)
  }
}

function refuseName(name: string, known: readonly string[], kind: string): never {
  // An edit distance would add 200 bytes.
  const start = name.slice(0, 8).toLowerCase()
  const meant = known.find((each) => each.toLowerCase().startsWith(start))
  throw new TypeError(`unknown ${kind} ${name}${meant ? `, did you mean ${meant}?` : ''}; known: ${known.join(', ')}`)
}
