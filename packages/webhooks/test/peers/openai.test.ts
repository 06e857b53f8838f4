import { describe, expect, it } from 'vitest'
import { type HeaderSource, sign, verify, verifySync } from '../../src/index.ts'

/** OpenAI's test cases: Standard Webhooks with a configurable tolerance. */
const secret = 'whsec_RdvaYFYUXuIFuEbvZHwMfYFhUf7aMYjYcmM24+Aj40c='
const body = JSON.stringify({ id: 'evt_1', event: 'batch.completed', data: { id: 'batch_1' } })
const id = 'wh_1'
const sentAt = Date.parse('2026-11-20T18:51:53Z')
const timestampSeconds = sentAt / 1000

const makeHeaders = async (change: Record<string, string | undefined> = {}) => ({
  'webhook-id': id,
  'webhook-timestamp': String(timestampSeconds),
  'webhook-signature': await sign({ body, secret, standard: { id, timestampSeconds } }),
  ...change,
})

async function outcome(
  headers: HeaderSource,
  { ageSeconds = 0, ...more }: { ageSeconds?: number; toleranceSeconds?: number; secret?: string | string[] } = {},
) {
  const options = { body, headers, secret, now: () => sentAt + ageSeconds * 1000, ...more }
  const [asynchronous, synchronous] = await Promise.allSettled([
    verify(options),
    new Promise((done) => done(verifySync(options))),
  ])
  expect(synchronous).toEqual(asynchronous)
  return asynchronous.status === 'fulfilled' ? asynchronous.value.name : asynchronous.reason.code
}

describe('the test cases of OpenAI', () => {
  it('accepts a valid delivery', async () => {
    expect(await outcome(await makeHeaders())).toBe('batch.completed')
  })

  it('accepts a Headers object', async () => {
    const headers = Object.entries(await makeHeaders()).map(([name, value]): [string, string] => [name, value ?? ''])
    expect(await outcome(new Headers(headers))).toBe('batch.completed')
  })

  it('refuses a wrong secret', async () => {
    expect(await outcome(await makeHeaders(), { secret: 'whsec_d3Jvbmc=' })).toBe('no_match')
  })

  it('refuses a missing secret with a hint', async () => {
    expect(await outcome(await makeHeaders(), { secret: '' })).toBe('bad_secret')
  })

  it.each([
    ['webhook-signature', 'missing_signature'],
    ['webhook-timestamp', 'malformed_headers'],
    ['webhook-id', 'malformed_headers'],
  ])('refuses a delivery without %s', async (name, code) => {
    expect(await outcome(await makeHeaders({ [name]: undefined }))).toBe(code)
  })

  it('refuses a timestamp that is not a number', async () => {
    expect(await outcome(await makeHeaders({ 'webhook-timestamp': 'not a number' }))).toBe('malformed_headers')
  })

  it('refuses a malformed signature', async () => {
    expect(await outcome(await makeHeaders({ 'webhook-signature': 'v1,not base64' }))).toBe('malformed_signature')
  })

  it.each([
    ['too old', 400, 'timestamp_old'],
    ['too new', -400, 'timestamp_new'],
  ])('refuses a timestamp that is %s', async (_name, ageSeconds, code) => {
    expect(await outcome(await makeHeaders(), { ageSeconds })).toBe(code)
  })

  it('accepts the same age with a longer tolerance', async () => {
    expect(await outcome(await makeHeaders(), { ageSeconds: 400, toleranceSeconds: 500 })).toBe('batch.completed')
  })

  it('accepts one correct signature among several, and refuses several wrong ones', async () => {
    const { 'webhook-signature': correct } = await makeHeaders()
    const wrong = `v1,${Buffer.alloc(32).toString('base64')}`
    expect(await outcome(await makeHeaders({ 'webhook-signature': `${wrong} ${correct}` }))).toBe('batch.completed')
    expect(await outcome(await makeHeaders({ 'webhook-signature': `${wrong} ${wrong}` }))).toBe('no_match')
  })

  it('uses the bytes of a secret without a prefix', async () => {
    const plain = 'a secret without a prefix'
    const signature = await sign({ body, secret: plain, standard: { id, timestampSeconds } })
    expect(await outcome(await makeHeaders({ 'webhook-signature': signature }), { secret: plain })).toBe(
      'batch.completed',
    )
  })
})
