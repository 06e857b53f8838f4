import { readFile } from 'node:fs/promises'
import { apiRoutes, inboundRoutes } from '@service/contract'
import { expect, onTestFinished, test } from 'vitest'
import { operationNotes } from '../../build/coverage-notes.ts'
import { coverageFile, coverageTable } from '../../build/coverage-table.ts'
import { runChecks } from '../../src/conformance/run-checks.ts'
import { createServer } from '../../src/index.ts'
import { kinds } from '../../src/testing/factories/kinds.ts'
import { enableAll } from '../inbound/inbound-site.ts'
import { manualClock } from '../manual-clock.ts'
import { seedForEveryRoute } from '../sample-requests.ts'

const operations = [...apiRoutes, ...inboundRoutes].map(({ operation }) => operation)

test('docs/COVERAGE.md is what its generator makes (node packages/server/build/coverage-table.ts --write)', async () => {
  expect(await readFile(coverageFile, 'utf8')).toBe(coverageTable())
})

test('the table names every operation of the contract, and factories that exist', () => {
  expect(Object.keys(operationNotes).toSorted()).toEqual(operations.toSorted())
  const named = Object.values(operationNotes).flatMap(({ madeBy }) => madeBy)
  const known = Object.keys(kinds).map((kind) => `create.${kind}`)
  expect(named.filter((name) => !known.includes(name))).toEqual([])
})

test('the conformance suite reaches every operation, and the double breaks no contract while it runs', async () => {
  const server = await createServer({ rateLimit: 'off', contract: 'collect' })
  onTestFinished(() => server.close())
  const { workspace, token } = await seedForEveryRoute(server)
  const { errors, attendance, leads } = await enableAll({
    server,
    workspace,
    workspaceId: workspace.id,
    token,
    clock: manualClock(),
  })
  await runChecks(
    {
      baseUrl: `${server.origin}/api/v1`,
      webhookBaseUrl: `${server.origin}/api`,
      workspace: workspace.id,
      token,
      secrets: { errors, attendance, leads: leads['website'] },
      employeeCode: 'E-1',
      deviceId: 1,
      fetch: (request) => server.fetch(request),
    },
    { write: true },
  )
  const asked = new Set(server.journal.entries().map(({ operation }) => operation))
  expect(operations.filter((operation) => !asked.has(operation))).toEqual([])
  const ours = server.journal
    .entries()
    .flatMap(({ violations }) => violations.filter(({ side }) => side === 'response'))
  expect(ours).toEqual([])
})
