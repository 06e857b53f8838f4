// Untrusted text is cut first and cleaned afterwards, so that the work is bounded.

const unstorable = /\0|\p{Surrogate}/gu

/** At most `length` characters, never half of a surrogate pair. */
export const cut = (text: string, length: number): string => {
  if (text.length <= length) return text
  const last = text.charCodeAt(length - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length)
}

/** PostgreSQL rejects NUL, and a lone surrogate has no UTF-8 encoding. Either would make a report fail. */
export const clean = (text: string): string =>
  // Few texts have either, and this check is cheaper than a search for pairs.
  !/[\0\uD800-\uDFFF]/.test(text) ? text : text.replace(unstorable, (character) => (character === '\0' ? '' : '\uFFFD'))

/** Cuts, cleans, and trims a text. Null if nothing is left. */
export const tidy = (text: string | null, length: number): string | null =>
  text === null ? null : clean(cut(text, length)).trim() || null
