import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { microsPerHour } from '../../src/core/clock.ts'
import { onEveryStore } from '../on-every-store.ts'
import { onDisk, startWithTables } from '../tables.ts'
import type { Received } from './receiver.ts'
import { rotate, sendingOptions, subscribe } from './subscribed.ts'

const bare = (secret: string, { body }: Received) => createHmac('sha256', secret).update(body).digest('hex')

function standard(secret: string, { headers, body }: Received): string {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.`
  return `v1,${createHmac('sha256', key).update(signed).update(body).digest('base64')}`
}

onEveryStore('the secret of a subscription', (start) => {
  test('has 256 random bits, is shown once, and is in no list', async () => {
    const server = await start(sendingOptions())
    const { subscription, workspace, place } = await subscribe(server, { headers: { Authorization: 'Basic hidden' } })
    expect(subscription.secret).toMatch(/^whsec_[\w+/]{43}=$/)
    expect(Buffer.from(subscription.secret.slice(6), 'base64')).toHaveLength(32)
    const shown = JSON.stringify([
      (await server.admin.webhooks.list({ workspace: workspace.id })).data,
      await server.admin.webhooks.get(place),
    ])
    expect(shown).not.toContain(subscription.secret.slice(6))
    expect(shown).not.toContain('hidden')
    expect(shown).toContain('Authorization')
  })

  test('is rotated without a gap: while both are valid, the Standard Webhooks header has both signatures', async () => {
    const options = sendingOptions()
    const server = await start(options)
    const { receiver, subscription, place, createTicket } = await subscribe(server, { standard_webhooks: true })
    const { secret, previous_secret_until } = await rotate(server, receiver, place)
    expect(previous_secret_until).toMatch(/^2026-11-21T18:51:53/)
    await createTicket('During')
    await server.deliveries.runDue()
    options.clock.advance(25 * microsPerHour)
    await createTicket('After')
    await server.deliveries.runDue()
    const [during, after] = receiver.received
    if (during === undefined || after === undefined) throw new Error('Two requests were expected.')
    expect(during.headers['x-service-signature']).toBe(bare(secret, during))
    expect(during.headers['webhook-signature']).toBe(
      `${standard(secret, during)} ${standard(subscription.secret, during)}`,
    )
    expect(after.headers['webhook-signature']).toBe(standard(secret, after))
  })

  test('stops immediately when the old one is revoked or there is no overlap', async () => {
    const server = await start(sendingOptions())
    const { receiver, place, createTicket } = await subscribe(server, { standard_webhooks: true })
    const first = await rotate(server, receiver, place, { overlap_hours: 168 })
    expect(await server.admin.webhooks.revokePreviousSecret(place)).toMatchObject({ previous_secret_until: null })
    await createTicket('A')
    await server.deliveries.runDue()
    const second = await rotate(server, receiver, place, { overlap_hours: 0 })
    await createTicket('B')
    await server.deliveries.runDue()
    expect(receiver.received.map(({ headers }) => headers['webhook-signature'])).toEqual(
      [first.secret, second.secret].map((secret, index) => {
        const request = receiver.received[index]
        return request && standard(secret, request)
      }),
    )
  })

  test('warns when no header carries a signature of each secret', async () => {
    const server = await start(sendingOptions())
    const { place } = await subscribe(server)
    await server.admin.webhooks.update(place, { standard_webhooks: false })
    const { warning } = await server.admin.webhooks.rotateSecret(place)
    expect(warning).toContain('receivers that know only the old one reject every delivery')
    await server.admin.webhooks.update(place, { standard_webhooks: true })
    expect(await server.admin.webhooks.rotateSecret(place)).toMatchObject({
      warning: null,
    })
  })

  test('overlaps with the old one for at most seven days', async () => {
    const server = await start(sendingOptions())
    const { place } = await subscribe(server)
    await expect(server.admin.webhooks.rotateSecret(place, { overlap_hours: 169 })).rejects.toMatchObject({
      code: 'validation',
    })
  })
})

test.each(onDisk)('secrets, headers, and the URL are encrypted in the database on %s', async (store) => {
  const { server, tables, place } = await startWithTables(store, sendingOptions())
  const { subscription, place: at } = await subscribe(server, {
    headers: { Authorization: 'Basic hidden-credential' },
    url: 'https://hooks.example/first-hidden-path',
  })
  const url = 'https://hooks.example/second-hidden-path'
  expect(await server.admin.webhooks.update(at, { url })).toMatchObject({ url })
  const { secret } = await server.admin.webhooks.rotateSecret({ workspace: 1, id: subscription.id })
  const rows = JSON.stringify(await tables.rows('select * from subscriptions'))
  const file = place.data === undefined ? '' : await readFile(join(place.data, 'service.db-wal'), 'latin1')
  for (const hidden of [secret.slice(6), subscription.secret.slice(6), 'hidden-credential', 'hidden-path']) {
    expect(rows).not.toContain(hidden)
    expect(file).not.toContain(hidden)
  }
})
