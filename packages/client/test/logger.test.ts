import { expect, it } from 'vitest'
import { createClient, type Logger } from '../src/index.ts'
import { clientWith, json, network, token } from './support/client.ts'

function recordingLogger() {
  const lines: string[] = []
  const at = (level: string) => (message: string) => void lines.push(`${level} ${message}`)
  const logger: Logger = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
  return { logger, lines }
}

it('writes one line per event, at a fitting level', async () => {
  const { logger, lines } = recordingLogger()
  const events: string[] = []
  const { fetch } = network(json({}, 503), json({ message: 'No.' }, 403, { 'x-request-id': 'req-1' }))
  const { client } = clientWith({ fetch, logger, onEvent: ({ type }) => events.push(type) })
  await client.tickets.list().safe()
  // The module that writes the lines is loaded on demand.
  await expect.poll(() => lines).toHaveLength(6)
  expect(lines).toEqual([
    'debug tickets.list, attempt 1: GET /workspaces/{workspace}/tickets',
    'info tickets.list, attempt 1: 503 after 0 ms',
    'warn tickets.list, attempt 1: server_error, next attempt in 150 ms',
    'debug tickets.list, attempt 2: GET /workspaces/{workspace}/tickets',
    'info tickets.list, attempt 2: 403 after 0 ms (req-1)',
    'error tickets.list, attempt 2: GET /workspaces/{workspace}/tickets answered 403: No.',
  ])
  expect(events).toEqual(['request', 'response', 'retry', 'request', 'response', 'error'])
})

it('writes no token and no body, not even at debug', async () => {
  const { logger, lines } = recordingLogger()
  const { fetch } = network((request) => json({ message: request.headers.get('authorization') }, 422))
  await clientWith({ fetch, logger }).client.tickets.create({ title: 'hunter2' }).safe()
  await expect.poll(() => lines).toHaveLength(3)
  expect(lines.join()).not.toMatch(new RegExp(`hunter2|${token}`))
})

it('works although the logger throws, and rejects one that lacks a method', async () => {
  const throws = () => {
    throw new Error('disk full')
  }
  const logger = { debug: throws, info: throws, warn: throws, error: throws }
  const { client } = clientWith({ fetch: network(json({ data: [] })).fetch, logger })
  expect(await client.tickets.list()).toEqual([])
  const partial = { ...console, warn: undefined } as never
  expect(() => createClient({ baseUrl: 'https://example.com', token, workspace: 1, logger: partial })).toThrow(
    'logger.warn must be a function.',
  )
})
