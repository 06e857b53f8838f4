import { serviceTest } from '@service/server/vitest'

// Fails. Run by runners.test.ts in a separate process.

const test = serviceTest({ seed: 'demo', clock: '2026-01-01T00:00:00Z' })

test('fails', async ({ server, service, expect }) => {
  server.webhooks.capture('ticket.created', { respond: 500 })
  const path = `/api/v1/workspaces/${service.workspace}/tickets`
  const headers = { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' }
  await service.fetch(path, { method: 'POST', headers, body: JSON.stringify({ title: 'Printer' }) })
  await server.settled()
  for (let index = 0; index < 60; index += 1) await service.fetch(path, { headers })
  expect('this').toBe('that')
})
