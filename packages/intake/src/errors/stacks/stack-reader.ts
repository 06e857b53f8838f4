import type { Frame } from '../frame.ts'

/** A parsed text stack. The newest frame is first. */
export type StackReading = {
  readonly exception: string | null
  readonly message: string | null
  readonly frames: readonly Frame[]
  readonly causes: readonly StackHeader[]
}

export type StackHeader = { readonly exception: string | null; readonly message: string | null }

/** Parses one language. Null if no line is a frame of it. */
export type StackReader = (lines: readonly string[]) => StackReading | null

const leadIn =
  /^(?:uncaughtException: |unhandledRejection: |Uncaught (?:\(in promise\) )?|Unhandled (?:Promise )?(?:Rejection|exception)[.:]?\s|Exception in thread "[^"]{0,200}" |(?:PHP )?(?:Fatal|Parse) error: {1,2}(?:Uncaught )?|Next )/i

/** `⨯ TypeError: …`, `✖  error  TypeError: …`: prefixes of terminal loggers. */
const signs = /^(?:[\p{So}\u2a2f]\ufe0f?\s{1,10}){1,3}(?:error\s{1,10})?/iu

/** `[TypeError: x is null]`, as Node prints an error without frames. */
const bracketed = /^\[([\w$.]{0,100}(?:Error|Exception): [^\n]{1,4000})\]$/

const named =
  /^([A-Za-z_$*][\w$.\\:/*@-]{0,250}?)(?: \[[^\]]{1,80}\]|(?<=Error)\[[^\]]{1,80}\]| \([^)]{1,80}\))?(?:: |$)/

/** Words that start a sentence rather than name a class. `panic` and `error` add nothing to the message. */
const notNames = /^(?:panic|error|exception|warning|fatal|message|fatal error)$/

/** A class has a capital letter or a namespace; `boom` is a one-word message. */
const looksNamed = /[A-Z]|\w[.:\\]\w/

/** `TypeError: x is null` as class and message. Text without a class is all message. */
export const stackHeader = (text: string): StackHeader => {
  const bare = text.trim().replace(signs, '').replace(bracketed, '$1').replace(leadIn, '')
  const [before = '', name = ''] = named.exec(bare) ?? []
  if (name === '') return { exception: null, message: bare || null }
  const detail = bare.slice(before.length).trim() || null
  if (!notNames.test(name) && !looksNamed.test(name)) return { exception: null, message: bare }
  return notNames.test(name) ? { exception: null, message: detail } : { exception: name, message: detail }
}

const thrownWithin = /\s([A-Z][\w$.]{0,100}(?:Error|Exception)): /

/** `could not pay: TypeError: x is null`: loggers put their message before the stack. */
export const stackHeaderWithin = (text: string): StackHeader => {
  const header = stackHeader(text)
  if (header.exception !== null) return header
  return { ...header, exception: thrownWithin.exec(header.message?.slice(0, 2_000) ?? '')?.[1] ?? null }
}

/** The text before the first frame. The headline may span several lines. */
export const linesBefore = (lines: readonly string[], isFrame: (line: string) => boolean): string => {
  const first = lines.findIndex(isFrame)
  return lines.slice(0, first === -1 ? lines.length : first).join('\n')
}
