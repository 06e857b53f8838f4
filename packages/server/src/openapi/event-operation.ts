import { type EventName, eventHeader, eventSchemas, events } from '@service/contract'
import { eventExamples } from '@service/contract/docs'
import type { ZodOpenApiOperationObject, ZodOpenApiPathItemObject } from 'zod-openapi'
import { eventAnswers } from './event-answers.ts'
import { eventParameterRefs } from './event-headers.ts'

/** What a subscriber's URL gets for one event. */
export function toWebhook(event: EventName): ZodOpenApiPathItemObject {
  return { post: toOperation(event) }
}

function toOperation(event: EventName): ZodOpenApiOperationObject {
  return {
    operationId: `events.${event}`,
    tags: ['Outbound events'],
    summary: event,
    description: `Sent when ${events[event]}. It may arrive more than once, and after later events.`,
    // Nothing that a caller of the platform would send: the signature is for the receiver to check.
    security: [],
    parameters: [
      {
        name: eventHeader,
        in: 'header',
        required: true,
        description: 'The name of the event. It is not signed: go by `event` in the body.',
        schema: { type: 'string', const: event },
        example: event,
      },
      ...eventParameterRefs,
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
    responses: eventAnswers,
  }
}
