import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { verifySync, WebhookVerificationError } from '../src/index.ts'

// Valid headers with one edit, valid headers with prefixes and suffixes, and random text. Only headers that contain the MAC
// may be accepted, and only a WebhookVerificationError may be thrown.

const count = 1_000_000
const seed = Date.now() % 2 ** 31
const secret = 'a secret of a subscription'
const body = Buffer.from('{"event":"task.created","workspace_id":1}')
const digest = createHmac('sha256', secret).update(body).digest()
const encodings = [
  digest.toString('hex'),
  digest.toString('hex').toUpperCase(),
  digest.toString('base64'),
  digest.toString('base64url'),
]
const prefixes = ['', 'sha256=', 'v0=', 'v1=', 'v1,', 'v1', 'v2,', 'sha1=', ' ', ',', '=']
const alphabet = '0123456789abcdefABCDEFghijkGHIJK+/-_=, \tv\u00e9\u0130\0'

let state = seed
/** The mulberry32 generator: the same seed gives the same sequence. */
function random(below: number): number {
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
  return ((mixed ^ (mixed >>> 14)) >>> 0) % below
}
const pick = (from: ArrayLike<string>) => from[random(from.length)] ?? ''

const edits: ((value: string, at: number) => string)[] = [
  (value) => value,
  (value, at) => value.slice(0, at) + pick(alphabet) + value.slice(at + 1),
  (value, at) => value.slice(0, at) + pick(alphabet) + value.slice(at),
  (value, at) => value.slice(0, at) + value.slice(at + 1),
  (value, at) => value.slice(at),
  (value, at) => value.slice(0, at),
  (value) => Array.from({ length: random(90) }, () => pick(alphabet)).join('') + value.slice(0, random(3)),
]

const makeHeader = () => {
  const encoded = pick(encodings)
  const edited = edits[random(edits.length)]?.(encoded, random(encoded.length)) ?? encoded
  return pick(prefixes) + edited + pick(['', '', '', '=', ',', ' ', ` ${pick(prefixes)}x`])
}

/** An independent check, not optimized: whether a part of the header decodes to the MAC. */
function carriesMac(header: string): boolean {
  return header.split(' ').some((part) => {
    const bare = part.replace(/,$/, '').replace(/^(sha256=|v0=|v1=|v1,)/, '')
    if (bare.toLowerCase() === encodings[0]) return true
    return [bare, `${bare}=`].some((text) => text === encodings[2] || text === `${encodings[3]}=`)
  })
}

test(`accepts only the headers that contain the MAC, of a million (seed ${seed})`, () => {
  let accepted = 0
  for (let number = 0; number < count; number++) {
    const header = makeHeader()
    const isAccepted = accepts(header)
    if (isAccepted !== carriesMac(header)) expect({ header, isAccepted }).toEqual({ header, isAccepted: !isAccepted })
    if (isAccepted) accepted++
  }
  expect(accepted).toBeGreaterThan(0)
})

function accepts(header: string): boolean {
  try {
    verifySync({ body, headers: { 'x-service-signature': header }, secret })
    return true
  } catch (error) {
    if (error instanceof WebhookVerificationError) return false
    throw error
  }
}
