import { createReceiver, type HandlerOptions } from './receiver.ts'

export type { EventHandlers, HandlerOptions } from './receiver.ts'

/** What is needed of the events of API Gateway (REST and HTTP), function URLs and load balancers. */
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
 * A handler for AWS Lambda. Errors of your functions fly to the runtime, which logs them and answers 5xx.
 *
 * @example
 * export const handler = createWebhookHandler({ secret, on })
 */
export function createWebhookHandler<Event extends LambdaEvent>(
  options: HandlerOptions<Event>,
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

/** A gateway sends base64 when it takes the body for binary; what comes out are bytes, and not text in some charset. */
const bodyOf = ({ body, isBase64Encoded }: LambdaEvent) =>
  isBase64Encoded ? Uint8Array.from(atob(body ?? ''), (character) => character.charCodeAt(0)) : (body ?? '')
