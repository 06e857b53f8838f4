import { inspect } from 'node:util'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { clientWith } from './support/client.ts'

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'
const secret = fc.string({ unit: fc.constantFrom(...letters), minLength: 12, maxLength: 40 }).map((text) => `zq${text}`)

/** Responses of a platform that echoes secrets of the request. */
const echoes: ((request: Request) => Response | Promise<Response>)[] = [
  async (request) =>
    new Response(`<h1>${await request.text()} ${request.headers.get('authorization')}</h1>`, {
      headers: { 'content-type': 'text/html' },
    }),
  async (request) =>
    Response.json(
      {
        message: `${await request.text()}`,
        code: request.headers.get('x-key'),
        errors: { title: [request.headers.get('authorization')] },
      },
      { status: 422 },
    ),
  async (request) =>
    Response.json(
      { message: `bad ${request.headers.get('x-key')}` },
      { status: 500, headers: { 'x-request-id': request.headers.get('x-key') ?? '' } },
    ),
  (request) =>
    Response.json(
      {},
      { status: 401, headers: { 'x-request-id': request.headers.get('authorization')?.slice(7) ?? '' } },
    ),
  (request) =>
    new Response(null, {
      status: 302,
      headers: { location: `https://elsewhere.example/${request.headers.get('x-key')}` },
    }),
  async (request) => Response.json({ data: { ...(await request.json()), id: request.headers.get('authorization') } }),
  async (request) => {
    const cause = new Error(`could not send ${await request.text()}`)
    const config = { headers: Object.fromEntries(request.headers) }
    throw Object.assign(new TypeError('fetch failed', { cause }), { config })
  },
  async (request) =>
    new Response('{', { headers: { 'content-type': `application/json; x=${request.headers.get('x-key')}` } }),
]

/** A value in all forms in which a log may write it. */
function written(value: unknown): string {
  const parts = [inspect(value, { depth: null, showHidden: true }), JSON.stringify(value), String(value)]
  if (value instanceof Error) parts.push(value.stack ?? '', inspect(structuredClone(value)), written(value.cause))
  return parts.join('\n')
}

it('reveals no token, header or body in clients, errors, causes and events, whatever the platform echoes', async () => {
  const someEcho = fc.constantFrom(...echoes)
  await fc.assert(
    fc.asyncProperty(secret, secret, secret, someEcho, fc.boolean(), async (token, key, title, echo, isFunction) => {
      const told: unknown[] = []
      const { client } = clientWith({
        fetch: (url, init) => echo(new Request(url, init)),
        token: isFunction ? async () => token : token,
        maxRetries: 1,
        onEvent: (event) => told.push(event),
      })
      const call = client.tickets.create(
        { title, tags: [`${title}-tag`] },
        { headers: { 'x-key': key }, extraBody: { note: `${title}-note` } },
      )
      const result = await call.safe()
      expect(result.ok).toBe(false)
      const text = [client, call, result, result.ok ? undefined : result.error, ...told].map(written).join('\n')
      for (const hidden of [token, key, title]) expect(text).not.toContain(hidden)
    }),
    { numRuns: 300 },
  )
})
