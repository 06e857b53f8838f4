import { omitUndefined } from '../omit-undefined.ts'
import { cutText, toPlainData, tryRead } from './plain-data.ts'
import { ownFrame, readFrames, type StackFrame } from './stack-frames.ts'

/** The documented report. Every field is optional. Fields of other formats are also accepted. */
export interface ErrorReport {
  message?: string | null | undefined
  status_code?: number | null | undefined
  /** The error's class, e.g. `TypeError`. */
  exception?: string | null | undefined
  file?: string | null | undefined
  line?: number | null | undefined
  url?: string | null | undefined
  method?: string | null | undefined
  framework?: string | null | undefined
  environment?: string | null | undefined
  /** Errors of two applications never share a ticket. */
  app_name?: string | null | undefined
  severity?: string | null | undefined
  [field: string]: unknown
}

/** The context of an error: the documented fields, and any others. */
export type ErrorContext = Omit<ErrorReport, 'message' | 'exception'>

/** The message of an error. A cause contains the next one. */
interface ErrorText {
  readonly exception?: string
  readonly message: string
  readonly cause?: ErrorText
}

const maxMessageLength = 10_000
const maxNameLength = 255
const mostErrors = 10

/**
 * Turns any thrown value into a flat report: class, message, location in your code, stack, and causes.
 * It never throws. The context overrides the error's own fields.
 *
 * @example
 * toErrorReport(new RangeError('too far'), { app_name: 'shop' })
 */
export const toErrorReport = (thrown: unknown, context: ErrorContext = {}): ErrorReport =>
  tryRead(() => read(thrown, context)) ?? { message: 'Something unreadable was thrown.', severity: 'error' }

function read(thrown: unknown, context: ErrorContext): ErrorReport {
  const [first, ...others] = collectErrors(thrown)
  const frames = framesOf(thrown)
  const at = ownFrame(frames)
  const cause = others.map(toErrorText).reduceRight<ErrorText | undefined>(withCause, undefined)
  const report = {
    ...toErrorText(first),
    ...(at && { file: at.file, line: at.line }),
    ...statusIn(thrown),
    severity: 'error',
    ...(frames.length > 0 && { trace: frames }),
    ...(cause && { cause }),
  }
  return { ...report, ...omitUndefined(Object(toPlainData(context))) }
}

/** An error, its causes, and the errors of an `AggregateError`, each once because chains may be circular. */
function collectErrors(thrown: unknown, found: unknown[] = []): unknown[] {
  if (found.length >= mostErrors || found.includes(thrown)) return found
  found.push(thrown)
  const cause = tryRead(() => Object(thrown).cause)
  const together: unknown = thrown instanceof AggregateError ? tryRead(() => thrown.errors) : undefined
  for (const inner of [cause ?? [], together ?? []].flat()) collectErrors(inner, found)
  return found
}

const withCause = (inner: ErrorText | undefined, words: ErrorText): ErrorText => ({
  ...words,
  ...(inner && { cause: inner }),
})

/** Errors of other realms (frames, `vm`) and similar objects have the fields without being instances. */
function toErrorText(thrown: unknown): ErrorText {
  const message = tryRead(() => Object(thrown).message)
  if (!(thrown instanceof Error) && typeof message !== 'string')
    return { message: cutText(toText(thrown), maxMessageLength) }
  const exception = nameOf(Object(thrown))
  const text = typeof message === 'string' && message
  return {
    ...(exception && { exception }),
    message: cutText(text || exception || 'No message.', maxMessageLength),
  }
}

/** `name`, or the name of the class if no name was set. */
function nameOf(error: Error): string | undefined {
  const name = tryRead(() => error.name)
  const isOwn = name !== 'Error' || !(error instanceof Error)
  const found = isOwn ? name : (tryRead(() => error.constructor.name) ?? name)
  return typeof found === 'string' ? cutText(found, maxNameLength) : undefined
}

function toText(thrown: unknown): string {
  if (typeof thrown === 'string') return thrown || 'No message.'
  const plain = toPlainData(thrown)
  return (typeof plain === 'object' ? tryRead(() => JSON.stringify(plain)) : undefined) ?? String(plain)
}

function framesOf(thrown: unknown): StackFrame[] {
  const stack = tryRead(() => Object(thrown).stack)
  return typeof stack === 'string' ? readFrames(stack) : []
}

/** Errors of HTTP clients and frameworks have a status. */
function statusIn(thrown: unknown): { status_code?: number } {
  const status = tryRead(() => Object(thrown).statusCode ?? Object(thrown).status)
  return Number.isInteger(status) && status >= 400 && status <= 599 ? { status_code: status } : {}
}
