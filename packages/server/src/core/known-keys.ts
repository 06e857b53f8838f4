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

/** The one that was probably meant: a few letters of it are different. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((each) => ({ each, distance: distance(word, each) }))
    .filter(({ each, distance }) => distance <= Math.min(6, Math.ceil(each.length * 0.4)))
    .toSorted((a, b) => a.distance - b.distance)
  return best?.each
}

/** Levenshtein's: how many letters must be put in, taken out or changed. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1]
    for (let column = 0; column < to.length; column += 1) {
      const changed = (row[column] ?? 0) + (to[column] === letter ? 0 : 1)
      next.push(Math.min(changed, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
