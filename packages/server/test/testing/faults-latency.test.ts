import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { setImmediate as realImmediate } from '../../src/core/clock.ts'
import { drawLatencyMs } from '../../src/testing/faults/apply-fault.ts'
import { startOver, startServer, transports } from './faulty-server.ts'

test.each(transports)(
  '%s latency takes real time while the clock is frozen, even with fake timers',
  async (transport) => {
    const { send, ...setup } = await startOver(transport)
    setup.server.faults.add({ latency: '400ms', times: 1 })
    if (transport === 'in process') vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const answered: string[] = []
    const slow = send(setup.path).then(() => answered.push('slow'))
    while (setup.server.faults.list()[0]?.hits === 0) await new Promise((resolve) => realImmediate(resolve))
    await send(setup.path).then(() => answered.push('fast'))
    await slow
    expect(answered).toEqual(['fast', 'slow'])
    expect(setup.server.clock.now().toISOString()).toBe('2026-11-20T09:00:00.000Z')
  },
)

test('virtual latency ends when the clock is advanced', async () => {
  const { server, create, titles } = await startServer()
  server.faults.add({ latency: '1h', clock: 'virtual' })
  const creating = create()
  await server.settled()
  expect(await titles()).toEqual([])
  await server.clock.advance('1h')
  const { data } = (await (await creating).json()) as { data: { created_at: string } } // the contract's answer
  expect(data.created_at).toBe('2026-11-20T10:00:00.000000Z')
})

test('latency precedes the work, or follows it with when: after', async () => {
  const { server, create, titles } = await startServer()
  const wait = { latency: '1h', clock: 'virtual' } as const
  server.faults.add({ ...wait, times: 1, when: 'after' })
  server.faults.add({ ...wait, times: 1 })
  const [after, before] = [create('after'), create('before')]
  await server.settled()
  expect(await titles()).toEqual(['after'])
  await server.clock.advance('1h')
  await Promise.all([after, before])
  expect((await titles()).toSorted()).toEqual(['after', 'before'])
})

test.each(['before', 'after'] as const)(
  'a caller that aborts during latency %s the work gets its own reason',
  async (when) => {
    const { server, create, titles } = await startServer()
    server.faults.add({ latency: '1h', when })
    const caller = new AbortController()
    const creating = create('A', { signal: caller.signal })
    await server.settled()
    caller.abort(new Error('enough'))
    await expect(creating).rejects.toThrow('enough')
    expect(await titles()).toEqual(when === 'after' ? ['A'] : [])
  },
)

test('a delayed request continues when its fault is cleared', async () => {
  const { server, list } = await startServer()
  server.faults.add({ latency: '1h' })
  const response = list()
  await server.settled()
  server.faults.clear()
  expect((await response).status).toBe(200)
})

test('latency combines with a response', async () => {
  const { server, list } = await startServer()
  server.faults.add({ latency: 1, respond: 504 })
  expect((await list()).status).toBe(504)
  expect(server.journal.entries()[0]?.fault).toBe('latency 1, answer 504')
})

const chances = fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }))
const drawFrom = (stream: IterableIterator<number>) => () => stream.next().value ?? 0

test('uniform latency stays within its bounds', () => {
  const bounds = fc.tuple(fc.nat(1000), fc.nat(1000))
  fc.assert(
    fc.property(bounds, chances, ([min, more], stream) => {
      const ms = drawLatencyMs({ min, max: min + more }, drawFrom(stream))
      expect(ms).toBeGreaterThanOrEqual(min)
      expect(ms).toBeLessThanOrEqual(min + more)
    }),
  )
})

test('log-normal latency is positive and finite, and half of it exceeds the median', () => {
  fc.assert(
    fc.property(chances, (stream) => {
      const ms = drawLatencyMs({ median: 100 }, drawFrom(stream))
      expect(Number.isFinite(ms) && ms > 0).toBe(true)
    }),
  )
  let state = 1
  // Park and Miller's generator, for a fixed count.
  const chance = () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
  const above = Array.from({ length: 4000 }, () => drawLatencyMs({ median: 100, sigma: 1 }, chance) > 100)
  expect(above.filter(Boolean).length / above.length).toBeCloseTo(0.5, 1)
})
