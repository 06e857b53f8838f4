import type { RawBody } from './options.ts'
import { createReceiver, type HandlerOptions, handlerTypes } from './receiver.ts'
import type { ResponseDeadline } from './respond-within.ts'
import { textToBytes } from './runtime.ts'

export type { EventHandlers, HandlerOptions } from './receiver.ts'

/** The event properties that the handler uses, of API Gateway (REST and HTTP), function URLs, and load balancers. */
export interface LambdaEvent {
  readonly httpMethod?: string | undefined
  /** With `http.method` in events of HTTP APIs and function URLs. */
  readonly requestContext?: unknown
  readonly headers?: Readonly<Record<string, string | undefined>> | null | undefined
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[] | undefined>> | null | undefined
  readonly body?: string | null | undefined
  readonly isBase64Encoded?: boolean | undefined
}

export interface LambdaResult {
  statusCode: number
  headers?: Record<string, string>
  /** Instead of `headers`, for a load balancer with multi-value headers, which ignores the others. */
  multiValueHeaders?: Record<string, string[]>
  body: string
}

/**
 * Creates a handler for AWS Lambda. The runtime logs errors that your functions throw and responds with 5xx. It stops after
 * the response, so `respondWithin` is not available: put slow work into a queue.
 *
 * @example
 * export const handler = createWebhookHandler({ secret, on })
 */
export function createWebhookHandler<Event extends LambdaEvent>(
  options: Omit<HandlerOptions<Event>, keyof ResponseDeadline<Event>>,
): (event: Event, context?: unknown) => Promise<LambdaResult> {
  const receive = createReceiver(options, types)
  return async (event) => {
    const { status, headers, body } = await receive(
      {
        method: event.httpMethod ?? methodOf(event.requestContext),
        headers: event.headers ?? event.multiValueHeaders ?? {},
        read: () => bodyOf(event),
      },
      event,
    )
    const result = { statusCode: status, body }
    if (event.headers || !event.multiValueHeaders) return { ...result, headers }
    const lists = Object.entries(headers).map(([name, value]) => [name, [value]])
    return { ...result, multiValueHeaders: Object.fromEntries(lists) }
  }
}

/** Without the options of `ResponseDeadline`, which callers without types may pass. */
const { respondWithin, onError, waitUntil, ...types } = handlerTypes

const methodOf = (context: unknown) => (context as { http?: { method?: string } } | undefined)?.http?.method

/**
 * A gateway encodes the body in base64 if it treats it as binary. Decoding yields bytes, so no charset applies. Middleware
 * may have parsed the body, which verification refuses.
 */
const bodyOf = ({ body, isBase64Encoded }: LambdaEvent): RawBody =>
  typeof (body ?? '') === 'string' ? textToBytes(body ?? '', isBase64Encoded ? 'base64' : undefined) : (body as never)
