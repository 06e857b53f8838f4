// Run by state.test.ts in an empty directory.
import { createTestServer } from '../../dist/testing.js'

await using server = await createTestServer({ seed: 'demo' })
await server.create.subscription({ url: 'https://receiver.test/in' })
await server.createMany.ticket(100)
await server.restore(await server.snapshot())
await using fork = await server.fork()
await fork.create.ticket()
await server.reset()
