import { createRequire } from 'node:module'
import { eventNames } from '@service/contract'
import { verify } from '@service/webhooks'
import { expect, test } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { onEveryStore } from '../on-every-store.ts'
import { sendingOptions, subscribe } from './subscribed.ts'

// The libraries that receivers use are installed where we compare ourselves with them.
const peers = createRequire(new URL('../../../webhooks/package.json', import.meta.url))

interface StandardWebhooks {
  readonly Webhook: new (secret: string) => { verify(body: Buffer, headers: Record<string, string>): unknown }
}

const { Webhook } = peers('standardwebhooks') as StandardWebhooks // untyped, as it is not a dependency of this package

onEveryStore('what a receiver gets', (start) => {
  test.each(['hex', 'sha256=hex', 'base64'] as const)(
    'is verified by @service/webhooks for each of the seven events when it is signed as %s',
    async (encoding) => {
      const server = await start({ ...sendingOptions(), clock: systemClock() })
      const { receiver, subscription, workspace, place } = await subscribe(server, { encoding })
      for (const event of eventNames) await server.admin.webhooks.sendTest(place, { event })
      await server.deliveries.runDue()
      const events = await Promise.all(
        receiver.received.map(({ body, headers }) => verify({ body, headers, secret: subscription.secret })),
      )
      expect(events.map(({ type }) => type).sort()).toEqual([...eventNames].sort())
      expect(events).toEqual(
        events.map(() => expect.objectContaining({ payload: expect.objectContaining({ workspace_id: workspace.id }) })),
      )
      const [{ body, headers } = { body: Buffer.from(''), headers: {} }] = receiver.received
      await expect(
        verify({ body: Buffer.concat([body, Buffer.from(' ')]), headers, secret: subscription.secret }),
      ).rejects.toMatchObject({
        name: 'WebhookVerificationError',
      })
    },
  )

  test('is verified by the standardwebhooks library with the new secret and with the old one while a secret is replaced', async () => {
    const server = await start({ ...sendingOptions(), clock: systemClock() })
    const { receiver, subscription, place, createTicket } = await subscribe(server, { standard_webhooks: true })
    const rotated = await server.admin.webhooks.rotateSecret(place)
    await createTicket('Größe')
    await server.deliveries.runDue()
    const [request] = receiver.received
    if (request === undefined) throw new Error('Nothing was received.')
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    for (const { secret } of [subscription, rotated]) {
      expect(new Webhook(secret).verify(request.body, headers)).toMatchObject({ event: 'ticket.created' })
      expect(await verify({ body: request.body, headers, secret })).toMatchObject({ type: 'ticket.created' })
    }
    expect(() => new Webhook(`whsec_${Buffer.alloc(32).toString('base64')}`).verify(request.body, headers)).toThrow()
  })
})
