import type { EventName, EventOf, WebhookEvent } from './event.ts'
import { findHeader } from './header.ts'
import { requireSize } from './limits.ts'
import type { Checks, HeaderSource, RawBody, Secrets } from './options.ts'
import { eventNames } from './parse.ts'
import { propagate } from './propagate.ts'
import type { BodyLimits } from './read-body.ts'
import { checkTypes, requireCheckOptions, requireTypes, type Types } from './require-options.ts'
import { type ResponseDeadline, requireDeadline, waitWithin } from './respond-within.ts'
import { runCallback } from './run-callback.ts'
import { verify } from './verify.ts'
import { refuse, WebhookVerificationError } from './webhook-error.ts'
import { requireAnswer } from './within.ts'

/** A function for each event. Events without one are verified and answered with success. */
export type EventHandlers<Context> = {
  readonly [Name in EventName]?: ((event: EventOf<Name>, context: Context) => unknown) | undefined
} & {
  /** For events that this version does not know. */
  readonly unknown?: ((event: EventOf<'unknown'>, context: Context) => unknown) | undefined
  /** For every event, after the function for that event. */
  readonly '*'?: ((event: WebhookEvent, context: Context) => unknown) | undefined
}

/** Runs a function once per event. Create one with `dedupe`. */
export type Dedupe = (event: WebhookEvent, run: () => unknown) => Promise<'handled' | 'duplicate' | 'busy'>

/** The options of every handler. `Context` is what the framework passes for a request. */
export interface HandlerOptions<Context> extends Checks, BodyLimits, ResponseDeadline<Context> {
  /** The secrets, or a function that looks them up within 10 seconds, for example by the path of the request. */
  readonly secret: Secrets | ((context: Context) => Secrets | Promise<Secrets>)
  readonly on: EventHandlers<Context>
  /** Handles each event once, even if it arrives several times. Pass the result of `dedupe`. */
  readonly dedupe?: Dedupe | undefined
  /** Called for each refused delivery, for logging. */
  readonly onRefused?: ((error: WebhookVerificationError, context: Context) => void) | undefined
}

/** A request from any framework. */
export interface Incoming {
  readonly method: string | undefined
  readonly headers: HeaderSource
  readonly read: (limits: BodyLimits) => RawBody | Promise<RawBody>
}

/** A response for any framework. */
export interface Reply {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string
}

export type Receive<Context> = (incoming: Incoming, context: Context) => Promise<Reply>

/**
 * The core of all handlers: checks the options once, then verifies, runs, and answers each delivery. Refusals become
 * responses; errors that the caller's functions throw propagate to the framework, which responds with 500.
 */
export function createReceiver<Context>(
  options: HandlerOptions<Context>,
  types: Types = handlerTypes,
): Receive<Context> {
  requireHandlerOptions(options, types)
  return async (incoming, context) => {
    let event: WebhookEvent
    try {
      event = await open(options, incoming, context)
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) return propagate(error)
      void runCallback(() => options.onRefused?.(error, context), error)
      return refusal(error)
    }
    // Outside the `try`, because a handler may call `verify` itself, and that failure does not refuse this delivery.
    const result = await waitWithin(options, context, (onStart) =>
      run(options, event, { context, onStart }).catch(propagate),
    )
    // Busy is not a success: if the first copy fails, the sender must retry this one.
    if (result === 'busy') return { status: 409, headers: { 'retry-after': '5' }, body: '' }
    return { status: 204, headers: {}, body: '' }
  }
}

/** The type of each option of a handler. */
export const handlerTypes = {
  ...checkTypes,
  on: 'an object',
  dedupe: 'a function, such as dedupe({ store })',
  bodyTimeoutMs: 'a number',
  respondWithin: 'a string',
  onRefused: 'a function',
  onError: 'a function',
  waitUntil: 'a function',
} satisfies Record<keyof HandlerOptions<never>, string>

function requireHandlerOptions<Context>(options: HandlerOptions<Context>, types: Types): void {
  // Callers without types forget the options. `requireTypes` accepts undefined, but not null.
  requireCheckOptions({ ...options, on: options?.on ?? null }, types)
  requireDeadline(options)
  const events = [...eventNames, 'unknown', '*'].map((name) => [name, 'a function'])
  requireTypes(options.on, Object.fromEntries(events), 'event')
}

async function open<Context>(options: HandlerOptions<Context>, incoming: Incoming, context: Context) {
  const { method, headers, read } = incoming
  if (method !== 'POST') refuse('wrong_method', { hint: 'not POST', status: 405 })
  if (!/^application\/json *(?:;|$)/i.test(findHeader(headers, 'content-type') ?? '')) {
    refuse('wrong_content_type', { hint: 'not application/json', status: 415 })
  }
  // Without waiting for the body. `NaN` is not above any limit.
  requireSize(Number(findHeader(headers, 'content-length')), options.maxBodyBytes)
  const body = await read(options)
  const { secret: given } = options
  const secret = typeof given === 'function' ? await requireAnswer('secret', given(context)) : given
  return verify({ ...options, body, headers, secret })
}

async function run<Context>(
  { on, dedupe }: HandlerOptions<Context>,
  event: WebhookEvent,
  { context, onStart }: { context: Context; onStart: () => void },
) {
  // The entry for a type takes that type of event, which the compiler cannot infer.
  const handler = on[event.type] as ((event: WebhookEvent, context: Context) => unknown) | undefined
  const handle = async () => {
    onStart()
    await handler?.(event, context)
    await on['*']?.(event, context)
  }
  return dedupe && (handler || on['*']) ? dedupe(event, handle) : handle()
}

const refusal = ({ code, status, hint }: WebhookVerificationError): Reply => ({
  status,
  headers: {
    'content-type': 'application/json',
    ...(status === 405 && { allow: 'POST' }),
    // The body may not have ended. Closing stops the sender.
    ...(status > 404 && { connection: 'close' }),
  },
  body: JSON.stringify({ code, hint }),
})
