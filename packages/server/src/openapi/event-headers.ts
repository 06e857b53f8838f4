import { signatureHeader } from '@service/contract'
import type { ZodOpenApiParameterObject } from 'zod-openapi'

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

export const eventParameterRefs = Object.keys(headers).map((name) => ({ $ref: `#/components/parameters/${name}` }))
