/** The closest known word, if it differs in only a few letters. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  let best: string | undefined
  let fewest = 7
  for (const each of known) {
    const most = Math.min(fewest - 1, Math.ceil(each.length * 0.4))
    const edits = distance(word, each, most)
    if (edits > most) continue
    best = each
    fewest = edits
  }
  return best
}

/** ` Did you mean title?`, to end a sentence about an unknown word, or nothing. */
export function didYouMean(word: string, known: readonly string[], quote = ''): string {
  const meant = nearest(word, known)
  return meant === undefined ? '' : ` Did you mean ${quote}${meant}${quote}?`
}

/** The Levenshtein distance: how many letters must be inserted, deleted, or replaced. It is exact up to `most`. */
function distance(from: string, to: string, most: number): number {
  if (!from || !to || Math.abs(from.length - to.length) > most) return from.length + to.length
  const [fromRest, toRest] = [from.slice(1), to.slice(1)]
  if (from[0] === to[0]) return distance(fromRest, toRest, most)
  const removed = distance(fromRest, to, most - 1)
  const added = distance(from, toRest, most - 1)
  const replaced = distance(fromRest, toRest, most - 1)
  return 1 + Math.min(removed, added, replaced)
}
