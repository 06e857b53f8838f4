import { spawnSync } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { signSync, verifySync, WebhookVerificationError } from '../src/index.ts'

// Compares the signatures with those of Python's `hmac`, an independent implementation.

const python = `
import sys, json, hmac, hashlib, base64
for line in sys.stdin:
    case = json.loads(line)
    body = bytes.fromhex(case['body'])
    plain = hmac.new(case['secret'].encode(), body, hashlib.sha256)
    key = base64.b64decode(case['key'])
    standard = hmac.new(key, case['prefix'].encode() + body, hashlib.sha256)
    print(plain.hexdigest(), base64.b64encode(plain.digest()).decode(), base64.b64encode(standard.digest()).decode())
`

const alphabet = [...'abcXYZ019 .-_=+/\\"\'', 'é', 'ß', '中', '🎉', '\u200d', '\0']
const randomText = (longest: number) =>
  Array.from({ length: randomInt(1, longest) }, () => alphabet[randomInt(alphabet.length)] ?? '').join('')

function makeCase() {
  const key = randomBytes(randomInt(1, 100)).toString('base64')
  // Secrets with surrounding whitespace are refused.
  const secret = `s${randomText(150)}s`
  const body = randomBytes(randomInt(0, 3000))
  const id = `msg_${randomText(20)}`
  return { key, secret, body, id, timestampSeconds: randomInt(0, 2 ** 32) }
}

/** Random bytes are not JSON, but `invalid_json` is thrown only after the MAC was verified. */
function outcome(body: Uint8Array, signature: string, secret: string): string {
  try {
    verifySync({ body, headers: { 'x-service-signature': signature }, secret })
    return 'accepted'
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    return error.code === 'invalid_json' ? 'accepted' : error.code
  }
}

test('20,000 signatures equal those of Python, and every changed body is refused', () => {
  const cases = Array.from({ length: 20_000 }, makeCase)
  const input = cases.map(({ key, secret, body, id, timestampSeconds }) =>
    JSON.stringify({ key, secret, body: body.toString('hex'), prefix: `${id}.${timestampSeconds}.` }),
  )
  const { stdout, status, stderr } = spawnSync('python3', ['-c', python], {
    input: input.join('\n'),
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  })
  expect(status, stderr).toBe(0)
  const answers = stdout.trim().split('\n')
  expect(answers).toHaveLength(cases.length)

  for (const [index, { key, secret, body, id, timestampSeconds }] of cases.entries()) {
    const [hex = '', base64 = '', standard = ''] = answers[index]?.split(' ') ?? []
    expect(signSync({ body, secret })).toBe(hex)
    expect(signSync({ body, secret, encoding: 'base64' })).toBe(base64)
    expect(signSync({ body, secret: `whsec_${key}`, standard: { id, timestampSeconds } })).toBe(`v1,${standard}`)
    for (const signature of [hex, hex.toUpperCase(), base64]) expect(outcome(body, signature, secret)).toBe('accepted')
    if (body.length === 0) continue
    const changed = Buffer.from(body)
    const position = randomInt(body.length)
    changed.writeUInt8(changed.readUInt8(position) ^ randomInt(1, 256), position)
    expect(outcome(changed, hex, secret)).toBe('no_match')
  }
})
