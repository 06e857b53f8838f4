import { describe, expect, it } from 'vitest'
import { decodeJson, parseJson, requireRecord, UnreadableBody } from '../sanitize/decode.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

describe('decoding a body', () => {
  it('drops a byte order mark', () => {
    expect(decodeJson(bytes('\uFEFF{"a":1}'))).toEqual({ a: 1 })
  })

  it('replaces bytes that are not UTF-8', () => {
    expect(decodeJson(Uint8Array.of(0x22, 0x61, 0xff, 0x62, 0x22))).toBe('a\uFFFDb')
  })

  it.each(['', '{', '{"a":}', 'nope', '{"a":1}x'])('refuses %j as unreadable', (text) => {
    expect(() => decodeJson(bytes(text))).toThrow(UnreadableBody)
  })

  it.each(['[]', '"text"', '3', 'null', 'true'])('refuses %s where an object is needed', (text) => {
    expect(() => requireRecord(decodeJson(bytes(text)))).toThrow('The body must be a JSON object.')
  })

  it('refuses a million open brackets without parsing them', () => {
    expect(() => parseJson('['.repeat(1_000_000))).toThrow('nested too deeply')
    expect(() => parseJson(`${'{"a":'.repeat(1_000)}1${'}'.repeat(1_000)}`)).toThrow('nested too deeply')
  })

  it('does not count brackets inside strings', () => {
    const text = `${'['.repeat(500)}"\\${'{'.repeat(500)}`
    expect(parseJson(JSON.stringify({ text, next: '\\', last: '"[' }))).toEqual({ text, next: '\\', last: '"[' })
  })

  it('does not change a prototype for a key named __proto__', () => {
    const read = requireRecord(decodeJson(bytes('{"__proto__":{"polluted":true}}')))
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype)
    expect('polluted' in {}).toBe(false)
  })
})
