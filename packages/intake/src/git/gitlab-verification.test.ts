import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { gitHosts } from './hosts/index.ts'

const key = Buffer.alloc(32, 7)
const secret = `whsec_${key.toString('base64')}`
const body = new TextEncoder().encode('{"object_kind":"push"}')
const nowMs = 1_760_000_000_000
const now = nowMs / 1000

const sign = (id: string, timestamp: number, with_ = key) =>
  `v1,${createHmac('sha256', with_).update(`${id}.${timestamp}.`).update(body).digest('base64')}`

const signed = (changes: Record<string, string> = {}, timestamp = now) => ({
  'webhook-id': 'delivery-1',
  'webhook-timestamp': String(timestamp),
  'webhook-signature': sign('delivery-1', timestamp),
  ...changes,
})

const verify = (headers: Record<string, string>, secrets: readonly string[] = [secret]) =>
  gitHosts.gitlab.verify({ headers, body, secrets, nowMs })

describe('a GitLab token', () => {
  it('is accepted if it equals the secret', () => {
    expect(verify({ 'X-Gitlab-Token': 'open sesame' }, ['open sesame'])).toBe(true)
    expect(verify({ 'x-gitlab-token': secret })).toBe(true)
  })

  it('may contain letters that HTTP libraries decode as Latin-1', () => {
    const overTheWire = Buffer.from('geheimnisträger', 'utf8').toString('latin1')
    expect(verify({ 'X-Gitlab-Token': overTheWire }, ['geheimnisträger'])).toBe(true)
    expect(verify({ 'X-Gitlab-Token': 'geheimnisträger' }, ['geheimnisträger'])).toBe(true)
  })

  it.each(['', 'open sesam', 'open sesame ', 'Open sesame', 'open sesame, open sesame'])(
    'is refused when it is %j',
    (token) => {
      expect(verify({ 'X-Gitlab-Token': token }, ['open sesame'])).toBe(false)
    },
  )

  it('is required, and an empty secret accepts nothing', () => {
    expect(verify({}, ['open sesame'])).toBe(false)
    expect(verify({ 'X-Gitlab-Token': '' }, [''])).toBe(false)
  })
})

describe('a GitLab signature', () => {
  it('is accepted up to five minutes before and after its time', () => {
    for (const seconds of [0, 299, 300, -299, -300]) expect(verify(signed({}, now + seconds))).toBe(true)
  })

  it.each([301, -301, 86_400])('is refused when its time is off by %i s', (seconds) => {
    expect(verify(signed({}, now + seconds))).toBe(false)
  })

  it('is accepted if one of several values matches', () => {
    const other = sign('delivery-1', now, Buffer.alloc(32, 8))
    expect(verify(signed({ 'webhook-signature': `${other} ${sign('delivery-1', now)}` }))).toBe(true)
    expect(verify(signed({ 'webhook-signature': `v2,abc ${other}` }))).toBe(false)
  })

  it.each([
    ['another id', { 'webhook-id': 'delivery-2' }],
    ['an empty id', { 'webhook-id': '' }],
    ['another time', { 'webhook-timestamp': String(now + 1) }],
    ['a time that is no number', { 'webhook-timestamp': `${now}.0` }],
    ['an empty signature', { 'webhook-signature': '' }],
    ['a signature without version', { 'webhook-signature': sign('delivery-1', now).slice(3) }],
    ['a truncated signature', { 'webhook-signature': sign('delivery-1', now).slice(0, -1) }],
    ['a signature in hex', { 'webhook-signature': `v1,${Buffer.alloc(32).toString('hex')}` }],
    ['a comma between values', { 'webhook-signature': `${sign('delivery-1', now)}, ${sign('delivery-1', now)}` }],
  ])('is refused with %s', (_, changes) => {
    expect(verify(signed(changes))).toBe(false)
  })

  it('is refused after any bit flip, including the bits that base64 ignores', () => {
    const signature = sign('delivery-1', now)
    for (let bit = 0; bit < signature.length * 8; bit += 1) {
      const flipped = Buffer.from(signature, 'latin1')
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      expect(verify(signed({ 'webhook-signature': flipped.toString('latin1') }))).toBe(false)
    }
  })

  it('decides alone, regardless of the token', () => {
    const wrong = sign('delivery-1', now, Buffer.alloc(32, 8))
    expect(verify({ ...signed({ 'webhook-signature': wrong }), 'X-Gitlab-Token': secret })).toBe(false)
    expect(verify({ ...signed(), 'X-Gitlab-Token': 'wrong' })).toBe(true)
  })

  it('uses a secret without the prefix whsec_ as bytes, and refuses a prefixed one that is not base64', () => {
    const plain = signed({ 'webhook-signature': sign('delivery-1', now, Buffer.from('open sesame')) })
    expect(verify(plain, ['open sesame'])).toBe(true)
    expect(verify(signed(), ['whsec_', 'whsec_???'])).toBe(false)
  })
})
