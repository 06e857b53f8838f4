import { describe, expect, it } from 'vitest'
import { verify } from '../../src/index.ts'
import { makeHeader, open, type Scheme } from './timestamped.ts'

/** The WorkOS test cases for bodies that are bytes. Its header uses milliseconds. */
describe('the raw body cases of WorkOS', () => {
  const scheme: Scheme = { separator: '.', unitMs: 1 }
  const secret = 'a secret of WorkOS'
  const body = '{"id":"wh_1","event":"made.up","data":{"name":"Zoë 🎉"}}'
  const now = Date.parse('2026-11-20T18:51:53Z')

  const receive = async (given: string | ArrayBufferView | ArrayBuffer, signed = body) => {
    const header = await makeHeader(scheme, { body: signed, secret, t: now })
    return open(scheme, verify, { body: given, header, secret, toleranceSeconds: 180, now })
  }

  it.each([
    ['a string', body],
    ['a Buffer', Buffer.from(body)],
    ['a Uint8Array', new TextEncoder().encode(body)],
    ['an ArrayBuffer', new TextEncoder().encode(body).buffer],
    ['a view into a larger buffer', new TextEncoder().encode(`__${body}__`).subarray(2, -2)],
  ])('verifies %s', async (_name, given) => {
    expect((await receive(given)).payload).toEqual(JSON.parse(body))
  })

  it.each([
    ['whitespace', body.replaceAll(':', ': ')],
    ['an escaped character', body.replace('ë', '\\u00eb')],
    ['reordered keys', '{"event":"made.up","id":"wh_1","data":{"name":"Zoë 🎉"}}'],
  ])('refuses a different serialization of the same JSON: %s', async (_name, other) => {
    expect(JSON.parse(other)).toEqual(JSON.parse(body))
    await expect(receive(Buffer.from(other))).rejects.toMatchObject({ code: 'no_match' })
  })

  it('treats a byte order mark as part of the signed text', async () => {
    await expect(receive(Buffer.from(`\uFEFF${body}`))).rejects.toMatchObject({ code: 'no_match' })
    await expect(receive(Buffer.from(`\uFEFF${body}`), `\uFEFF${body}`)).rejects.toMatchObject({ code: 'invalid_json' })
  })
})

/** Convoy's test vectors. Those with SHA-512 are left out, because the platform does not use it. */
describe('the SHA-256 vectors of Convoy', () => {
  const secret = 'convoy-webhook-secret'
  const body = '{"event":"charge.success","amount":1000,"currency":"NGN"}'
  const simple = '244449b7f48cbc2709060c9dcdc2b3aa47a78f540430579015c579fb12defbb4'
  const advanced = '77b8b9269f25a199846a55a2bd25b3fba151c70fdae60bb1dcd87fbbc943c55c'
  const others = ['449623e4897bbde05e35358293f97b8c2f697367ffa3e7466e98178dfba44d19', 'c7eff183'.repeat(8)]
  const outcome = (run: Promise<unknown>) =>
    run.then(
      () => true,
      () => false,
    )

  it.each([
    ['simple, hex', simple, true],
    ['simple, base64', 'JERJt/SMvCcJBgydzcKzqkenj1QEMFeQFcV5+xLe+7Q=', true],
    ['simple, tampered with', simple.replace(/4$/, '0'), false],
  ])('%s', async (_name, signature, isValid) => {
    const headers = { 'x-service-signature': signature }
    expect(await outcome(verify({ body, headers, secret }))).toBe(isValid)
  })

  it.each([
    ['hex', `t=1700000000,v1=${advanced}`, true],
    ['base64', 't=1700000000,v1=d7i5Jp8loZmEalWivSWz+6FRxw/a5gux3Nh/u8lDxVw=', true],
    ['tampered with', `t=1700000000,v1=${advanced.replace(/c$/, '0')}`, false],
    ['time at the end', `v1=${advanced},t=1700000000`, true],
    ['two signatures, one correct', `t=1700000000,v1=${others[0]},v1=${advanced}`, true],
    ['two signatures, none correct', `t=1700000000,v1=${others[0]},v1=${others[1]}`, false],
    ['an infinite time', `t=Infinity,v1=${advanced}`, false],
    ['a number as signature', 't=1700000000,v1=1234567890', false],
    ['no time', `v1=${advanced},v2=${advanced}`, false],
  ])('advanced, %s', async (_name, header, isValid) => {
    expect(await outcome(open({ separator: ',', unitMs: 1000 }, verify, { body, header, secret }))).toBe(isValid)
  })

  it('advanced, expired', async () => {
    const given = { body, header: `t=1700000000,v1=${advanced}`, secret, toleranceSeconds: 300 }
    expect(await outcome(open({ separator: ',', unitMs: 1000 }, verify, given))).toBe(false)
  })
})
