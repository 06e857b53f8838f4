import { eventNames } from '@service/contract'
import { verify, WebhookVerificationError } from '@service/webhooks'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { systemClock } from '../../src/core/system-clock.ts'
import { createServer } from '../../src/index.ts'
import { createOpenApiDocument } from '../../src/openapi/document.ts'
import { onEveryStore } from '../on-every-store.ts'
import type { Received } from './receiver.ts'
import { rotate, sendingOptions, subscribe } from './subscribed.ts'
import { requireVerified } from './verified.ts'

// All other delivery tests verify signatures too: `startReceiver` fails a test whose requests are rejected by
// @service/webhooks, standardwebhooks, svix, or @octokit/webhooks-methods.

const HeaderSchema = z.looseObject({
  type: z.string(),
  format: z.optional(z.string()),
  pattern: z.optional(z.string()),
})

/** A request with its first body byte, or one of its headers, changed. */
const tampered = (request: Received, name: string): Received =>
  name === 'body'
    ? { ...request, body: Buffer.concat([Buffer.from(' '), request.body]) }
    : { ...request, headers: { ...request.headers, [name]: altered(String(request.headers[name])) } }

const altered = (value: string) => value.replace(/[\da-zA-Z](?=[^\da-zA-Z]*$)/, (last) => (last === '1' ? '2' : '1'))

onEveryStore('a delivery', (start) => {
  test.each(
    (['hex', 'sha256=hex', 'base64'] as const).flatMap((encoding) =>
      [true, false].map((standard_webhooks) => ({ encoding, standard_webhooks })),
    ),
  )('is verified by every library for each event when it is signed as %o', async (settings) => {
    const server = await start({ ...sendingOptions(), clock: systemClock() })
    const { receiver, subscription, workspace, place } = await subscribe(server, settings)
    for (const event of eventNames) await server.admin.webhooks.sendTest(place, { event })
    await server.deliveries.runDue()
    const events = await Promise.all(receiver.received.map((request) => requireVerified(request, subscription)))
    expect(events.map(({ type }) => type).sort()).toEqual([...eventNames].sort())
    for (const { payload } of events) expect(payload).toMatchObject({ workspace_id: workspace.id, test: true })
    for (const { body, headers } of receiver.received) {
      const { delivery } = await verify({ body, headers, secret: subscription.secret })
      expect(delivery).toMatchObject({
        id: headers['x-service-delivery'],
        attempt: 1,
        replayProtected: settings.standard_webhooks,
      })
    }
  })

  test('verifies with the new secret during a rotation, and with either secret in the Standard Webhooks header', async () => {
    const server = await start({ ...sendingOptions(), clock: systemClock() })
    const { receiver, subscription, place, createTicket } = await subscribe(server)
    const rotated = await rotate(server, receiver, place)
    await createTicket('Größe')
    await server.deliveries.runDue()
    const [request] = receiver.received
    if (request === undefined) throw new Error('Nothing was received.')
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    for (const { secret } of [subscription, rotated]) {
      expect(new Webhook(secret).verify(request.body, headers)).toMatchObject({ event: 'ticket.created' })
      expect(await verify({ body: request.body, headers, secret })).toMatchObject({ type: 'ticket.created' })
    }
    await expect(requireVerified(request, subscription)).rejects.toThrow(WebhookVerificationError)
    expect(() => new Webhook(`whsec_${Buffer.alloc(32).toString('base64')}`).verify(request.body, headers)).toThrow()
  })
})

test('every header of a delivery is in the OpenAPI document, and its value matches the documented schema', async () => {
  await using server = await createServer(sendingOptions())
  const documented = Object.values(createOpenApiDocument().components?.parameters ?? {}).flatMap((parameter) =>
    'name' in parameter && parameter.in === 'header' ? [parameter] : [],
  )
  const { receiver, place } = await subscribe(server)
  for (const event of eventNames) await server.admin.webhooks.sendTest(place, { event })
  await server.deliveries.runDue()
  expect(receiver.received).toHaveLength(eventNames.length)
  for (const { headers, rawHeaders } of receiver.received) {
    const sent = rawHeaders.filter((name) => /^(?:x-service-|webhook-)/i.test(name) && name !== 'X-Service-Event')
    expect(sent.toSorted()).toEqual(
      documented.flatMap(({ name }) => (/^(?:x-service-|webhook-)/i.test(name) ? [name] : [])).toSorted(),
    )
    for (const { name, schema } of documented.filter(({ name }) => sent.includes(name))) {
      const value = String(headers[name.toLowerCase()])
      const { type, format, pattern } = z.parse(HeaderSchema, schema)
      const patterns = [pattern ?? '', format === 'uuid' ? '^[\\da-f-]{36}$' : '', type === 'integer' ? '^\\d+$' : '']
      for (const each of patterns) expect([name, value]).toEqual([name, expect.stringMatching(each)])
    }
  }
})

onEveryStore(
  'a tampered request',
  (start) => {
    test.each([
      'body',
      'x-service-signature',
      'x-service-event',
      'x-service-delivery',
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
    ])('is rejected if its %s was changed', async (name) => {
      const server = await start(sendingOptions())
      const { receiver, subscription, createTicket } = await subscribe(server)
      await createTicket('A')
      await server.deliveries.runDue()
      const [request] = receiver.received
      if (request === undefined) throw new Error('Nothing was received.')
      await expect(requireVerified(request, subscription)).resolves.toMatchObject({ type: 'ticket.created' })
      await expect(requireVerified(tampered(request, name), subscription)).rejects.toThrow()
    })
  },
  ['memory'],
)
