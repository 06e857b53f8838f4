import { type EventName, eventHeader, eventSchemas, events, signatureHeader } from '@service/contract'
import { eventExamples } from '@service/contract/docs'
import type {
  ZodOpenApiHeadersObject,
  ZodOpenApiOperationObject,
  ZodOpenApiParameterObject,
  ZodOpenApiPathItemObject,
  ZodOpenApiResponsesObject,
} from 'zod-openapi'

/** The request that a subscriber's URL receives for an event. */
export function toWebhook(event: EventName): ZodOpenApiPathItemObject {
  return { post: toOperation(event) }
}

function toOperation(event: EventName): ZodOpenApiOperationObject {
  return {
    operationId: `events.${event}`,
    tags: ['Outbound events'],
    summary: event,
    description: `Sent when ${events[event]}. It may arrive more than once, and after later events.`,
    // Callers of the platform do not send the signature; the receiver verifies it.
    security: [],
    parameters: [
      {
        name: eventHeader,
        in: 'header',
        required: true,
        description: 'The name of the event. It is not signed, so use `event` in the body.',
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
const onlyStandard = 'Only if Standard Webhooks headers are enabled for the subscription.'

/** The headers of every event except its name. */
const headers: Readonly<Record<string, Omit<ZodOpenApiParameterObject, 'name' | 'in'>>> = {
  [signatureHeader]: {
    required: true,
    description:
      'HMAC-SHA256 of the raw request body, keyed with the text of the subscription secret, in lower-case hex. A subscription can be configured to add the prefix `sha256=`, or to use base64. During a secret rotation, this is the signature with the new secret.',
    schema: { type: 'string', pattern: '^(?:(?:sha256=)?[0-9a-f]{64}|[A-Za-z0-9+/]{43}=)$' },
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  },
  'X-Service-Delivery': {
    required: true,
    description:
      'The id of the delivery. It is the same on every attempt, so receivers can use it to detect duplicates.',
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
      'Increases with every event, with gaps. Deliveries may arrive out of order. A receiver that keeps the highest number per resource can detect late ones.',
    schema: { type: 'integer', minimum: 1 },
    example: 4711,
  },
  traceparent: {
    required: false,
    description:
      'The [W3C trace context](https://www.w3.org/TR/trace-context/) of the request that caused the event, if it had one.',
    schema: { type: 'string' },
    example: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  },
  'X-Service-Test': {
    required: false,
    description: '`true` for a test event. Its body has `"test": true`.',
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
    description: `When this attempt was signed, in seconds since 1970-01-01T00:00:00Z. Reject requests that are more than five minutes off. ${onlyStandard}`,
    schema: { type: 'integer' },
    example: 1_795_200_713,
  },
  'webhook-signature': {
    required: false,
    description: `\`v1,\` and the base64 of HMAC-SHA256 over \`{webhook-id}.{webhook-timestamp}.{body}\`, keyed with the decoded bytes after \`whsec_\`. During a secret rotation there is one signature per secret, separated by spaces. ${onlyStandard}`,
    schema: { type: 'string', pattern: '^v1,[A-Za-z0-9+/]{43}=(?: v1,[A-Za-z0-9+/]{43}=)*$' },
    example: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
}

/** Operations refer to these parameters, so each appears in the document once. */
export const eventParameters = Object.fromEntries(
  Object.entries(headers).map(([name, header]) => [name, { name, in: 'header', ...header } as const]),
)

const eventParameterRefs = Object.keys(headers).map((name) => ({ $ref: `#/components/parameters/${name}` }))

/** Response headers by which a failing receiver controls retries. */
const retryHeaders: ZodOpenApiHeadersObject = {
  'Retry-After': {
    description: 'Seconds to wait, or an HTTP date. The next attempt is not made earlier. Limited to one day.',
    schema: { type: 'string' },
    example: '120',
  },
  'webhook-delivery': {
    description:
      '`abort-message`: do not send this event again. `disable`: do not send any more events, like status 410.',
    schema: { type: 'string', enum: ['abort-message', 'disable'] },
  },
}

/** Responses of a subscriber and their effects. The platform reads the first 16 KiB for the attempt log. */
const eventAnswers: ZodOpenApiResponsesObject = {
  '2XX': { description: 'The event was accepted and is not sent again. Respond within 15 seconds.' },
  '3XX': { description: 'A failure, because redirects are never followed.' },
  '410': {
    description: 'The receiver is permanently gone. The subscription is disabled at once, and its events are held.',
  },
  '429': { description: 'The receiver is overloaded. The event is sent again later.', headers: retryHeaders },
  '503': { description: 'The receiver is unavailable. The event is sent again later.', headers: retryHeaders },
  default: {
    description:
      'Any other response, or none within 15 seconds, is a failure. By default there are ten attempts: at once, then after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, and 24 h, each varied by up to 20 %. After five days without a success the subscription is disabled; its events are held and can be sent later.',
    headers: retryHeaders,
  },
}
