import type { EventName, EventOf, WebhookEvent } from './event.ts'
import { findHeader } from './header.ts'
import type { Checks, HeaderSource, RawBody, Secrets } from './options.ts'
import { isEventName } from './parse.ts'
import type { BodyLimits } from './read-body.ts'
import { requireSecrets } from './secrets.ts'
import { requireTolerance } from './tolerance.ts'
import { verify } from './verify.ts'
import { refuse, WebhookVerificationError } from './webhook-error.ts'

/** What to do with each event. Events without an entry are verified, answered with success and forgotten. */
export type EventHandlers<Context> = {
  readonly [Name in EventName]?: (event: EventOf<Name>, context: Context) => unknown
} & {
  /** For events that this version does not know. */
  readonly unknown?: (event: EventOf<'unknown'>, context: Context) => unknown
}

/** Runs something once per event; `dedupe` makes one. */
export type Once = (event: WebhookEvent, run: () => unknown) => Promise<'handled' | 'duplicate' | 'busy'>

/** The options of every handler. `Context` is what the framework hands over for a request. */
export interface HandlerOptions<Context> extends Checks, BodyLimits {
  /** The secrets, or a function that finds them, for example by the path of the request. */
  readonly secret: Secrets | ((context: Context) => Secrets | Promise<Secrets>)
  readonly on: EventHandlers<Context>
  /** Handle each event once, however often it arrives: pass what `dedupe` returns. */
  readonly once?: Once | undefined
  /** Hears of each delivery that is refused, for your log. */
  readonly onRefused?: ((error: WebhookVerificationError, context: Context) => void) | undefined
}

/** A request, whatever framework it came through. */
export interface Incoming {
  readonly method: string | undefined
  readonly headers: HeaderSource
  readonly read: (limits: BodyLimits) => RawBody | Promise<RawBody>
}

/** An answer, whatever framework it goes through. */
export interface Reply {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string
}

export type Receive<Context> = (incoming: Incoming, context: Context) => Promise<Reply>

/**
 * What all handlers share: check the options once, then verify, run and answer each delivery. Refusals become answers;
 * errors of the caller's own functions fly on to the framework, which knows how to report them.
 */
export function createReceiver<Context>(options: HandlerOptions<Context>): Receive<Context> {
  requireOptions(options)
  return async (incoming, context) => {
    let event: WebhookEvent
    try {
      event = await open(options, incoming, context)
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error
      options.onRefused?.(error, context)
      return refusal(error)
    }
    // Outside the `try`: a handler may verify something of its own, and its failure is not a refusal of this delivery.
    const isBusy = (await run(options, event, context).catch(requireError)) === 'busy'
    // Busy is no success: should the first copy fail, this one has to come again.
    return { status: isBusy ? 409 : 204, headers: isBusy ? { 'retry-after': '5' } : {}, body: '' }
  }
}

/** A rejection with nothing is no error to frameworks: Express asks the next handler, and Koa never answers. */
function requireError(error: unknown): never {
  throw error || new Error('The function rejected with nothing')
}

function requireOptions<Context>({ secret, on, toleranceSeconds }: HandlerOptions<Context>): void {
  if (typeof secret !== 'function') requireSecrets(secret)
  requireTolerance(toleranceSeconds)
  for (const name in on) {
    if (name !== 'unknown' && !isEventName(name)) throw new TypeError(`on: there is no event ${name}`)
  }
}

async function open<Context>(options: HandlerOptions<Context>, incoming: Incoming, context: Context) {
  const { method, headers, read } = incoming
  if (method !== 'POST') refuse('wrong_method', { hint: 'not POST', status: 405 })
  if (!/^application\/json *(?:;|$)/i.test(findHeader(headers, 'content-type') ?? '')) {
    refuse('wrong_content_type', { hint: 'not application/json', status: 415 })
  }
  const body = await read(options)
  const { secret } = options
  return verify({ ...options, body, headers, secret: typeof secret === 'function' ? () => secret(context) : secret })
}

async function run<Context>({ on, once }: HandlerOptions<Context>, event: WebhookEvent, context: Context) {
  // The entry under an event's type takes that event; the compiler cannot follow the two through the lookup.
  const handler = on[event.type] as ((event: WebhookEvent, context: Context) => unknown) | undefined
  const handle = () => handler?.(event, context)
  if (once && handler) return once(event, handle)
  await handle()
  return 'handled'
}

const refusal = ({ code, status, hint }: WebhookVerificationError): Reply => ({
  status,
  headers: { 'content-type': 'application/json', ...(status === 405 && { allow: 'POST' }) },
  body: JSON.stringify({ code, hint }),
})
