import { gitEventHeaders, gitProviders, type Route } from '@service/contract'
import { type PathParamName, paramNamesIn, pathParams } from '@service/contract/path-params'
import { createSchema, type oas31, type ZodOpenApiParameterObject } from 'zod-openapi'
import { isCounted } from './headers.ts'
import { toPlainSchema } from './plain-schema.ts'

const idempotencyKey: ZodOpenApiParameterObject = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  // No example: an interactive reference would fill it in, and the second try would be refused.
  description:
    'A text of your choice, such as a UUID, that makes repeating the request safe. For 24 hours the same key with the same body gets the stored answer; with another body it gets 422.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
}

const ifMatch: ZodOpenApiParameterObject = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description: 'The `ETag` of what was read: the change is refused with 412 when somebody has changed it meanwhile.',
  schema: { type: 'string' },
}

/** Whether a change may be made to depend on what was read. */
const takesIfMatch = ({ surface, method }: Route): boolean => surface === 'admin' && method === 'PATCH'

/** The parameters that operations of these routes refer to: one for each name in braces, and `Idempotency-Key`. */
export function parametersIn(routes: readonly Route[]): Record<string, ZodOpenApiParameterObject> {
  const names = new Set(routes.flatMap(({ path }) => paramNamesIn(path)))
  return {
    ...Object.fromEntries([...names].map((name) => [name, pathParameter(name)])),
    ...(routes.some(takesIdempotencyKey) ? { 'Idempotency-Key': idempotencyKey } : {}),
    ...(routes.some(takesIfMatch) ? { 'If-Match': ifMatch } : {}),
  }
}

function pathParameter(name: PathParamName): ZodOpenApiParameterObject {
  const { description, example } = pathParams[name]
  const { schema } = createSchema(pathParams[name].schema, { opts: { override: toPlainSchema } })
  return { name, in: 'path', required: true, description, schema, example }
}

const inQuery = (name: string, description: string): ZodOpenApiParameterObject => ({
  name,
  in: 'query',
  required: false,
  description,
  schema: { type: 'string' },
})

/** How a platform asks whether the address is that of somebody who knows the secret. */
const challengeParameters = [
  inQuery('hub.mode', 'Meta, WhatsApp: `subscribe`.'),
  inQuery('hub.verify_token', 'Meta, WhatsApp: the secret of the lead source.'),
  inQuery('hub.challenge', 'Meta, WhatsApp: a text that is echoed as plain text when the verify token is right.'),
  inQuery('challengeCode', 'LinkedIn: a UUID that is answered with its signature, the HMAC-SHA256 with the secret.'),
]

/** Whether repeating a request of this route is made safe by a key of the caller's. */
export const takesIdempotencyKey = (route: Route): boolean =>
  route.method === 'POST' &&
  route.idempotencyKey !== false &&
  (isCounted(route) || (route.surface === 'admin' && route.role !== 'public'))

type Parameter = ZodOpenApiParameterObject | oas31.ReferenceObject

const refer = (name: string): Parameter => ({ $ref: `#/components/parameters/${name}` })

/** What a request of this route carries besides its body. */
export function parametersOf(route: Route): Parameter[] {
  return [
    ...paramNamesIn(route.path).map(refer),
    ...(route.operation === 'git.send' ? gitHeaders() : []),
    ...(route.challengeAnswer === undefined ? [] : challengeParameters),
    ...(takesIdempotencyKey(route) ? [refer('Idempotency-Key')] : []),
    ...(takesIfMatch(route) ? [refer('If-Match')] : []),
  ]
}

const gitEvents = { github: 'issues', gitlab: 'Issue Hook', bitbucket: 'issue:created' }

function gitHeaders(): Parameter[] {
  return gitProviders.map((provider) => ({
    name: gitEventHeaders[provider],
    in: 'header',
    required: false,
    description: `Names the event when \`provider\` is \`${provider}\`.`,
    schema: { type: 'string' },
    example: gitEvents[provider],
  }))
}
