import { apiRoutes, fullPath, gitProviders, inboundRoutes, leadSources, type Route } from '@service/contract'
import { didYouMean } from '@service/contract/nearest'
import * as z from 'zod/mini'
import type { Operation } from '../observed-request.ts'
import { parse } from './check-answer.ts'
import { findProblems, type SchemaProblem } from './violation.ts'

/** The parts of a request that the contract defines. */
export interface RequestParts {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly operation: Operation | undefined
  readonly contentType: string | null
  /** Undefined if it was not read, for example because the request was rejected earlier. */
  readonly body?: Uint8Array | undefined
  readonly status?: number | undefined
}

/** Violations in a request: its route, parameters, content type, and body fields. */
export function requestProblems(request: RequestParts): SchemaProblem[] {
  if (request.operation === undefined) return isUnknownRoute(request) ? [unknownRoute(request)] : []
  const { route } = request.operation
  return [
    ...parameterProblems(route, request.path),
    ...queryProblems(route, request.query),
    ...bodyProblems(route, request),
  ]
}

/** A route that neither the contract nor the platform has. Browsers send preflight requests on their own. */
export const isUnknownRoute = ({
  operation,
  method,
  path,
  status,
}: Omit<RequestParts, 'query' | 'contentType' | 'body'>) =>
  operation === undefined && method !== 'OPTIONS' && !path.startsWith('/admin/') && (status === 404 || status === 405)

const wholePaths = [...apiRoutes, ...inboundRoutes].map((route) => `${route.method} ${fullPath(route)}`)

function unknownRoute({ method, path }: RequestParts): SchemaProblem {
  const requested = `${method} ${path.replace(/(workspaces|webhooks)\/\d+/, '$1/{workspace}')}`
  return { at: 'path', message: `The contract has no ${method} ${path}.${didYouMean(requested, wholePaths)}` }
}

function parameterProblems({ path: pattern }: Route, path: string): SchemaProblem[] {
  const value = path.slice(path.lastIndexOf('/') + 1)
  const allowed = allowedValues.find(({ parameter }) => pattern.endsWith(parameter))?.values
  if (allowed === undefined || allowed.includes(value)) return []
  return [{ at: 'path', message: `"${value}" must be one of: ${allowed.join(', ')}.` }]
}

const allowedValues: readonly { readonly parameter: string; readonly values: readonly string[] }[] = [
  { parameter: '{provider}', values: gitProviders },
  { parameter: '{source}', values: leadSources },
]

/** Platforms that call inbound routes add their own parameters, and send challenges in the query. */
function queryProblems({ surface }: Route, query: string): SchemaProblem[] {
  if (surface === 'inbound' || query === '') return []
  return [...new URLSearchParams(query).keys()].map((name) => ({
    at: 'query',
    message: `The contract has no query parameter "${name}": it has neither pages nor filters.`,
  }))
}

const jsonType = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i

function bodyProblems(route: Route, { contentType, body }: RequestParts): SchemaProblem[] {
  if (route.body === undefined) return []
  if (route.surface === 'api' && (contentType === null || !jsonType.test(contentType))) {
    return [{ at: 'content-type', message: `It must be application/json; it is ${contentType ?? 'missing'}.` }]
  }
  const schema = strictInput(route)
  if (schema === undefined || body === undefined) return []
  const sent = parse(Buffer.from(body).toString('utf8'))
  return sent === undefined ? [{ at: '$', message: 'The body is not JSON.' }] : findProblems(schema, sent.json)
}

const schemas = new WeakMap<z.ZodMiniType, z.ZodMiniType | undefined>()

/**
 * The strict form of a route's body schema. The platform ignores unknown keys, but in a test they are mistakes.
 * Undefined if the route also accepts other formats.
 */
function strictInput({ body }: Route): z.ZodMiniType | undefined {
  if (body === undefined) return undefined
  if (!schemas.has(body)) schemas.set(body, toStrict(body))
  return schemas.get(body)
}

function toStrict(body: z.ZodMiniType): z.ZodMiniType | undefined {
  const { def } = body._zod as z.core.$ZodTypes['_zod'] // the closed union of zod's own schemas
  return def.type === 'object' && def.catchall === undefined ? z.strictObject(def.shape) : undefined
}
