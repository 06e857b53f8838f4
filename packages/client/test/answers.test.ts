import { ticket, unmatchedPunch } from '@service/contract/docs/example-values'
import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import type { ClientEvent } from '../src/events.ts'
import { clientWith, json, network } from './support/client.ts'

// The only key that is not passed on, so that no response can change a prototype.
const key = fc.string().filter((text) => text !== '__proto__')

it('accepts additional fields, new values of open lists, and any field order', async () => {
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

it('reads a missing nullable field as null', async () => {
  const { assignee: _, category: __, ...less } = ticket
  const { client } = clientWith({ fetch: network(json({ data: [less] })).fetch })
  expect(await client.tickets.list()).toEqual([{ ...ticket, assignee: null, category: null }])
})

const drifted = { data: [ticket, { ...ticket, id: 'secret-value', title: undefined }] }
const issues = [
  { path: 'data.1.id', message: 'The data.1.id field must be a number.' },
  { path: 'data.1.title', message: 'The data.1.title field is required.' },
]

it('throws for a missing field, naming the field but no value, and emits an event', async () => {
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

it('returns the data unchanged and warns once per call if onUnexpectedResponse is warn', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { client } = clientWith({ fetch: network(json(drifted)).fetch, onUnexpectedResponse: 'warn' })
  expect(await client.tickets.list()).toEqual(JSON.parse(JSON.stringify(drifted.data)))
  expect(warn.mock.calls).toEqual([[expect.stringContaining('The data.1.title field is required.')]])
  warn.mockRestore()
})

it('returns the data unchanged if onUnexpectedResponse is ignore', async () => {
  const { client } = clientWith({ fetch: network(json(drifted)).fetch, onUnexpectedResponse: 'ignore' })
  expect(await client.tickets.list()).toHaveLength(2)
})

it.each([null, [], 'text', 5, {}])('accepts %o if onUnexpectedResponse is ignore', async (body) => {
  const { client } = clientWith({ fetch: network(json(body)).fetch, onUnexpectedResponse: 'ignore' })
  expect(await client.tickets.list().safe()).toMatchObject({ ok: true })
})

it('throws for an empty success', async () => {
  const { client } = clientWith({ fetch: network(new Response(null, { status: 204 })).fetch })
  expect(await client.tickets.list().safe()).toMatchObject({
    ok: false,
    error: { code: 'unexpected_response', status: 204 },
  })
})

it.each(['not json', '[]', 'null', '{"recorded": false}', JSON.stringify({ ...unmatchedPunch, recorded: 1 })])(
  'treats a 422 of the punch route with the body %s as an error',
  async (body) => {
    const { client } = clientWith({ fetch: network(new Response(body, { status: 422 })).fetch })
    expect(await client.hrms.attendance.punch({ user_id: 1 }).safe()).toMatchObject({
      ok: false,
      error: { code: 'validation', errors: {} },
    })
  },
)
