import { apiBasePath, apiRoutes, ErrorBody, inboundBasePath, inboundRoutes, type Route } from '@service/contract'
import * as z from 'zod/mini'
import type { PlatformServer } from '../src/index.ts'
import { strictly } from './strictly.ts'

/** A server's fetch that fails the test when an answer is not what the contract says: its status, and every field of its body. */
export function checkingFetch(server: Pick<PlatformServer, 'fetch'>): PlatformServer['fetch'] {
  return async (input, init) => {
    const request = new Request(input, init)
    const response = await server.fetch(request)
    const route = routeOf(request)
    if (route !== undefined) await checkAnswer(route, response.clone())
    return response
  }
}

const patterns = [
  ...apiRoutes.map((route) => ({ route, pattern: patternOf(apiBasePath, route) })),
  ...inboundRoutes.map((route) => ({ route, pattern: patternOf(inboundBasePath, route) })),
]

function patternOf(basePath: string, route: Route): RegExp {
  const path = route.path.replace('{workspace}', '\\d+').replace(/\{\w+\}/g, '[^/]+')
  return new RegExp(`^${basePath}${path}$`)
}

export function routeOf(request: Request): Route | undefined {
  const { pathname } = new URL(request.url)
  return patterns.find(({ route, pattern }) => route.method === request.method && pattern.test(pathname))?.route
}

/** Throws with the route and the problems when an answer breaks the contract. */
export async function checkAnswer(route: Route, response: Response): Promise<void> {
  const { status } = response
  const succeeded = status === route.status || (route.status === 201 && status === 200) // the quirk createdStatus
  if (!succeeded && !route.refusals.some((refusal) => refusal === status)) {
    throw new Error(`${route.operation} answered ${status}, which the contract does not list: ${await response.text()}`)
  }
  if (response.headers.get('content-type')?.startsWith('application/json') !== true) {
    throw new Error(`${route.operation} answered ${status} that is not JSON.`)
  }
  const body: unknown = await response.json()
  const schemas = succeeded ? [route.answer] : refusalSchemas(route, status)
  const results = schemas.map((schema) => z.safeParse(strictly(schema), body))
  if (results.some((result) => result.success)) return
  const problems = results.map((result) => z.prettifyError(result.error ?? new z.core.$ZodError([]))).join('\n')
  throw new Error(
    `${route.operation} answered ${status} with a body that breaks the contract:\n${problems}\n${JSON.stringify(body)}`,
  )
}

/** The common error body, or the one of its own that this status has on this route. */
function refusalSchemas(route: Route, status: number): z.ZodMiniType[] {
  const own = Object.entries(route.refusalAnswers ?? {}).find(([refusal]) => refusal === String(status))
  return own === undefined ? [ErrorBody] : [ErrorBody, own[1]]
}
