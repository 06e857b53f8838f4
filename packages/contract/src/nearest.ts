/** The closest known word, if it differs in only a few letters. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  let best: string | undefined
  let fewest = 7
  for (const each of known) {
    if (Math.abs(word.length - each.length) >= fewest) continue
    const edits = distance(word, each)
    if (edits >= fewest || edits > Math.ceil(each.length * 0.4)) continue
    best = each
    fewest = edits
  }
  return best
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
