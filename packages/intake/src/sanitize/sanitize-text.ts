const maxLineLength = 255
const maxProseLength = 65_535
const maxLinkLength = 2_048

// Untrusted text is cut first and cleaned afterwards, so that the work is bounded. It stays plain text: nothing is rendered,
// linked, or escaped.

/** At most `length` characters, never half of a surrogate pair. */
export const cut = (text: string, length: number): string => {
  if (text.length <= length) return text
  const last = text.charCodeAt(length - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length)
}

/** PostgreSQL rejects NUL, and a lone surrogate has no UTF-8 encoding. */
const clean = (text: string): string =>
  // Few texts have either, and this check is cheaper than a search for pairs.
  !/[\0\uD800-\uDFFF]/.test(text) ? text : text.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '\uFFFD')

/** Cuts, cleans, and trims a text. Null if nothing is left. */
export const tidy = (text: string | null, length: number): string | null =>
  text === null ? null : clean(cut(text, length)).trim() || null

const cutAtCodePoints = (text: string, most: number): string =>
  text.length <= most ? text : Array.from(text).slice(0, most).join('')

/** One line of at most 255 code points. The first cut bounds the work, because a title may be megabytes long. */
export const oneLine = (text: string): string => {
  const line = clean(text.slice(0, maxLineLength * 8))
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
  return cutAtCodePoints(line, maxLineLength)
}

/** A text, cut to the stored length. */
export const prose = (text: string): string => clean(cut(text, maxProseLength))

/** Accepts only http and https: an unsigned body may have a `javascript:` link. */
export const webLink = (text: string): string | null => {
  const link = text.trim()
  if (link.length > maxLinkLength || !/^https?:\/\/[^\s\p{Cc}\p{Surrogate}]+$/iu.test(link)) return null
  return URL.canParse(link) ? link : null
}

export const firstLineOf = (text: string | null): string | null => {
  if (text === null) return null
  const line =
    text
      .slice(0, maxLineLength * 8)
      .trimStart()
      .split(/\r\n|\r|\n/, 1)[0] ?? ''
  return oneLine(line) || null
}
