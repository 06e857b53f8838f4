import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { hasPlatformSignature } from './platform-signature.ts'

const secret = 'client secret'
const body = new TextEncoder().encode('{"lead_id":"t1"}')
const sentAt = 1_633_174_587
const hour = 60 * 60 * 1000
const sign = (seconds: number, key = secret, signed: Uint8Array = body) =>
  createHmac('sha256', key).update(`${seconds}.`).update(signed).digest('hex')

const isTrusted = (header: string | undefined, { given = secret, nowMs = sentAt * 1000, sent = body } = {}) =>
  hasPlatformSignature(
    { params: { source: 'tiktok' }, headers: header === undefined ? {} : { 'tiktok-signature': header }, body: sent },
    given,
    nowMs,
  )

describe("TikTok's signature", () => {
  it('is the HMAC of the time and the body', () => {
    expect(isTrusted(`t=${sentAt},s=${sign(sentAt)}`)).toBe(true)
  })

  it.each([
    ['of another secret', `t=${sentAt},s=${sign(sentAt, 'other')}`],
    ['of another time', `t=${sentAt + 1},s=${sign(sentAt)}`],
    ['of another body', `t=${sentAt},s=${sign(sentAt, secret, new Uint8Array([0x7b]))}`],
    ['in capitals', `t=${sentAt},s=${sign(sentAt).toUpperCase()}`],
    ['without a time', `s=${sign(sentAt)}`],
    ['without a signature', `t=${sentAt}`],
    ['twice', `t=${sentAt},s=${sign(sentAt)}, t=${sentAt},s=${sign(sentAt)}`],
    ['empty', ''],
    ['missing', undefined],
  ])('is refused when it is %s', (_, header) => {
    expect(isTrusted(header)).toBe(false)
  })

  it('is valid for as long as TikTok retries a delivery, and not before its own time', () => {
    const header = `t=${sentAt},s=${sign(sentAt)}`
    expect(isTrusted(header, { nowMs: sentAt * 1000 + 71 * hour })).toBe(true)
    expect(isTrusted(header, { nowMs: sentAt * 1000 + 73 * hour })).toBe(false)
    expect(isTrusted(header, { nowMs: sentAt * 1000 - hour })).toBe(false)
  })

  it('is refused without a secret, and for a body that is not a JSON object', () => {
    expect(isTrusted(`t=${sentAt},s=${sign(sentAt, '')}`, { given: '' })).toBe(false)
    const text = new TextEncoder().encode('name=Ada')
    expect(isTrusted(`t=${sentAt},s=${sign(sentAt, secret, text)}`, { sent: text })).toBe(false)
  })
})
