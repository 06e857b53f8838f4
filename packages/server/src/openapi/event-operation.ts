import { type EventName, eventHeader, eventSchemas, events, signatureHeader } from '@service/contract'
import { eventExamples } from '@service/contract/examples'
import type { ZodOpenApiOperationObject, ZodOpenApiPathItemObject } from 'zod-openapi'

const signature = 'HMAC-SHA256 of the raw request body, keyed with the secret of the subscription, in lower-case hex.'

/** What a subscriber's URL gets for one event. */
export function toWebhook(event: EventName): ZodOpenApiPathItemObject {
  return { post: toOperation(event) }
}

function toOperation(event: EventName): ZodOpenApiOperationObject {
  return {
    operationId: `events.${event}`,
    tags: ['Outbound events'],
    summary: event,
    description: `Sent when ${events[event]}. It may arrive more than once.`,
    // Nothing that a caller of the platform would send: the signature is for the receiver to check.
    security: [],
    parameters: [
      {
        name: eventHeader,
        in: 'header',
        required: true,
        description: 'The name of the event.',
        schema: { type: 'string', const: event },
        example: event,
      },
      {
        name: signatureHeader,
        in: 'header',
        required: true,
        description: signature,
        schema: { type: 'string', pattern: '^[0-9a-f]{64}$' },
        example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      },
    ],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: eventSchemas[event],
          examples: { [event.replace('.', '-')]: { summary: event, value: eventExamples[event] } },
        },
      },
    },
    responses: {
      '2XX': {
        description:
          'Any 2xx says that the event was taken. Anything else is a failure, and the event is sent again later.',
      },
    },
  }
}
