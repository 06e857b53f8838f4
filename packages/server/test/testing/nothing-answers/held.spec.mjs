import { test } from 'node:test'
import { startForTests } from '@service/server/testing'

// Every test fails, and the run must end at once. Run by runners.test.ts.

const transports = {
  async process(server) {
    return server.fetch('/livez')
  },
  async intercept(server) {
    server.intercept('https://api.example.com')
    return fetch('https://api.example.com/livez')
  },
  async port(server) {
    const { url } = await server.listen()
    return fetch(`${url}/livez`)
  },
}
const faults = { hang: { connection: 'hang' }, latency: { latency: '1h' }, body: { bytesPerSecond: 0 } }

for (const [transport, send] of Object.entries(transports)) {
  for (const [name, fault] of Object.entries(faults)) {
    test(`${name}, ${transport}`, { timeout: 1000 }, async (t) => {
      const { server } = await startForTests(t)
      server.faults.add(fault)
      await (await send(server)).text()
    })
  }
}
