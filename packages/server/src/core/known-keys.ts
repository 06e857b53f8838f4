/**
 * Throws a TypeError for an unknown key, with the closest known one. Otherwise a misspelled option would have no
 * effect, and a test that relies on it would prove nothing.
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

/** The names of all keys of a type. The compiler requires every key to be listed. */
export const keysOf = <Shape extends object>(keys: { readonly [Key in keyof Required<Shape>]: true }): string[] =>
  Object.keys(keys)

/** The closest known word, if it differs in only a few letters. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((each) => ({ each, distance: distance(word, each) }))
    .filter(({ each, distance }) => distance <= Math.min(6, Math.ceil(each.length * 0.4)))
    .toSorted((a, b) => a.distance - b.distance)
  return best?.each
}

/** The Levenshtein distance: how many letters must be inserted, deleted, or replaced. */
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
