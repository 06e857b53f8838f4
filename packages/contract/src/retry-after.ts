/** How long a `Retry-After` asks to wait (RFC 9110, 10.2.3), in ms; `undefined` where it says nothing that can be read. */
export const readRetryAfter = (text: string | null | undefined, nowMs: number): number | undefined =>
  toMs(readSeconds(text)) ?? until(readHttpDate(text), nowMs)

/** Decimals too, though the RFC has whole seconds only. */
export function readSeconds(text: string | null | undefined): number | undefined {
  return text && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Math.min(Number(text), Number.MAX_SAFE_INTEGER) : undefined
}

/** The three date forms of RFC 9110, 5.6.7. `Date.parse` alone would also read "in 5 minutes" as a date. */
export function readHttpDate(text: string | null | undefined): number | undefined {
  if (!text || !/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? [\w: -]+$/.test(text)) return undefined
  // The third form, of C's asctime, names no zone and means UTC.
  const instant = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
  return Number.isNaN(instant) ? undefined : instant
}

export const toMs = (seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : Math.min(seconds * 1000, Number.MAX_SAFE_INTEGER)

export const until = (instant: number | undefined, nowMs: number): number | undefined =>
  instant === undefined ? undefined : Math.max(0, instant - nowMs)
