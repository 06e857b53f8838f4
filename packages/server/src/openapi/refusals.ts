import { ErrorBody, type RefusalStatus, type Route } from '@service/contract'
import type { RouteExample } from '@service/contract/examples'
import * as z from 'zod/mini'
import type { ZodOpenApiResponseObject } from 'zod-openapi'
import { examplesOf, type Values } from './example-values.ts'
import { answerHeaders } from './headers.ts'
import { requiredScope } from './security.ts'

/** A refusal that several routes share: what it means, and what is shown where the route has nothing particular. */
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
      ...said('scope-missing', `This token lacks the scope ${requiredScope(route)}.`),
      ...said('other-workspace', 'This token does not belong to this workspace.'),
    },
  }),
  404: () => ({ means: 'There is no such route or workspace.', shown: said('not-found', 'The route was not found.') }),
  409: () => ({ means: 'It conflicts with something that exists.', shown: {} }),
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
}

/** Where an inbound webhook refuses for another reason than the REST API. */
const inbound: typeof api = {
  ...api,
  401: () => ({
    means: 'The secret, signature or token is missing or wrong.',
    shown: said('wrong-secret', 'Invalid webhook secret.'),
  }),
  404: () => ({
    means: 'There is no such workspace, or this webhook is not configured in it.',
    shown: said('not-configured', 'The integration was not found.'),
  }),
}

/** One refusal of a route. Where the route has a body of its own for the status, that one or the common one may come. */
export function refusalOf(route: Route, status: RefusalStatus, { refusals }: RouteExample): ZodOpenApiResponseObject {
  const { means, shown } = (route.surface === 'api' ? api : inbound)[status](route)
  const own = route.refusalAnswers?.[status]
  return {
    description: means,
    headers: answerHeaders(
      ...(status === 429 ? ['X-RateLimit-Reset', 'Retry-After'] : []),
      // Only answers are stored under a key; a request that was refused may be sent again with it.
      ...(own === undefined ? [] : ['Idempotency-Replayed']),
    ),
    content: {
      'application/json': {
        schema: own === undefined ? ErrorBody : z.union([own, ErrorBody]),
        examples: examplesOf({ ...refusals[status], ...shown }),
      },
    },
  }
}
