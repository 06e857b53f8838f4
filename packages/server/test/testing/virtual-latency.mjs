import { createTestServer } from '@service/server/testing'

// Awaits only a response that is delayed by the server's clock. Run by transports-process.test.ts.

const server = await createTestServer()
server.faults.add({ latency: '200ms', clock: 'virtual' })
const { status } = await server.fetch('/livez')
await server.close()
process.stdout.write(`${status}\n`)
