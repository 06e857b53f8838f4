import { useService } from '@service/server/testing'

// Every test fails at its limit, and then the run must end by itself. Jest and Bun provide the names that are not imported.

const service = useService({}, { beforeEach, afterEach, afterAll })

const transports = {
  process: () => service.fetch('/livez'),
  intercept() {
    service.server.intercept('https://api.example.com')
    return fetch('https://api.example.com/livez')
  },
  async port() {
    const { url } = await service.server.listen()
    return fetch(`${url}/livez`)
  },
}
const faults = { hang: { connection: 'hang' }, latency: { latency: '1h' }, body: { bytesPerSecond: 0 } }

for (const [transport, send] of Object.entries(transports)) {
  for (const [name, fault] of Object.entries(faults)) {
    test(`${name}, ${transport}`, async () => {
      service.server.faults.add(fault)
      await (await send()).text()
    }, 1000)
  }
}
