import type { InboundErrors } from '../inbound/errors.ts'
import { requireKnownNames } from '../known-names.ts'
import { requireDuration, requireFunction } from '../requirements.ts'
import { isBrowser } from '../user-agent.ts'
import { hookWindow, type WindowLike } from './browser-window.ts'
import { hookProcess, type ProcessLike, type Report } from './node-process.ts'
import { tryRead } from './plain-data.ts'
import { type ErrorContext, type ErrorReport, toErrorReport } from './to-error-report.ts'

/** The options of `captureErrors`. Only the client is required. */
export interface CaptureOptions {
  /** A client from `createInboundClient` with the secret for errors. */
  readonly client: { readonly errors: Pick<InboundErrors, 'report'> }
  /** Added to every report. A function is called for each one. */
  readonly context?: ErrorContext | (() => ErrorContext) | undefined
  /** Repetitions of an error within this time are counted instead of sent. Default 60 000. */
  readonly windowMs?: number | undefined
  /** How long a report may take, which may delay the end of the process. Default 2 000. */
  readonly timeLimitMs?: number | undefined
  /** Replaces the global `window`, for tests and frames. */
  readonly window?: WindowLike | undefined
  /** Milliseconds, for tests. */
  readonly clock?: (() => number) | undefined
}

/**
 * Reports uncaught errors: uncaught exceptions and unhandled rejections in Node, Bun and Deno, errors and unhandled
 * rejections of the window in browsers. It never throws later. If a report fails, the first failure is printed. A process
 * still ends as it would otherwise, except that its end may be delayed by `timeLimitMs` to send the report. If Node's
 * `--unhandled-rejections` is `warn`, `none`, or `warn-with-error-code`, rejections are reported only while the process has
 * its own listener: `process.on('unhandledRejection', () => {})`.
 *
 * @example
 * const inbound = createInboundClient({ webhookBaseUrl: 'https://example.com/api', workspace: 1, secrets: { errors: 'whs_…' } })
 * const stop = captureErrors({ client: inbound, context: { app_name: 'shop' } })
 * @returns a function that removes the listeners.
 * @throws TypeError for an invalid option, with its name and how to fix it.
 */
export function captureErrors(options: CaptureOptions): () => void {
  const report = createReporter(options)
  const window = options.window ?? findWindow()
  const { process }: { process?: ProcessLike } = Object(globalThis) // there in Node, Bun and Deno
  if (window) return hookWindow(window, report)
  return typeof process?.listeners === 'function' ? hookProcess(process, report) : () => undefined
}

const findWindow = (): WindowLike | undefined => (isBrowser() ? globalThis : undefined)

function createReporter(options = {} as CaptureOptions): Report {
  const { client, context, windowMs = 60_000, timeLimitMs = 2_000, clock = Date.now } = options
  if (typeof client?.errors?.report !== 'function') {
    throw new TypeError('client must be the result of createInboundClient: captureErrors({ client }).')
  }
  requireKnownNames('captureErrors', options, ['client', 'context', 'windowMs', 'timeLimitMs', 'window', 'clock'])
  requireDuration('windowMs', windowMs, 0)
  requireDuration('timeLimitMs', timeLimitMs)
  requireFunction('clock', clock)
  const warn = warnOnce()
  const countBurst = burstCounter(windowMs, clock)
  const inFlight = new Set<Promise<unknown>>()
  return async (thrown, isFatal) => {
    tryRead(() => {
      const extra = typeof context === 'function' ? tryRead(context) : context
      const report = toErrorReport(thrown, { ...runtimeContext(isFatal), ...extra })
      const suppressed = countBurst(report)
      if (suppressed === undefined) return
      const counted = { ...report, ...(suppressed > 0 && { held_back: suppressed }) }
      const sending = client.errors.report(counted, undefined, { deadlineMs: timeLimitMs }).safe()
      const done = sending
        .then(({ error }) => error && warn(error))
        .catch(() => undefined)
        .finally(() => inFlight.delete(done))
      inFlight.add(done)
    })
    // Earlier reports may still be in flight when the process is about to end.
    await Promise.all(inFlight)
  }
}

/** Prints why the first report failed, because no caller receives that error. */
function warnOnce(): (error: Error) => void {
  let hasWarned = false
  return ({ message }) => {
    // biome-ignore lint/suspicious/noConsole: nothing else tells that no error is reported
    if (!hasWarned) console.error(`captureErrors: ${message} Check webhookBaseUrl and secrets.errors of the client.`)
    hasWarned = true
  }
}

/** The URL of the page without its query and fragment, which may contain tokens. */
function runtimeContext(isFatal: boolean): ErrorContext {
  const url = tryRead(() => (isBrowser() ? location.origin + location.pathname : undefined))
  return {
    framework: url === undefined ? 'node' : 'browser',
    ...(url && { url }),
    ...(isFatal && { severity: 'critical' }),
  }
}

const maxRememberedErrors = 100

/**
 * Suppresses and counts repeated reports within the window. Returns how many were suppressed since the last
 * report of the same error, or undefined to suppress this one. It uses no timer, which would keep a process alive.
 */
function burstCounter(windowMs: number, clock: () => number): (report: ErrorReport) => number | undefined {
  const known = new Map<string, { readonly since: number; suppressed: number }>()
  return (report) => {
    const key = JSON.stringify([report.exception, report.message, report.file, report.line])
    const last = known.get(key)
    const now = clock()
    if (last !== undefined && now - last.since < windowMs) {
      last.suppressed += 1
      return undefined
    }
    known.delete(key)
    known.set(key, { since: now, suppressed: 0 })
    const [oldest] = known.keys()
    if (known.size > maxRememberedErrors && oldest !== undefined) known.delete(oldest)
    return last?.suppressed ?? 0
  }
}
