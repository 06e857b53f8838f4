import type { Route } from '@service/contract'
import type { PlatformServer } from '../src/index.ts'
import { answerProblems } from '../src/testing/contract/check-answer.ts'
import { operationOf } from '../src/testing/operation.ts'

/** A server's fetch that fails the test when an answer is not what the contract says: its status, and every field of its body. */
export function checkingFetch(server: Pick<PlatformServer, 'fetch'>): PlatformServer['fetch'] {
  return async (input, init) => {
    const request = new Request(input, init)
    const response = await server.fetch(request)
    const operation = operationOf(request.method, new URL(request.url).pathname)
    if (operation !== undefined) await checkAnswer(operation.route, response.clone())
    return response
  }
}

/** Throws with the route and the problems when an answer breaks the contract. */
export async function checkAnswer(route: Route, response: Response): Promise<void> {
  const { status } = response
  const text = await response.text()
  const problems = answerProblems(route, { status, contentType: response.headers.get('content-type'), text })
  if (problems.length === 0) return
  const lines = problems.map(({ at, message }) => `${at}: ${message}`)
  throw new Error(
    [`${route.operation} answered ${status} with what breaks the contract:`, ...lines, text.slice(0, 2000)].join('\n'),
  )
}
