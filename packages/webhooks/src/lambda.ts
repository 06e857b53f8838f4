import { createReceiver, type HandlerOptions } from './receiver.ts'
import type { ResponseDeadline } from './respond-within.ts'

export type { EventHandlers, HandlerOptions } from './receiver.ts'

/** The event properties that the handler uses, of API Gateway (REST and HTTP), function URLs, and load balancers. */
export interface LambdaEvent {
  readonly httpMethod?: string
  readonly requestContext?: { readonly http?: { readonly method?: string } }
  readonly headers?: Readonly<Record<string, string | undefined>> | null
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[] | undefined>> | null
  readonly body?: string | null
  readonly isBase64Encoded?: boolean
}

export interface LambdaResult {
  statusCode: number
  headers: Record<string, string>
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
): (event: Event) => Promise<LambdaResult> {
  const receive = createReceiver(options)
  return async (event) => {
    const { status, headers, body } = await receive(
      {
        method: event.httpMethod ?? event.requestContext?.http?.method,
        headers: event.headers ?? event.multiValueHeaders ?? {},
        read: () => bodyOf(event),
      },
      event,
    )
    return { statusCode: status, headers, body }
  }
}

/** A gateway encodes the body in base64 if it treats it as binary. Decoding yields bytes, so no charset applies. */
const bodyOf = ({ body, isBase64Encoded }: LambdaEvent) =>
  isBase64Encoded ? Uint8Array.from(atob(body ?? ''), (character) => character.charCodeAt(0)) : (body ?? '')
