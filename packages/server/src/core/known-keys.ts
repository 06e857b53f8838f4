import { nearest } from './nearest.ts'

/**
 * Throws a TypeError for a key that is not known, with the one that was probably meant: a misspelt option would be left
 * out, and a test that leaves out what it asks for proves nothing.
 */
export function requireKnown(given: unknown, names: readonly string[], owner: string): void {
  if (given === undefined) return
  if (typeof given !== 'object' || given === null) throw new TypeError(`${owner} is an object.`)
  const unknown = Object.keys(given).find((name) => !names.includes(name))
  if (unknown === undefined) return
  const meant = nearest(unknown, names)
  const has = `t has ${names.join(', ')}.`
  throw new TypeError(
    `${owner} has no \`${unknown}\`; ${meant === undefined ? `i${has}` : `did you mean \`${meant}\`? I${has}`}`,
  )
}

/** The names of all keys of a type, so that the compiler asks for one that is added. */
export const keysOf = <Shape extends object>(keys: { readonly [Key in keyof Required<Shape>]: true }): string[] =>
  Object.keys(keys)
