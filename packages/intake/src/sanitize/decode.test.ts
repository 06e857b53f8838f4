import { describe, expect, it } from 'vitest'
import { decodeJson, parseJson, requireRecord, UnreadableBody } from '../sanitize/decode.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const read = (body: Uint8Array, contentType: string | null = 'application/json') => decodeJson(body, contentType)

describe('decoding a body', () => {
  it('drops a byte order mark', () => {
    expect(read(bytes('\uFEFF{"a":1}'))).toEqual({ a: 1 })
  })

  it.each(['utf-16le', 'utf-16be'])('reads %s with a byte order mark', (encoding) => {
    const body = Buffer.from('\uFEFF{"title":"Größe"}', 'utf16le')
    expect(read(encoding === 'utf-16le' ? body : body.swap16())).toEqual({ title: 'Größe' })
  })

  it('replaces bytes that are not UTF-8 in a text with other characters of UTF-8', () => {
    expect(read(Uint8Array.of(0x22, 0xc3, 0xb6, 0xff, 0x62, 0x22))).toBe('ö\uFFFDb')
  })

  it.each([
    ['application/json; charset=iso-8859-1', 'latin1'],
    ['application/json', 'latin1'],
    ['application/json; charset=iso-8859-1', 'utf8'],
    ['application/json; charset=utf-16le', 'utf16le'],
  ] as const)('reads %s that is sent in %s', (type, encoding) => {
    expect(read(Buffer.from('{"title":"Größe"}', encoding), type)).toEqual({ title: 'Größe' })
  })

  it.each(['', '{', '{"a":}', 'nope', '{"a":1}x'])('refuses %j as unreadable', (text) => {
    expect(() => read(bytes(text))).toThrow(UnreadableBody)
  })

  it.each(['[]', '"text"', '3', 'null', 'true'])('refuses %s where an object is needed', (text) => {
    expect(() => requireRecord(read(bytes(text)))).toThrow('The body must be a JSON object.')
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
    const record = requireRecord(read(bytes('{"__proto__":{"polluted":true}}')))
    expect(Object.getPrototypeOf(record)).toBe(Object.prototype)
    expect('polluted' in {}).toBe(false)
  })
})
