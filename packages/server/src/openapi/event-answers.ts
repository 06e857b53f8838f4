import type { ZodOpenApiHeadersObject, ZodOpenApiResponsesObject } from 'zod-openapi'

/** What a receiver that fails may ask for. */
const wishes: ZodOpenApiHeadersObject = {
  'Retry-After': {
    description: 'Seconds to wait, or an HTTP date. The next attempt is not made before it; a day at most counts.',
    schema: { type: 'string' },
    example: '120',
  },
  'webhook-delivery': {
    description: '`abort-message`: do not send this event again. `disable`: do not send any; as 410.',
    schema: { type: 'string', enum: ['abort-message', 'disable'] },
  },
}

/** What a subscriber may answer, and what the platform makes of it. It reads the first 16 KiB, for the attempt log. */
export const eventAnswers: ZodOpenApiResponsesObject = {
  '2XX': { description: 'The event was taken, and is not sent again. Answer within 15 seconds.' },
  '3XX': { description: 'A failure like any other: redirects are never followed.' },
  '410': {
    description: 'The receiver is gone for good: the subscription is disabled at once, and its events are held.',
  },
  '429': { description: 'Too much for now: the event is sent again later.', headers: wishes },
  '503': { description: 'Out of service for now: the event is sent again later.', headers: wishes },
  default: {
    description:
      'Anything else, or no answer within 15 seconds, is a failure. Unless the subscription has a schedule of its own there are ten attempts: at once, then after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, each 20 % more or less. After five days without a success the subscription is disabled; its events are held and can be sent later.',
    headers: wishes,
  },
}
