import { readFile } from 'node:fs/promises'
import { apiRoutes, inboundRoutes } from '@service/contract'
import { apiDocs } from '@service/contract/docs'
import { ignoredReasons } from '@service/intake/leads/captured-lead'
import { expect, onTestFinished, test } from 'vitest'
import { coverageFile, coverageTable } from '../../build/coverage-table.ts'
import { runChecks } from '../../src/conformance/run-checks.ts'
import { createTestServer } from '../../src/testing/entries/testing.ts'
import { kinds } from '../../src/testing/factories/define-factory.ts'
import { enableAll } from '../inbound/inbound-site.ts'
import { manualClock } from '../manual-clock.ts'
import { seedForEveryRoute } from '../sample-requests.ts'

const operations = [...apiRoutes, ...inboundRoutes].map(({ operation }) => operation)

test('docs/COVERAGE.md is what its generator makes (node packages/server/build/coverage-table.ts --write)', async () => {
  expect(await readFile(coverageFile, 'utf8')).toBe(coverageTable())
})

test('the table names every operation of the contract, and factories that exist', () => {
  const docs = apiDocs
  expect(Object.keys(docs).toSorted()).toEqual(operations.toSorted())
  const named = Object.values(docs).flatMap(({ notes }) => notes.madeBy)
  const known = Object.keys(kinds).map((kind) => `create.${kind}`)
  expect(named.filter((name) => !known.includes(name))).toEqual([])
})

test('the table names every reason for which a lead is not created', () => {
  const { notes } = apiDocs['leads.capture']
  const decided = notes.decisions.map((decision) => decision.decided).join()
  const reasons = ['duplicate', 'source_inactive', 'no_contact', ...Object.keys(ignoredReasons)]
  expect(reasons.filter((reason) => !decided.includes(`\`${reason}\``))).toEqual([])
})

test('the conformance suite reaches every operation, and the double breaks no contract while it runs', async () => {
  const server = await createTestServer({ rateLimit: 'off', contract: 'collect' })
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
