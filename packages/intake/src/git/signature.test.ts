import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gitHosts } from './hosts/index.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

// The example in GitHub's documentation.
const secret = "It's a Secret to Everybody"
const body = bytes('Hello, World!')
const documented = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17'

type Asked = { headers: Record<string, string>; body?: Uint8Array; secrets?: readonly string[] }
const ask = (host: keyof typeof gitHosts, { headers, body: sent = body, secrets = [secret] }: Asked) =>
  gitHosts[host].verify({ headers, body: sent, secrets, nowMs: 0 })

const hubHosts = [
  ['github', 'X-Hub-Signature-256'],
  ['bitbucket', 'X-Hub-Signature'],
] as const

const flipBit = (input: Uint8Array, at: number) =>
  input.map((byte, index) => (index === at >> 3 ? byte ^ (1 << (at & 7)) : byte))

describe.each(hubHosts)('a signed %s delivery', (host, header) => {
  it('is accepted with the documented signature, in any case of the header name', () => {
    expect(ask(host, { headers: { [header]: documented } })).toBe(true)
    expect(ask(host, { headers: { [header.toLowerCase()]: documented } })).toBe(true)
  })

  it('is accepted with a signature by any of several secrets', () => {
    expect(ask(host, { headers: { [header]: documented }, secrets: ['old', secret, 'new'] })).toBe(true)
  })

  it('is refused after any bit flip in the body', () => {
    for (let bit = 0; bit < body.length * 8; bit += 1) {
      expect(ask(host, { headers: { [header]: documented }, body: flipBit(body, bit) })).toBe(false)
    }
  })

  it('is refused after any bit flip in the signature', () => {
    for (let bit = 0; bit < documented.length * 8; bit += 1) {
      const flipped = Buffer.from(flipBit(bytes(documented), bit)).toString('latin1')
      expect(ask(host, { headers: { [header]: flipped } })).toBe(false)
    }
  })

  it.each([
    ['empty', ''],
    ['without the algorithm', documented.slice('sha256='.length)],
    ['truncated', documented.slice(0, -1)],
    ['longer', `${documented}0`],
    ['in upper case', documented.toUpperCase()],
    ['with upper-case digits', `sha256=${documented.slice(7).toUpperCase()}`],
    ['of another algorithm', `sha1=${createHmac('sha1', secret).update(body).digest('hex')}`],
    ['of another algorithm under the right name', `sha256=${createHmac('sha1', secret).update(body).digest('hex')}`],
    ['given twice', `${documented}, ${documented}`],
    ['followed by a line break', `${documented}\n`],
    ['in base64', `sha256=${createHmac('sha256', secret).update(body).digest('base64')}`],
  ])('is refused with a signature that is %s', (_, signature) => {
    expect(ask(host, { headers: { [header]: signature } })).toBe(false)
  })

  it('is refused without a signature, with another secret, and with an empty secret', () => {
    const withEmptyKey = `sha256=${createHmac('sha256', '').update(body).digest('hex')}`
    expect(ask(host, { headers: {} })).toBe(false)
    expect(ask(host, { headers: { [header]: documented }, secrets: ['other'] })).toBe(false)
    expect(ask(host, { headers: { [header]: withEmptyKey }, secrets: [''] })).toBe(false)
    expect(ask(host, { headers: { [header]: documented }, secrets: [] })).toBe(false)
  })

  it('is refused with any other text as the signature', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (signature) => {
        expect(ask(host, { headers: { [header]: signature } })).toBe(false)
      }),
    )
  })
})

describe('GitHub’s old SHA-1 header', () => {
  it('is ignored, even if it is correct', () => {
    const sha1 = `sha1=${createHmac('sha1', secret).update(body).digest('hex')}`
    expect(ask('github', { headers: { 'X-Hub-Signature': sha1 } })).toBe(false)
    expect(ask('github', { headers: { 'X-Hub-Signature': documented } })).toBe(false)
  })
})

describe('a GitHub form delivery', () => {
  it('has a signature of the form’s bytes', () => {
    const form = bytes(`payload=${encodeURIComponent('{"zen":"Keep it logically awesome."}')}`)
    const signature = `sha256=${createHmac('sha256', secret).update(form).digest('hex')}`
    const ofJson = `sha256=${createHmac('sha256', secret).update('{"zen":"Keep it logically awesome."}').digest('hex')}`
    expect(ask('github', { headers: { 'X-Hub-Signature-256': signature }, body: form })).toBe(true)
    expect(ask('github', { headers: { 'X-Hub-Signature-256': ofJson }, body: form })).toBe(false)
  })
})
