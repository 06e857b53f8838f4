import { inspect } from 'node:util'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { json, network } from '../support/client.ts'
import { inboundWith } from './inbound-client.ts'

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'
const secret = fc.string({ unit: fc.constantFrom(...letters), minLength: 12, maxLength: 40 }).map((text) => `zq${text}`)

/** A receiver that echoes the request in every part of its response. */
const echo = async (request: Request) => {
  const said = [...request.headers.values(), request.url, await request.text()].join(' ')
  return json({ message: said, code: said.slice(0, 40), errors: { body: [said] } }, 422, { 'x-request-id': 'req-1' })
}
const lost = async (request: Request) => {
  const cause = new Error(`could not reach ${request.url} with ${[...request.headers.values()]}`)
  throw new TypeError('fetch failed', { cause })
}

/** A value in all forms in which a log may write it. */
function written(value: unknown): string {
  const parts = [inspect(value, { depth: null, showHidden: true }), JSON.stringify(value), String(value)]
  if (value instanceof Error) parts.push(value.stack ?? '', inspect(structuredClone(value)), written(value.cause))
  return parts.join('\n')
}

it('reveals no secret and no path in clients, errors and events, whatever the platform echoes', async () => {
  await fc.assert(
    fc.asyncProperty(secret, secret, secret, fc.constantFrom(echo, lost), async (key, path, mail, reply) => {
      const told: unknown[] = []
      const { inbound } = inboundWith({
        webhookBaseUrl: `https://example.com/${path}/api`,
        fetch: network(reply).fetch,
        token: key,
        secrets: { attendance: key, device: key, leads: { website: key }, git: { github: key, gitlab: key } },
        maxRetries: 0,
        onEvent: (event) => told.push(event),
      })
      const calls = [
        inbound.errors.report({ message: mail }),
        inbound.attendance.punch({ employee_code: mail, device_id: 1 }),
        inbound.leads.capture('website', { name: mail }),
        inbound.git.send('github', 'push', { ref: mail }),
        inbound.git.send('gitlab', 'Push Hook', { ref: mail }),
      ]
      const results = await Promise.all(calls.map((call) => call.safe()))
      expect(results.map(({ ok }) => ok)).toEqual(calls.map(() => false))
      const errors = results.map((result) => (result.ok ? undefined : result.error))
      const text = [inbound, ...calls, ...results, ...errors, ...told].map(written).join('\n')
      for (const hidden of [key, path, mail]) expect(text).not.toContain(hidden)
    }),
    { numRuns: 100 },
  )
})

it('refuses secrets in a browser unless dangerouslyAllowBrowser is set', () => {
  Object.assign(globalThis, { window: {}, document: {} })
  try {
    expect(() => inboundWith()).toThrow('dangerouslyAllowBrowser')
    expect(inboundWith({ dangerouslyAllowBrowser: true }).inbound).toHaveProperty('errors')
    expect(inboundWith({ secrets: undefined }).inbound).toHaveProperty('errors')
  } finally {
    Reflect.deleteProperty(globalThis, 'window')
    Reflect.deleteProperty(globalThis, 'document')
  }
})
