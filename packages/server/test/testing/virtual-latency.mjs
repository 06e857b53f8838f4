import { createTestServer } from '@service/server/testing'

// Awaits an answer that comes late by the server's clock, and nothing else; run by transports-process.test.ts.

const server = await createTestServer()
server.faults.add({ latency: '200ms', clock: 'virtual' })
const { status } = await server.fetch('/livez')
await server.close()
process.stdout.write(`${status}\n`)
