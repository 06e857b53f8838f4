import { ErrorBody, type RefusalStatus, type Route, type Surface } from '@service/contract'
import type { RouteDocs } from '@service/contract/route-docs'
import * as z from 'zod/mini'
import type { ZodOpenApiResponseObject } from 'zod-openapi'
import { answerHeaders, takesIdempotencyKey } from './parameters.ts'
import { examplesOf, type Values } from './schemas.ts'

/** An error response shared by several routes: its description and its default examples. */
interface SharedRefusal {
  readonly means: string
  readonly shown: Values
}

const said = (name: string, message: string): Values => ({ [name]: { message } })

const api: Readonly<Record<RefusalStatus, (route: Route) => SharedRefusal>> = {
  401: () => ({ means: 'The bearer token is missing or invalid.', shown: said('unauthenticated', 'Unauthenticated.') }),
  403: (route) => ({
    means: 'The token belongs to another workspace, or lacks the scope.',
    shown: {
      ...said('scope-missing', `This token lacks the scope ${route.scope}.`),
      ...said('other-workspace', 'This token does not belong to this workspace.'),
    },
  }),
  404: () => ({ means: 'There is no such route or workspace.', shown: said('not-found', 'The route was not found.') }),
  409: () => ({ means: 'It conflicts with something that exists.', shown: {} }),
  412: () => ({
    means: 'The `If-Match` of the request does not fit: the resource has changed since it was read.',
    shown: said('changed-meanwhile', 'This has changed since it was read. Get it again and repeat the change.'),
  }),
  413: () => ({
    means: 'The body is too large.',
    shown: said('too-large', 'The request body must not be larger than 1048576 bytes.'),
  }),
  415: () => ({
    means: 'The body is not JSON.',
    shown: said('not-json', 'Send the request body as JSON with the header Content-Type: application/json.'),
  }),
  422: () => ({
    means: 'The body is not valid.',
    shown: {
      'malformed-json': {
        message: 'The request body must be valid JSON in UTF-8.',
        errors: { body: ['The request body must be valid JSON in UTF-8.'] },
      },
    },
  }),
  429: () => ({
    means: 'Too many requests in this window of 60 seconds.',
    shown: said('exceeded', 'Too Many Attempts.'),
  }),
  500: () => ({ means: "An unexpected fault on the server's side.", shown: said('server-error', 'Server Error') }),
  503: () => ({
    means: 'The platform cannot take the request right now. Repeat it after the seconds that Retry-After names.',
    shown: said('unavailable', 'The database does not answer. Repeat the request in a moment.'),
  }),
}

/** Error responses of inbound webhooks that differ from the REST API. */
const inbound: typeof api = {
  ...api,
  403: (route) =>
    route.challengeAnswer === undefined
      ? api[403](route)
      : {
          means: "The verify token of a platform's challenge is wrong, or the challenge is none.",
          shown: said('wrong-token', 'The verify token is wrong.'),
        },
  401: () => ({
    means: 'The secret, signature or token is missing or wrong.',
    shown: said('wrong-secret', 'Invalid webhook secret.'),
  }),
  404: () => ({
    means: 'There is no such workspace, or this webhook is not configured in it.',
    shown: said('not-configured', 'The integration was not found.'),
  }),
}

const unknownParameterSentence = 'There is no field limits here; there is limit, before. Did you mean limit?'
const unknownParameter = {
  'unknown-parameter': { message: unknownParameterSentence, errors: { limits: [unknownParameterSentence] } },
}

/** Error responses of admin and the test controls that differ. */
const administration: typeof api = {
  ...api,
  401: () => ({
    means: 'The credential is missing or wrong.',
    shown: said('unauthenticated', 'Unauthenticated.'),
  }),
  403: ({ role = 'admin' }) => ({
    means: 'The role of the caller does not allow it.',
    shown: said('role-too-low', `This needs the role ${role}.`),
  }),
  404: () => ({
    means: "There is no such route, workspace or thing, or the workspace is not the caller's.",
    shown: said('not-found', 'The route was not found.'),
  }),
  422: (route) => ({
    means: 'The input is not valid.',
    shown: {
      ...(route.body === undefined ? {} : api[422](route).shown),
      ...(route.query !== undefined && 'limit' in route.query.shape ? unknownParameter : {}),
    },
  }),
  429: () => ({
    means:
      'Ten sign-ins from this address or to this account have failed within a minute, or ten tokens from this address were unknown.',
    shown: said('too-many-failures', 'Too Many Attempts.'),
  }),
}

const refusalsBySurface: Readonly<Record<Surface, typeof api>> = {
  api,
  inbound,
  admin: administration,
  test: administration,
}

/** One error response of a route. If the route has a body for the status, either that or the common one may occur. */
export function refusalOf(route: Route, status: RefusalStatus, { refusals = {} }: RouteDocs): ZodOpenApiResponseObject {
  const { means, shown } = refusalsBySurface[route.surface][status](route)
  const own = route.answers[status]
  return {
    description: means,
    headers: answerHeaders(
      route,
      ...(status === 429 ? ['X-RateLimit-Reset', 'Retry-After'] : []),
      ...(status === 503 ? ['Retry-After'] : []),
      ...(status === 401 ? ['WWW-Authenticate'] : []),
      // Only successful responses are stored under a key. A request that failed may be sent again with it.
      ...(own === undefined || !takesIdempotencyKey(route) ? [] : ['Idempotency-Replayed']),
    ),
    content: {
      'application/json': {
        schema: own === undefined ? ErrorBody : z.union([own, ErrorBody]),
        examples: examplesOf({ ...refusals[status], ...shown }),
      },
    },
  }
}
