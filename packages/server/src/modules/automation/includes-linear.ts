/**
 * Like `String.includes`, but always in linear time (Knuth, Morris, Pratt): with repetitive texts, the one of the
 * platform takes the product of both lengths.
 */
export function includesLinear(text: string, part: string): boolean {
  if (part.length > text.length) return false
  const borders = bordersOf(part)
  let matched = 0
  for (let index = 0; index < text.length && matched < part.length; index += 1)
    matched = extend({ part, borders, matched, code: text.charCodeAt(index) })
  return matched === part.length
}

interface Extension {
  readonly part: string
  readonly borders: Uint16Array
  readonly matched: number
  readonly code: number
}

/** How many first characters of `part` match after one more character. */
function extend({ part, borders, matched, code }: Extension): number {
  let length = matched
  while (length > 0 && part.charCodeAt(length) !== code) length = borders[length - 1] ?? 0
  return part.charCodeAt(length) === code ? length + 1 : 0
}

/** For each prefix, the length of its longest proper prefix that is also its end. */
function bordersOf(part: string): Uint16Array {
  const borders = new Uint16Array(part.length)
  for (let index = 1; index < part.length; index += 1)
    borders[index] = extend({ part, borders, matched: borders[index - 1] ?? 0, code: part.charCodeAt(index) })
  return borders
}
