/** What is indexed of a long text, and of a long word. PostgreSQL limits both. */
const mostCharacters = 65_536
const longestWord = 64

/**
 * The different words of a text, without case and accents. Both databases index and search for these very words, so that
 * they find the same tickets; their own readers of text differ.
 */
export function wordsOf(text: string): string[] {
  const plain = text
    .slice(0, mostCharacters)
    .normalize('NFKD') // may be longer
    .slice(0, mostCharacters)
    .toLowerCase()
    .replace(/\p{M}/gu, '')
  const words = plain.match(/[\p{L}\p{N}]+/gu) ?? []
  return [...new Set(words.map((word) => word.slice(0, longestWord)))]
}
