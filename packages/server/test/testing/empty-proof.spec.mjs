import { faultCases } from '@service/server/testing'
import { serviceTest } from '@service/server/vitest'

// Most cases are not exercised. Run by fault-cases-empty.test.ts.

const kinds = ['503', 'lost delivery']
const cases = faultCases.for({ kinds })
const strict = { strict: { unusedFaults: true } }

serviceTest.each(cases)('empty', () => undefined)
serviceTest.each(cases, strict)('strict and empty', () => undefined)
serviceTest.each(cases, strict)('exercised', async ({ server, service }) => {
  server.webhooks.capture('ticket.created')
  await service.fetch(`${service.baseUrl}/workspaces/${service.workspace}/projects`, {
    headers: { authorization: `Bearer ${service.token}` },
  })
  await server.create.ticket()
})
