import { createTestServer } from '@service/server/testing'

// Closes a server while Jest's fake timers, or those of Sinon, are installed. Run by transports-process.test.ts.

const server = await createTestServer({ seed: 'demo' })
server.webhooks.capture()
const { queueMicrotask } = globalThis
globalThis.queueMicrotask = () => {}
await server.close()
globalThis.queueMicrotask = queueMicrotask
process.stdout.write('closed\n')
