import { apiRoutes, fullPath, inboundRoutes, type Route } from '@service/contract'
import { adminRoutes } from '@service/contract/admin'
import { routeFinder } from '@service/contract/match-routes'
import { paramNamesIn, pathParams } from '@service/contract/path-params'
import { controlRoutes } from '@service/contract/test-controls'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const routes: readonly Route[] = [...apiRoutes, ...inboundRoutes, ...adminRoutes, ...controlRoutes]

/** A path of the route, with the example of each parameter. */
const examplePath = (route: Route): string =>
  paramNamesIn(route.path).reduce(
    (path, name) => path.replace(`{${name}}`, String(pathParams[name].example)),
    fullPath(route),
  )

test('every route is found by its path, in any order of the routes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray([...routes], { minLength: routes.length }), async (shuffled) => {
      const find = routeFinder(shuffled)
      const found = routes.map((route) => find(route.method, examplePath(route))?.route.operation)
      expect(found).toEqual(routes.map(({ operation }) => operation))
    }),
    { numRuns: 20 },
  )
})

test('a fixed segment takes precedence over a parameter, and a segment must match its pattern', () => {
  const find = routeFinder(routes)
  expect(find('POST', '/api/webhooks/1/errors')?.route.operation).toBe('errors.report')
  expect(find('POST', '/api/webhooks/1/github')).toMatchObject({
    route: { operation: 'git.send' },
    params: { workspace: '1', provider: 'github' },
  })
  expect(find('POST', '/api/webhooks/acme/github')).toBeUndefined()
  expect(find('PUT', '/api/webhooks/1/github')).toBeUndefined()
})
