import type { Call } from '../call.ts'
import type { CallOptions, CreateOptions } from '../call-options.ts'
import { callerStack } from '../caller-stack.ts'
import { tryRead } from '../capture/plain-data.ts'
import { type ErrorContext, type ErrorReport, toErrorReport } from '../capture/to-error-report.ts'
import type { CheckedSecrets } from './inbound-options.ts'
import { type Ping, pingRoute } from './ping.ts'
import { type InboundRoute, type SendInbound, secretHeader } from './send-inbound.ts'

/** The new ticket, or the one that counts the error. */
export interface ErrorReceipt {
  received: boolean
  ticket_created: boolean
  /** Null, like the id, if the report contained no error. */
  ticket_number: string | null
  ticket_id: number | null
}

/** Reports of errors, which open tickets. */
export interface InboundErrors {
  ping(options?: CallOptions): Call<Ping>
  /**
   * Reports any thrown value, or your own report: a plain object with at least one of
   * the documented fields. The context overrides fields of an error, and a report overrides the context.
   *
   * @example
   * await inbound.errors.report(error, { app_name: 'shop', environment: 'production' })
   * await inbound.errors.report({ message: 'Queue is full', severity: 'warning' })
   */
  report(error: unknown, context?: ErrorContext, options?: CreateOptions): Call<ErrorReceipt>
}

const path = '/webhooks/{workspace}/errors'

const pingErrors = pingRoute('errors.ping', path)

const reportError: InboundRoute = {
  operation: 'errors.report',
  method: 'POST',
  path,
  body: {},
  isLenient: true,
  responses: {
    200: {
      received: 'boolean',
      ticket_created: 'boolean',
      ticket_number: 'string|null',
      ticket_id: 'integer|null',
    },
  },
}

export function errors(send: SendInbound, { errors: secret }: CheckedSecrets): InboundErrors {
  const credentials = secretHeader(secret)
  const methods: InboundErrors = {
    ping: (options) => send({ route: pingErrors, options, callerStack: callerStack(methods.ping) }),
    report(error, context, options) {
      const report = tryRead(() => isReport(error) && { ...context, ...error })
      const body = report || toErrorReport(error, context)
      const withToken = secret === undefined
      return send({
        route: reportError,
        body,
        credentials,
        options,
        withToken,
        callerStack: callerStack(methods.report),
      })
    },
  }
  return methods
}

const documented: readonly string[] = [
  'message',
  'status_code',
  'exception',
  'file',
  'line',
  'url',
  'method',
  'framework',
  'environment',
  'app_name',
  'severity',
]

// Plain objects may be thrown too. One without any field of a report was thrown, but `{}` is a valid report.
function isReport(value: unknown): value is ErrorReport {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  const keys = Object.keys(value)
  const isPlain = prototype === Object.prototype || prototype === null
  return isPlain && (keys.length === 0 || keys.some((key) => documented.includes(key)))
}
