import { type EventName, eventHeader, eventSchemas, events, signatureHeader } from '@service/contract'
import { eventExamples } from '@service/contract/docs'
import type {
  ZodOpenApiHeadersObject,
  ZodOpenApiOperationObject,
  ZodOpenApiParameterObject,
  ZodOpenApiPathItemObject,
  ZodOpenApiResponsesObject,
} from 'zod-openapi'

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

const delivery = '7f0d3c1e-6a52-8b41-9c38-1f4f4c1f9b02'
const onlyStandard = 'Only when Standard Webhooks headers are switched on for the subscription.'

/** What every event carries beside its name. */
const headers: Readonly<Record<string, Omit<ZodOpenApiParameterObject, 'name' | 'in'>>> = {
  [signatureHeader]: {
    required: true,
    description:
      'HMAC-SHA256 of the raw request body, keyed with the text of the secret of the subscription, in lower-case hex. A subscription may ask for `sha256=` before the hex digits, or for base64. While a secret is replaced, this is the signature with the new one.',
    schema: { type: 'string', pattern: '^(?:(?:sha256=)?[0-9a-f]{64}|[A-Za-z0-9+/]{43}=)$' },
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  },
  'X-Service-Delivery': {
    required: true,
    description: 'Names the delivery. It is the same on every attempt: whoever has seen it has the event already.',
    schema: { type: 'string', format: 'uuid' },
    example: delivery,
  },
  'X-Service-Attempt': {
    required: true,
    description: '1 on the first attempt, then 2, 3 …',
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
  'X-Service-Sequence': {
    required: true,
    description:
      'Grows with every event, with gaps. Deliveries may overtake each other; a receiver that keeps the highest number it has seen of a resource can tell what came late.',
    schema: { type: 'integer', minimum: 1 },
    example: 4711,
  },
  'X-Service-Test': {
    required: false,
    description: '`true` on an example that was sent to try the subscription out. Its body has `"test": true`.',
    schema: { type: 'string', enum: ['true'] },
  },
  'webhook-id': {
    required: false,
    description: `The same as \`X-Service-Delivery\`. ${onlyStandard}`,
    schema: { type: 'string', format: 'uuid' },
    example: delivery,
  },
  'webhook-timestamp': {
    required: false,
    description: `When this attempt was signed, in seconds since 1970-01-01T00:00:00Z. Refuse what is more than five minutes off. ${onlyStandard}`,
    schema: { type: 'integer' },
    example: 1_795_200_713,
  },
  'webhook-signature': {
    required: false,
    description: `\`v1,\` and the base64 of HMAC-SHA256 over \`{webhook-id}.{webhook-timestamp}.{body}\`, keyed with the bytes behind \`whsec_\`. While a secret is replaced there is one for each, with a space between. ${onlyStandard}`,
    schema: { type: 'string', pattern: '^v1,[A-Za-z0-9+/]{43}=(?: v1,[A-Za-z0-9+/]{43}=)*$' },
    example: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
}

/** Operations refer to them, so each stands in the document once. */
export const eventParameters = Object.fromEntries(
  Object.entries(headers).map(([name, header]) => [name, { name, in: 'header', ...header } as const]),
)

const eventParameterRefs = Object.keys(headers).map((name) => ({ $ref: `#/components/parameters/${name}` }))

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
const eventAnswers: ZodOpenApiResponsesObject = {
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
