// Run by determinism.test.ts in processes of its own: the built package, and the same requests.
import { createServer } from '../../dist/index.js'
import { mixedRequests } from './mixed-requests.ts'

await using server = await createServer({ seed: 'demo', clock: '2026-03-01T09:00:00Z' })
process.stdout.write(JSON.stringify(await mixedRequests(server, 200)))
