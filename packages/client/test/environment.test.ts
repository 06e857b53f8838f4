import { ticket } from '@service/contract/docs/example-values'
import { afterEach, expect, it, vi } from 'vitest'
import { createClient } from '../src/index.ts'
import { clientWith, json, network } from './support/client.ts'

afterEach(() => vi.unstubAllEnvs())

const environment = {
  SERVICE_BASE_URL: 'https://example.com/api/v1',
  SERVICE_TOKEN: 'service_from_environment',
  SERVICE_WORKSPACE: '7',
}

it('takes base URL, token and workspace from the environment', async () => {
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
  const { fetch, requests } = network(json({ data: [ticket] }))
  await createClient({ fetch }).tickets.list()
  await createClient({ fetch, workspace: 8 }).tickets.list()
  expect(requests.map(({ url, headers }) => [url, headers.get('authorization')])).toEqual([
    ['https://example.com/api/v1/workspaces/7/tickets', 'Bearer service_from_environment'],
    ['https://example.com/api/v1/workspaces/8/tickets', 'Bearer service_from_environment'],
  ])
  expect(() => createClient()).not.toThrow()
})

it.each(Object.keys(environment))('names %s if it is missing', (missing) => {
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, name === missing ? '' : value)
  expect(() => createClient()).toThrow(`or set ${missing}.`)
})

it('rejects a workspace in the environment that is not a number', () => {
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
  vi.stubEnv('SERVICE_WORKSPACE', 'acme')
  expect(() => createClient()).toThrow('workspace must be an integer')
})

it('copies a client with changed options', async () => {
  const { fetch, requests } = network(json({}, 500))
  const { client } = clientWith({ fetch, maxRetries: 0 })
  const copy = client.withOptions({ maxRetries: 1, workspace: 9, timeoutMs: undefined })
  await copy.tickets.list().safe()
  await client.tickets.list().safe()
  expect(requests.map(({ url }) => new URL(url).pathname)).toEqual([
    '/api/v1/workspaces/9/tickets',
    '/api/v1/workspaces/9/tickets',
    '/api/v1/workspaces/42/tickets',
  ])
})

it('shares a fetched token with copies, unless they have their own', async () => {
  let fetched = 0
  const { fetch, requests } = network(json({ data: [] }))
  const { client } = clientWith({ fetch, token: () => `service_${++fetched}` })
  await client.tickets.list()
  await client.withOptions({ timeoutMs: 5_000 }).tickets.list()
  await client.withOptions({ token: 'service_other' }).tickets.list()
  expect(requests.map(({ headers }) => headers.get('authorization'))).toEqual([
    'Bearer service_1',
    'Bearer service_1',
    'Bearer service_other',
  ])
})
