import { createWebhookHandler } from '@service/webhooks/express'
import express from 'express'
import { expect, test } from 'vitest'
import { microsPerSecond } from '../../src/core/clock.ts'
import { onEveryStore, type Start } from '../on-every-store.ts'
import { sendingOptions } from './subscribed.ts'
import { listen } from './subscribers.ts'

/** An Express application, subscribed to a platform, whose secrets can change at runtime. */
async function startApplication(start: Start, { standard_webhooks }: { standard_webhooks: boolean }) {
  const options = sendingOptions()
  const server = await start(options)
  const { id: workspace_id } = await server.admin.workspaces.create({ name: 'Acme' })
  const secrets: string[] = []
  const refused: string[] = []
  const handled: string[] = []
  const handler = createWebhookHandler({
    secret: () => secrets,
    on: { 'ticket.created': ({ payload }) => handled.push(payload.ticket.title) },
    onRefused: ({ code }) => refused.push(code),
    // The test moves the clocks of both the platform and the application.
    now: () => options.clock.now() / 1000,
  })
  const url = await listen(express().post('/webhooks', handler))
  const { id, secret } = await server.admin.webhooks.create(
    { workspace: workspace_id },
    { url, events: ['*'], standard_webhooks },
  )
  secrets.push(secret)
  const place = { workspace: workspace_id, id }
  const send = async (title: string) => {
    await server.admin.tickets.create({ workspace: workspace_id }, { title })
    await server.deliveries.runDue()
  }
  return { ...options, server, place, secrets, refused, handled, send }
}

onEveryStore('a secret rotation', (start) => {
  test('with Standard Webhooks headers causes no rejections with the old secret, both, or the new one', async () => {
    const { server, place, secrets, refused, handled, send } = await startApplication(start, {
      standard_webhooks: true,
    })
    await send('before')
    const { secret } = await server.admin.webhooks.rotateSecret(place)
    await send('the application has the old one')
    secrets.unshift(secret)
    await send('it has both')
    secrets.pop()
    await send('it has the new one')
    await server.admin.webhooks.revokePreviousSecret(place)
    await send('after')
    expect(handled).toEqual(['before', 'the application has the old one', 'it has both', 'it has the new one', 'after'])
    expect(refused).toEqual([])
  })

  test('without them loses nothing: deliveries rejected before the receiver has the new secret are retried', async () => {
    const { server, clock, place, secrets, refused, handled, send } = await startApplication(start, {
      standard_webhooks: false,
    })
    const { secret } = await server.admin.webhooks.rotateSecret(place)
    await send('too early')
    expect([handled, refused]).toEqual([[], ['no_match']])
    secrets.unshift(secret)
    clock.advance(10 * microsPerSecond)
    await server.deliveries.runDue()
    expect([handled, refused]).toEqual([['too early'], ['no_match']])
  })
})
