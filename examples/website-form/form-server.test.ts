import type { AddressInfo } from 'node:net'
import { createInboundClient } from '@service/client/inbound'
import { type Service, serviceTest } from '@service/server/vitest'
import { expect, onTestFinished } from 'vitest'
import { createFormServer } from './form-server.ts'

const test = serviceTest()

async function start({ server, workspace }: Service): Promise<(fields: Record<string, string>) => Promise<Response>> {
  await server.admin.leadSources.update({ workspace, source: 'website' }, { enabled: true })
  const { secret } = await server.admin.leadSources.rotateSecret({ workspace, source: 'website' })
  const inbound = createInboundClient({
    webhookBaseUrl: `${server.origin}/api`,
    workspace,
    secrets: { leads: { website: secret } },
    fetch: server.fetch,
  })
  const site = createFormServer(inbound)
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void site.close())
  const { port } = site.address() as AddressInfo // a listening TCP server has an address
  return (fields) => fetch(`http://127.0.0.1:${port}/contact`, { method: 'POST', body: new URLSearchParams(fields) })
}

const grace = { name: 'Grace', email: 'grace@example.org', message: 'Do you deliver?' }

test('creates one lead if the form is submitted twice', async ({ server, service }) => {
  const send = await start(service)
  for (const _ of [1, 2]) expect(await (await send(grace)).text()).toBe('Thank you. We will write to you.')
  const { data } = await server.admin.leads.list(service)
  expect(data).toEqual([expect.objectContaining({ name: 'Grace', email: 'grace@example.org', source: 'website' })])
})

test('ignores a bot that fills in the hidden field', async ({ server, service }) => {
  const send = await start(service)
  expect((await send({ ...grace, website: 'https://spam.example' })).status).toBe(200)
  expect((await server.admin.leads.list(service)).data).toEqual([])
})

test('asks the visitor to try again if the platform is unavailable', async ({ server, service }) => {
  const send = await start(service)
  server.faults.add({ match: { operation: 'leads.capture' }, respond: 500 })
  expect((await send(grace)).status).toBe(503)
})
