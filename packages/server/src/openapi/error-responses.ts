import { ErrorBody, type ErrorStatus, type Route, type Surface } from '@service/contract'
import type { RouteDocs } from '@service/contract/route-docs'
import * as z from 'zod/mini'
import type { ZodOpenApiResponseObject } from 'zod-openapi'
import { unknownCodingMessage } from '../core/content-encoding.ts'
import { answerHeaders } from './parameters.ts'
import { toExamples, type Values } from './schemas.ts'

/** An error response shared by several routes: its description and its default examples. */
interface SharedErrorResponse {
  readonly description: string
  readonly examples: Values
}

const messageExample = (name: string, message: string): Values => ({ [name]: { message } })

const unknownCoding = messageExample('unknown-coding', unknownCodingMessage)

const api: Readonly<Record<ErrorStatus, (route: Route) => SharedErrorResponse>> = {
  401: () => ({
    description: 'The bearer token is missing or invalid.',
    examples: messageExample('unauthenticated', 'Unauthenticated.'),
  }),
  403: (route) => ({
    description: 'The token belongs to another workspace, or lacks the scope.',
    examples: {
      ...messageExample('scope-missing', `This token lacks the scope ${route.scope}.`),
      ...messageExample('other-workspace', 'This token does not belong to this workspace.'),
    },
  }),
  404: () => ({
    description: 'There is no such route or workspace.',
    examples: messageExample('not-found', 'The route was not found.'),
  }),
  409: () => ({ description: 'It conflicts with something that exists.', examples: {} }),
  412: () => ({
    description: 'The resource has changed since it was read: the `If-Match` of the request does not match.',
    examples: messageExample(
      'changed-meanwhile',
      'This has changed since it was read. Get it again and repeat the change.',
    ),
  }),
  413: () => ({
    description: 'The body is too large.',
    examples: messageExample('too-large', 'The request body must not be larger than 1048576 bytes.'),
  }),
  415: () => ({
    description: 'The body is not JSON, or its `Content-Encoding` is unknown.',
    examples: {
      ...messageExample('not-json', 'Send the request body as JSON with the header Content-Type: application/json.'),
      ...unknownCoding,
    },
  }),
  422: () => ({
    description: 'The body is not valid.',
    examples: {
      'malformed-json': {
        message: 'The request body must be valid JSON in UTF-8.',
        errors: { body: ['The request body must be valid JSON in UTF-8.'] },
      },
    },
  }),
  429: () => ({
    description: 'Too many requests in this window of 60 seconds.',
    examples: messageExample('exceeded', 'Too Many Attempts.'),
  }),
  500: () => ({ description: 'An unexpected server error.', examples: messageExample('server-error', 'Server Error') }),
  503: () => ({
    description: 'The platform cannot handle the request now. Retry after the number of seconds in Retry-After.',
    examples: messageExample('unavailable', 'The database does not answer. Repeat the request in a moment.'),
  }),
}

/** Error responses of inbound webhooks that differ from the REST API. */
const inbound: typeof api = {
  ...api,
  403: (route) =>
    route.challengeResponse === undefined
      ? api[403](route)
      : {
          description: 'The verify token of a challenge is wrong, or the request is not a challenge.',
          examples: messageExample('wrong-token', 'The verify token is wrong.'),
        },
  401: () => ({
    description: 'The secret, signature or token is missing or wrong.',
    examples: messageExample('wrong-secret', 'Invalid webhook secret.'),
  }),
  404: ({ method }) => ({
    description: 'There is no such workspace, or this webhook is not configured in it.',
    examples: {
      ...(method === 'GET' ? {} : messageExample('not-configured', 'The integration was not found.')),
      ...messageExample('no-workspace', 'The workspace 99 was not found.'),
    },
  }),
  415: () => ({ description: 'The `Content-Encoding` of the body is unknown.', examples: unknownCoding }),
}

const unknownParameterSentence = 'There is no field limits here; there is limit, before. Did you mean limit?'
const unknownParameter = {
  'unknown-parameter': { message: unknownParameterSentence, errors: { limits: [unknownParameterSentence] } },
}

/** Error responses of admin and the test controls that differ. */
const administration: typeof api = {
  ...api,
  401: () => ({
    description: 'The credential is missing or wrong.',
    examples: messageExample('unauthenticated', 'Unauthenticated.'),
  }),
  403: ({ role = 'admin' }) => ({
    description: 'The role of the caller does not allow it.',
    examples: messageExample('role-too-low', `This needs the role ${role}.`),
  }),
  404: () => ({
    description: 'There is no such route, workspace, or resource, or the caller is not in the workspace.',
    examples: messageExample('not-found', 'The route was not found.'),
  }),
  422: (route) => ({
    description: 'The input is not valid.',
    examples: {
      ...(route.body === undefined ? {} : api[422](route).examples),
      ...(route.query !== undefined && 'limit' in route.query.shape ? unknownParameter : {}),
    },
  }),
  429: () => ({
    description:
      'Ten sign-ins from this address or to this account have failed within a minute, or ten tokens from this address were unknown.',
    examples: messageExample('too-many-failures', 'Too Many Attempts.'),
  }),
}

const responsesBySurface: Readonly<Record<Surface, typeof api>> = {
  api,
  inbound,
  admin: administration,
  test: administration,
}

/** One error response of a route. If the route has a body for the status, either that or the common one may occur. */
export function errorResponse(route: Route, status: ErrorStatus, { errors = {} }: RouteDocs): ZodOpenApiResponseObject {
  const { description, examples } = responsesBySurface[route.surface][status](route)
  const own = route.responses[status]
  return {
    description,
    headers: answerHeaders(
      route,
      ...(status === 429 ? ['X-RateLimit-Reset', 'Retry-After'] : []),
      ...(status === 503 ? ['Retry-After'] : []),
      ...(status === 401 ? ['WWW-Authenticate'] : []),
    ),
    content: {
      'application/json': {
        schema: own === undefined ? ErrorBody : z.union([own, ErrorBody]),
        examples: toExamples({ ...errors[status], ...examples, ...errors[status] }),
      },
    },
  }
}
