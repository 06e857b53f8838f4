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
