import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import type { ClientEvent } from '../src/events.ts'
import { clientWith, json, network } from './support/client.ts'
import { ticket, unmatchedPunch } from './support/samples.ts'

// The one key that is not passed on, so that no answer can change what an object inherits.
const key = fc.string().filter((text) => text !== '__proto__')

it('takes more fields, new values of open lists and another order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.dictionary(key, fc.jsonValue()), fc.string(), async (more, value) => {
      const answer = {
        ...more,
        ...Object.fromEntries(Object.entries(ticket).reverse()),
        status: value,
        priority: value,
      }
      const { client } = clientWith({ fetch: network(json({ ...more, data: [answer] })).fetch })
      const [read] = await client.tickets.list()
      expect(read).toEqual(JSON.parse(JSON.stringify(answer)))
    }),
  )
})

it('reads a field that may be unset and is missing as null', async () => {
  const { assignee: _, category: __, ...less } = ticket
  const { client } = clientWith({ fetch: network(json({ data: [less] })).fetch })
  expect(await client.tickets.list()).toEqual([ticket])
})

const drifted = { data: [ticket, { ...ticket, id: 'secret-value', title: undefined }] }
const issues = [
  { path: 'data.1.id', message: 'The data.1.id field must be a number.' },
  { path: 'data.1.title', message: 'The data.1.title field is required.' },
]

it('throws for a missing field, naming it and no value, and tells it', async () => {
  const told: ClientEvent[] = []
  const { fetch, requests } = network(json(drifted, 200, { 'x-request-id': 'req-1' }))
  const { client } = clientWith({ fetch, onEvent: (event) => told.push(event) })
  const result = await client.tickets.list().safe()
  expect(result).toMatchObject({
    ok: false,
    error: { code: 'unexpected_response', status: 200, requestId: 'req-1', issues },
  })
  expect(JSON.stringify([result, told])).not.toContain('secret-value')
  expect(told.map(({ type }) => type)).toEqual(['request', 'response', 'drift', 'error'])
  expect(requests).toHaveLength(1)
})

it('gives the data as they came when told to warn, and warns once a call', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { client } = clientWith({ fetch: network(json(drifted)).fetch, onUnexpectedResponse: 'warn' })
  expect(await client.tickets.list()).toEqual(JSON.parse(JSON.stringify(drifted.data)))
  expect(warn.mock.calls).toEqual([[expect.stringContaining('The data.1.title field is required.')]])
  warn.mockRestore()
})

it('gives the data as they came when told to ignore', async () => {
  const { client } = clientWith({ fetch: network(json(drifted)).fetch, onUnexpectedResponse: 'ignore' })
  expect(await client.tickets.list()).toHaveLength(2)
})

it.each([null, [], 'text', 5, {}])('does not stumble over %o where it is told to ignore', async (body) => {
  const { client } = clientWith({ fetch: network(json(body)).fetch, onUnexpectedResponse: 'ignore' })
  expect(await client.tickets.list().safe()).toMatchObject({ ok: true })
})

it('takes an empty success as a missing answer', async () => {
  const { client } = clientWith({ fetch: network(new Response(null, { status: 204 })).fetch })
  expect(await client.tickets.list().safe()).toMatchObject({
    ok: false,
    error: { code: 'unexpected_response', status: 204 },
  })
})

it.each(['not json', '[]', 'null', '{"recorded": false}', JSON.stringify({ ...unmatchedPunch, recorded: 1 })])(
  'takes a 422 of the punch route with %s for a refusal',
  async (body) => {
    const { client } = clientWith({ fetch: network(new Response(body, { status: 422 })).fetch })
    expect(await client.hrms.attendance.punch({ user_id: 1 }).safe()).toMatchObject({
      ok: false,
      error: { code: 'validation', errors: {} },
    })
  },
)
