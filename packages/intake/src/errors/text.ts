// Text from outside is cut first and cleaned after, so that the work is bounded by what is kept.

const unstorable = /\0|\p{Surrogate}/gu

/** At most `length` characters, never half of a surrogate pair. */
export const cut = (text: string, length: number): string => {
  if (text.length <= length) return text
  const last = text.charCodeAt(length - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length)
}

/** PostgreSQL refuses NUL, and a lone surrogate cannot be written as UTF-8: both would turn a report into a failure. */
export const clean = (text: string): string =>
  // Hardly any text has either; to see that is cheaper than to look for pairs.
  !/[\0\uD800-\uDFFF]/.test(text) ? text : text.replace(unstorable, (character) => (character === '\0' ? '' : '\uFFFD'))

/** Cut, cleaned and trimmed, or null when nothing is left. */
export const tidy = (text: string | null, length: number): string | null =>
  text === null ? null : clean(cut(text, length)).trim() || null
