import { inspect } from 'node:util'
import { nearest } from '@service/contract/nearest'

/**
 * Throws a TypeError for an unknown key, with the closest known one. Otherwise a misspelled option would have no
 * effect, and a test that relies on it would prove nothing.
 */
export function requireKnown(given: unknown, names: readonly string[], owner: string): void {
  if (given === undefined) return
  if (typeof given !== 'object' || given === null)
    throw new TypeError(`${owner}: expected an object, but got ${inspect(given)}.`)
  const unknown = Object.keys(given).find((name) => !names.includes(name))
  if (unknown === undefined) return
  const meant = nearest(unknown, names)
  const has = `t has ${names.join(', ')}.`
  throw new TypeError(
    `${owner} has no \`${unknown}\`; ${meant === undefined ? `i${has}` : `did you mean \`${meant}\`? I${has}`}`,
  )
}

/** The names of all keys of a type. The compiler requires every key to be listed. */
export const keysOf = <Shape extends object>(keys: { readonly [Key in keyof Required<Shape>]: true }): string[] =>
  Object.keys(keys)
