const longest = Number.MAX_SAFE_INTEGER

/** The wait that a `Retry-After` header requests, in ms (RFC 9110, 10.2.3). Undefined if it cannot be parsed. */
export const readRetryAfter = (text: string | null | undefined, nowMs: number): number | undefined =>
  toMs(readSeconds(text)) ?? until(readHttpDate(text), nowMs)

/** Also accepts decimals, although the RFC allows only whole seconds. */
export const readSeconds = (text: string | null | undefined): number | undefined =>
  largest(text, ',', (value) => (/^\s*\d+(\.\d+)?\s*$/.test(value) ? Math.min(Number(value), longest) : Number.NaN))

/** The three date forms of RFC 9110, 5.6.7. */
export const readHttpDate = (text: string | null | undefined): number | undefined =>
  // Inside a date a digit follows the comma. Between dates, the next weekday does.
  largest(text, /, ?(?=[A-Z])/, (value) =>
    // `Date.parse` alone would also read "in 5 minutes" as a date. C's asctime names no zone and means UTC.
    /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? [\w: -]+$/.test(value)
      ? Date.parse(value.replace(/( GMT)?$/, ' GMT'))
      : Number.NaN,
  )

/** A proxy may repeat the header, which makes a list ("2, 2"). The largest value is the safe one. */
function largest(text: string | null | undefined, separator: string | RegExp, read: (value: string) => number) {
  const value = Math.max(...(text ?? '').split(separator).map(read))
  return value >= 0 ? value : undefined
}

export const toMs = (seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : Math.min(seconds * 1000, longest)

export const until = (instant: number | undefined, nowMs: number): number | undefined =>
  instant === undefined ? undefined : Math.max(0, instant - nowMs)
