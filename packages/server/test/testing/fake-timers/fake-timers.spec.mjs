import { createClient } from '@service/client'
import { mswHandlers } from '@service/server/msw'
import { createTestServer } from '@service/server/testing'
import { serviceTest } from '@service/server/vitest'
import { setupServer } from 'msw/node'
import { test as plain, vi } from 'vitest'

// The set-up file has replaced the timers before this file imports anything. Run by runners.test.ts.

const test = serviceTest({ seed: 'demo' })
const portTest = serviceTest({ seed: 'demo', transport: 'port' })

plain('fake timers are on', ({ expect }) => {
  expect(vi.isFakeTimers()).toBe(true)
})

for (const [name, each] of Object.entries({ 'in process': test, 'over a port': portTest })) {
  each(`answers, delivers, and closes ${name}`, async ({ service, server, expect }) => {
    const inbox = server.webhooks.capture('ticket.created')
    const client = createClient({ ...service })
    await client.tickets.create({ title: 'Printer' })
    await server.settled()
    expect(inbox.arrivals()).toHaveLength(1)
    await server.clock.advance('1h')
  })

  each(`latency and slow bodies take real time ${name}`, async ({ service, server, expect }) => {
    server.faults.add({ latency: '30ms', times: 1 })
    expect((await service.fetch(`${service.origin}/livez`)).status).toBe(200)
    const fault = server.faults.add({ bytesPerSecond: 1000, times: 1 })
    expect(await (await service.fetch(`${service.origin}/livez`)).text()).not.toBe('')
    expect(fault.hits).toBe(1)
  })
}

test("the clock of the server is the machine's", async ({ server, expect }) => {
  const frozenAt = Date.now()
  await vi.advanceTimersByTimeAsync(86_400_000)
  expect(server.clock.now().getTime()).toBeLessThan(frozenAt + 3_600_000)
})

plain('answers behind MSW', async ({ expect, onTestFinished }) => {
  const server = await createTestServer()
  onTestFinished(() => server.close())
  const msw = setupServer(...mswHandlers(server, { origin: 'https://api.example.com' }))
  msw.listen()
  onTestFinished(() => msw.close())
  expect((await fetch('https://api.example.com/livez')).status).toBe(200)
})
