import { createClient } from '@service/client'
import { eventNames } from '@service/contract'
import type { WebhookEvent } from '@service/webhooks'
import { dedupe, memoryStore } from '@service/webhooks/dedupe'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../src/core/system-clock.ts'
import type { Server } from '../../src/index.ts'
import { onEveryStore, type Start } from '../on-every-store.ts'
import { seedWorkspace } from '../workspace.ts'
import { newestDelivery } from './newest-delivery.ts'
import { sendingOptions } from './subscribed.ts'
import { type ApplicationOptions, type Subscriber, subscribers } from './subscribers.ts'

/** A platform on a port with the machine's clock and a workspace. */
async function startPlatform(start: Start) {
  const server = await start({ ...sendingOptions(), clock: systemClock() })
  const seeded = await seedWorkspace(server)
  const { url } = await server.listen({ port: 0 })
  const { token, workspace } = seeded
  const client = createClient({ baseUrl: `${url}/api/v1`, token, workspace: workspace.id })
  return { ...seeded, server, client }
}

/** An application that learns its secret only after subscribing, as in production. */
async function subscribeApplication(
  { server, workspace }: { server: Server; workspace: { id: number } },
  begin: Subscriber['start'],
  secretOf = (secret: string) => secret,
) {
  const handled: WebhookEvent[] = []
  const keep = (event: WebhookEvent) => void handled.push(event)
  const on = Object.fromEntries(eventNames.map((name) => [name, keep])) as ApplicationOptions['on'] // one for each name
  const { id, secret } = await server.admin.webhooks.create(
    { workspace: workspace.id },
    { url: 'http://127.0.0.1:9/not-there-yet', events: ['*'], standard_webhooks: true },
  )
  const url = await begin({ secret: secretOf(secret), on, dedupe: dedupe({ store: memoryStore() }) })
  await server.admin.webhooks.update({ workspace: workspace.id, id }, { url })
  return handled
}

/** An event with letters beyond ASCII, and each event type. */
async function makeEverythingHappen({ server, client, workspace }: Awaited<ReturnType<typeof startPlatform>>) {
  await client.tickets.create({ title: 'Größe „ß“ 🎉' })
  for (const event of eventNames) await server.admin.events.trigger({ workspace: workspace.id }, { event })
}

describe.each(subscribers)('$name', ({ start: startApplication, startParsing }) => {
  onEveryStore(
    'an application',
    (start) => {
      test('receives every event type from a running platform, responds 2xx, and handles a duplicate only once', async () => {
        const platform = await startPlatform(start)
        const { server, workspace } = platform
        const handled = await subscribeApplication(platform, startApplication)
        await makeEverythingHappen(platform)
        const events = (await server.admin.events.list({ workspace: workspace.id })).data.toReversed()
        const succeeded = () =>
          server.admin.deliveries.list({ workspace: workspace.id }, { state: 'succeeded' }).then(({ data }) => data)
        await expect.poll(async () => (await succeeded()).length).toBe(events.length)
        expect(new Set(handled.map(({ type }) => type))).toEqual(new Set(eventNames))
        const byText = (a: string, b: string) => (a < b ? -1 : 1)
        expect(handled.map(({ payload }) => JSON.stringify(payload)).sort(byText)).toEqual(
          events.map(({ body }) => body).sort(byText),
        )
        const deliveries = await succeeded()
        expect(new Set(handled.map(({ delivery }) => delivery.id))).toEqual(new Set(deliveries.map(({ uuid }) => uuid)))
        for (const { delivery } of handled) expect(delivery).toMatchObject({ attempt: 1, replayProtected: true })
        const place = { workspace: workspace.id, id: deliveries[0]?.id ?? 0 }
        await server.admin.deliveries.resend(place)
        await expect.poll(async () => (await server.admin.deliveries.attempts(place)).data.length).toBe(2)
        expect((await server.admin.deliveries.attempts(place)).data.map(({ status }) => status)).toEqual([204, 204])
        expect(handled).toHaveLength(events.length)
      })

      test.each([
        { mistake: 'has another secret', isParsing: false, status: 401, code: 'no_match' },
        { mistake: 'parses bodies before it verifies them', isParsing: true, status: 500, code: 'body_consumed' },
      ])('that $mistake answers $status with a hint, and both stand in the attempt log', async (wrong) => {
        const platform = await startPlatform(start)
        const { server, workspace, client } = platform
        const handled = await subscribeApplication(
          platform,
          wrong.isParsing ? startParsing : startApplication,
          (secret) => (wrong.isParsing ? secret : 'whsec_b2Ygc29tZWJvZHkgZWxzZQ=='),
        )
        await client.tickets.create({ title: 'A' })
        await expect.poll(async () => (await newestDelivery(server, workspace)).attempts).toBe(1)
        const { state, log } = await newestDelivery(server, workspace)
        expect([state, log[0]?.outcome, log[0]?.status]).toEqual(['pending', 'status', wrong.status])
        const { code, hint }: { code: string; hint: string } = JSON.parse(log[0]?.response ?? '')
        expect(code).toBe(wrong.code)
        expect(hint).toMatch(/\w+ \w+/)
        expect(handled).toEqual([])
      })
    },
    ['sqlite', 'postgres'],
  )
})
