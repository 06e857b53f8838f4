import { expect, it } from 'vitest'
import { createAdminClient } from '../src/admin.ts'
import { createInboundClient } from '../src/inbound.ts'
import { createClient } from '../src/index.ts'
import { clientWith, token } from './support/client.ts'

const valid = { baseUrl: 'https://example.com/api/v1', token, workspace: 1 }
const inbound = { webhookBaseUrl: 'https://example.com/api', workspace: 1 }
const admin = createAdminClient({ baseUrl: 'https://example.com/admin/v1', token })

it.each([
  ['createClient has no timeout. Did you mean timeoutMs?', () => createClient({ ...valid, timeout: 5 } as never)],
  [
    'createClient has no maxRetry. Did you mean maxRetries?',
    () => clientWith().client.withOptions({ maxRetry: 1 } as never),
  ],
  ['Did you mean secrets?', () => createInboundClient({ ...inbound, secret: {} } as never)],
  [
    'secrets has no error. Did you mean errors?',
    () => createInboundClient({ ...inbound, secrets: { error: 'whs' } as never }),
  ],
  [
    'secrets.leads has no myspace. It has website, facebook, google_ads, linkedin, tiktok, whatsapp.',
    () => createInboundClient({ ...inbound, secrets: { leads: { myspace: 'whs' } as never } }),
  ],
  [
    'secrets.git has no gitlap. Did you mean gitlab?',
    () => createInboundClient({ ...inbound, secrets: { git: { gitlap: 'x' } as never } }),
  ],
  [
    'A call has no timeoutMS. Did you mean timeoutMs?',
    () => clientWith().client.tickets.list({ timeoutMS: 5 } as never),
  ],
  [
    'The path of tickets.list has no workspce. Did you mean workspace?',
    () => admin.tickets.list({ workspce: 1 } as never),
  ],
  ['workspace is missing.', () => admin.tickets.list({} as never)],
  ['id is missing.', () => admin.tickets.get({ workspace: 1, id: '' as never })],
  ['id must not be "." or ".."', () => admin.tickets.get({ workspace: 1, id: '..' as never })],
])('reports "%s"', (message, act) => {
  expect(act).toThrow(TypeError)
  expect(act).toThrow(message)
})

it.each([
  ['fetchOption', 'fetchOptions'],
  ['agent', 'fetchOptions'],
  ['cache', 'fetchOptions'],
  ['apiKey', 'token'],
  ['retry', 'maxRetries'],
])('refuses a spread object with %s and suggests %s', (name, suggestion) => {
  const message = `has no ${name}. Did you mean ${suggestion}?`
  expect(() => createClient({ ...valid, [name]: 1 })).toThrow(`createClient ${message}`)
  expect(() => createAdminClient({ baseUrl: 'https://example.com/admin/v1', token, [name]: 1 })).toThrow(
    `createAdminClient ${message}`,
  )
  expect(() => createInboundClient({ ...inbound, [name]: 1 })).toThrow('createInboundClient has no')
})

it('accepts options that are undefined', () => {
  expect(() => createClient({ ...valid, timeoutMs: undefined, headers: undefined })).not.toThrow()
})

it('rejects wrong names in types', () => {
  const wrong = [
    // @ts-expect-error an unknown option
    () => createClient({ ...valid, timeout: 5 }),
    // @ts-expect-error an unknown lead source
    () => createInboundClient({ ...inbound, secrets: { leads: { myspace: 'whs' } } }),
    // @ts-expect-error an unknown path parameter
    () => admin.tickets.list({ workspce: 1 }),
    // @ts-expect-error an unknown filter
    () => admin.tickets.list({ workspace: 1 }, { statuss: 'open' }),
    // @ts-expect-error an unknown option of a call
    () => clientWith().client.tickets.list({ workspce: 1 }),
  ]
  expect(wrong).toHaveLength(5)
})
