// Run by determinism.test.ts in separate processes, with the built package.
import { createTestServer } from '../../dist/testing.js'
import { mixedRequests } from './mixed-requests.ts'

await using server = await createTestServer({ seed: 'demo', clock: '2026-03-01T09:00:00Z' })
process.stdout.write(JSON.stringify(await mixedRequests(server, 200)))
