import { errorStatusesOf, fullPath, type Route, successStatus } from '@service/contract'
import { adminRoutes } from '@service/contract/admin'
import { auditExportRoutes } from '@service/contract/admin/audit'
import { backupDownloadRoutes } from '@service/contract/admin/operations'
import { adminDocs } from '@service/contract/docs/admin'
import { auditExportDocs } from '@service/contract/docs/admin/audit'
import { controlDocs } from '@service/contract/docs/test-controls'
import type { RouteDocs } from '@service/contract/route-docs'
import { controlRoutes } from '@service/contract/test-controls'
import { expect, onTestFinished, test } from 'vitest'
import { createTestServer } from '../src/testing/entries/testing.ts'
import { checkExamples, lintOpenApi } from './openapi-checks.ts'

interface Surface {
  readonly name: string
  readonly address: string
  readonly routes: readonly Route[]
  readonly docs: Readonly<Record<string, RouteDocs>>
}

const surfaces: readonly Surface[] = [
  {
    name: 'administration',
    address: '/admin/v1/openapi.json',
    routes: [...adminRoutes, ...auditExportRoutes, ...backupDownloadRoutes],
    docs: { ...adminDocs, ...auditExportDocs },
  },
  { name: 'the test controls', address: '/admin/v1/test/openapi.json', routes: controlRoutes, docs: controlDocs },
]

async function served(address: string): Promise<string> {
  const server = await createTestServer({ adminToken: 'an-admin-token-of-twenty', testControls: true })
  onTestFinished(() => server.close())
  const response = await server.fetch(`http://platform.example${address}`)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
  return response.text()
}

test.each(surfaces)('the document of $name requires no credentials and lists exactly its routes', async (surface) => {
  const { paths } = JSON.parse(await served(surface.address))
  const documented = Object.entries<Record<string, { operationId: string; responses: object }>>(paths).flatMap(
    ([path, item]) =>
      Object.entries(item).map(([method, { operationId, responses }]) => [
        `${method.toUpperCase()} ${path} ${operationId}`,
        Object.keys(responses).map(Number),
      ]),
  )
  const expected = surface.routes.map((route) => [
    `${route.method} ${fullPath(route)} ${route.operation}`,
    [successStatus(route), ...[...errorStatusesOf(route)].sort((a, b) => a - b)],
  ])
  expect(documented.sort()).toEqual(expected.sort())
})

test.each(surfaces)('the operations of $name have unique names', ({ routes }) => {
  const names = routes.map(({ operation }) => operation)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

test.each(surfaces)('the schemas of $name accept its examples', async ({ routes, docs }) => {
  for (const route of routes) await checkExamples(route, docs[route.operation])
})

test.each(surfaces)('the linter finds no problem in the document of $name', async ({ address }) => {
  expect(await lintOpenApi(await served(address))).toEqual({
    totals: { errors: 0, warnings: 0, ignored: 0 },
    problems: [],
  })
})

test('the document of administration describes exports as application/x-ndjson', async () => {
  const { paths } = JSON.parse(await served('/admin/v1/openapi.json'))
  for (const route of auditExportRoutes)
    expect(Object.keys(paths[fullPath(route)].get.responses['200'].content)).toEqual(['application/x-ndjson'])
})
