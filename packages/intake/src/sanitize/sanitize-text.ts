const maxLineLength = 255
const maxProseLength = 65_535
const maxLinkLength = 2_048

/**
 * Keeps untrusted text as plain text. Nothing is rendered, linked, or escaped. Removes only what a
 * database or a terminal cannot handle: PostgreSQL rejects NUL, and a lone surrogate has no UTF-8 encoding.
 */
const clean = (text: string) => text.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '\uFFFD')

const cutAtCodePoints = (text: string, most: number): string =>
  text.length <= most ? text : Array.from(text).slice(0, most).join('')

/** One line of at most 255 code points. The first cut bounds the work, because a title may be megabytes long. */
export const oneLine = (text: string): string => {
  const line = clean(text.slice(0, maxLineLength * 8))
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
  return cutAtCodePoints(line, maxLineLength)
}

/** A text, cut to the stored length without splitting a surrogate pair. */
export const prose = (text: string): string => {
  const isCut = text.length > maxProseLength
  const splitsPair = isCut && /[\uD800-\uDBFF]/.test(text.charAt(maxProseLength - 1))
  return clean(isCut ? text.slice(0, maxProseLength - (splitsPair ? 1 : 0)) : text)
}

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
