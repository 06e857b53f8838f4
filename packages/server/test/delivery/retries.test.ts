import { expect, test } from 'vitest'
import { microsPerHour, microsPerMinute, microsPerSecond } from '../../src/core/clock.ts'
import { systemIds } from '../../src/core/ids.ts'
import { collectedLog } from '../collected-log.ts'
import { onEveryStore } from '../on-every-store.ts'
import { newestDelivery } from './newest-delivery.ts'
import { startReceiver, status } from './receiver.ts'
import { sendingOptions, subscribe } from './subscribed.ts'

const second = microsPerSecond
const waits = [
  5 * second,
  5 * microsPerMinute,
  30 * microsPerMinute,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * microsPerHour),
]

/** Returns the same byte every time: 0 gives the shortest waits, 255 the longest. */
const randomness = (byte: number) => ({
  uuid: systemIds().uuid,
  bytes: (length: number) => new Uint8Array(length).fill(byte),
})

onEveryStore('a delivery that fails', (start) => {
  test.each([
    { byte: 0, factor: 0.8 },
    { byte: 255, factor: 1.2 },
  ])('is attempted ten times over 76 hours, with jitter of at most $factor of each wait', async ({ byte, factor }) => {
    const options = sendingOptions()
    const log = collectedLog()
    const server = await start({ ...options, ids: randomness(byte), log })
    const { receiver, workspace, createTicket } = await subscribe(server, { reply: status(500) })
    await createTicket('A')
    await server.deliveries.runDue()
    for (const [index, wait] of waits.entries()) {
      expect(receiver.received).toHaveLength(index + 1)
      options.clock.advance(wait * factor - 0.1 * second)
      await server.deliveries.runDue()
      expect(receiver.received).toHaveLength(index + 1)
      options.clock.advance(0.2 * second)
      await server.deliveries.runDue()
    }
    expect(receiver.received.map(({ headers }) => headers['x-service-attempt'])).toEqual(
      Array.from({ length: 10 }, (_, index) => String(index + 1)),
    )
    expect(new Set(receiver.received.map(({ headers }) => headers['x-service-delivery'])).size).toBe(1)
    expect(await newestDelivery(server, workspace)).toMatchObject({
      state: 'failed',
      attempts: 10,
      next_attempt_at: null,
    })
    expect(log.lines.filter(({ sentence }) => sentence.includes('given up'))).toHaveLength(1)
    options.clock.advance(100 * microsPerHour)
    await server.deliveries.runDue()
    expect(receiver.received).toHaveLength(10)
  })

  test('succeeds on a later attempt with the same id and bytes', async () => {
    const options = sendingOptions()
    const server = await start(options)
    const reply = (response: Parameters<ReturnType<typeof status>>[0], _: unknown, number: number) =>
      void response.writeHead(number < 3 ? 503 : 200).end('fine')
    const { receiver, workspace, createTicket } = await subscribe(server, { reply })
    await createTicket('A')
    for (const wait of [0, 6, 360]) {
      options.clock.advance(wait * second)
      await server.deliveries.runDue()
    }
    const delivery = await newestDelivery(server, workspace)
    expect(delivery).toMatchObject({
      state: 'succeeded',
      attempts: 3,
      error: null,
      uuid: receiver.received[0]?.headers['x-service-delivery'],
    })
    expect(new Set(receiver.received.map(({ headers }) => headers['x-service-delivery']))).toEqual(
      new Set([delivery.uuid]),
    )
    expect(new Set(receiver.received.map(({ body }) => body.toString())).size).toBe(1)
    expect(
      delivery.log.map(({ number, outcome, status, response, ip }) => ({ number, outcome, status, response, ip })),
    ).toEqual([
      { number: 1, outcome: 'status', status: 503, response: 'fine', ip: '127.0.0.1' },
      { number: 2, outcome: 'status', status: 503, response: 'fine', ip: '127.0.0.1' },
      { number: 3, outcome: 'ok', status: 200, response: 'fine', ip: '127.0.0.1' },
    ])
  })

  test('is not retried before the Retry-After of the receiver', async () => {
    const options = sendingOptions()
    const server = await start(options)
    const { receiver, createTicket } = await subscribe(server, { reply: status(429, { 'retry-after': '120' }) })
    await createTicket('A')
    await server.deliveries.runDue()
    options.clock.advance(119 * second)
    await server.deliveries.runDue()
    expect(receiver.received).toHaveLength(1)
    options.clock.advance(2 * second)
    await server.deliveries.runDue()
    expect(receiver.received).toHaveLength(2)
  })

  test('with status 410 is given up immediately and disables the subscription', async () => {
    const options = sendingOptions()
    const log = collectedLog()
    const server = await start({ ...options, log })
    const { receiver, workspace, place, createTicket } = await subscribe(server, { reply: status(410) })
    await createTicket('A')
    await server.deliveries.runDue()
    await createTicket('B')
    options.clock.advance(30 * microsPerHour)
    await server.deliveries.runDue()
    expect(receiver.received).toHaveLength(1)
    expect(await server.admin.webhooks.get(place)).toMatchObject({
      enabled: false,
      disabled_reason: 'gone',
    })
    const states = (await server.admin.deliveries.list({ workspace: workspace.id })).data.map(({ state }) => state)
    expect(states).toEqual(['held', 'failed'])
    expect(log.lines).toContainEqual(
      expect.objectContaining({ level: 'warn', sentence: expect.stringContaining('is disabled (gone)') }),
    )
  })

  test.each([301, 302, 303, 307, 308])('with a redirect (%i) does not follow it', async (code) => {
    const server = await start(sendingOptions())
    const target = await startReceiver()
    const { receiver, workspace, createTicket } = await subscribe(server, {
      reply: status(code, { location: target.url }),
    })
    await createTicket('A')
    await server.deliveries.runDue()
    expect(receiver.received).toHaveLength(1)
    expect(target.connections()).toBe(0)
    expect((await newestDelivery(server, workspace)).log).toMatchObject([
      { outcome: 'redirect', status: code, error: `The receiver answered ${code}, and redirects are not followed.` },
    ])
  })
})
