import { apiRoutes, inboundRoutes, type Route } from '@service/contract'
import { adminRoutes } from '@service/contract/admin'
import { routeFinder } from '@service/contract/match-routes'
import type { Server } from '../src/index.ts'
import { responseProblems } from '../src/testing/contract/check-answer.ts'
import { inRequest } from './sent-statements.ts'

const findRoute = routeFinder([...apiRoutes, ...inboundRoutes, ...adminRoutes])

/** A server's fetch that throws if the status or a body field violates the contract. */
export function checkingFetch(server: Pick<Server, 'fetch'>): Server['fetch'] {
  return async (input, init) => {
    const request = new Request(input, init)
    const response = await inRequest(() => server.fetch(request))
    const found = findRoute(request.method, new URL(request.url).pathname)
    // 304 is part of HTTP (RFC 9110 §15.4.5), not of the contract.
    const isAnswer = response.status !== 304
    if (found !== undefined && isAnswer) await checkAnswer(found.route, response.clone())
    return response
  }
}

/** Throws with the route and the problems if a response violates the contract. */
export async function checkAnswer(route: Route, response: Response): Promise<void> {
  const { status } = response
  const text = await response.text()
  const problems = responseProblems(route, { status, contentType: response.headers.get('content-type'), text })
  if (problems.length === 0) return
  const lines = problems.map(({ at, message }) => `${at}: ${message}`)
  throw new Error(
    [`${route.operation} answered ${status} with what breaks the contract:`, ...lines, text.slice(0, 2000)].join('\n'),
  )
}
