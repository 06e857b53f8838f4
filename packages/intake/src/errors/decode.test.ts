import { deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { UnreadableBody } from '../sanitize/decode.ts'
import { decodeReport, defaultLimits, type ReportLimits } from './decode.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

type Options = { readonly headers?: Record<string, string>; readonly limits?: Partial<ReportLimits> }

const decoded = (body: Uint8Array | string, { headers = {}, limits = {} }: Options = {}) =>
  decodeReport({
    body: typeof body === 'string' ? bytes(body) : body,
    headers: new Headers(headers),
    limits: { ...defaultLimits, ...limits },
  }).documents

const refusal = (body: Uint8Array | string, options?: Options): unknown => {
  try {
    return decoded(body, options)
  } catch (error) {
    return error instanceof UnreadableBody ? error.kind : error
  }
}

const report = '{"message":"boom"}'
const form = { 'Content-Type': 'application/x-www-form-urlencoded' }

describe('a body', () => {
  it('is decompressed if it starts like gzip or zlib', () => {
    expect(decoded(gzipSync(report))).toEqual([{ message: 'boom' }])
    expect(decoded(deflateSync(report))).toEqual([{ message: 'boom' }])
    expect(decoded(deflateSync(report).toString('base64'))).toEqual([{ message: 'boom' }])
  })

  it('is refused as unreadable if it is cut short', () => {
    expect(refusal(gzipSync(report).subarray(0, 20))).toBe('unreadable')
  })

  it('is refused as too large before a decompression bomb expands', () => {
    const bomb = gzipSync(Buffer.alloc(200_000_000))
    const before = process.memoryUsage().rss
    expect(refusal(bomb)).toBe('too_large')
    expect(process.memoryUsage().rss - before).toBeLessThan(64_000_000)
    expect(refusal(' '.repeat(101), { limits: { inflatedBytes: 100 } })).toBe('too_large')
  })

  it('may start with a byte order mark, or be UTF-16', () => {
    expect(decoded(`\uFEFF${report}`)).toEqual([{ message: 'boom' }])
    expect(decoded(Buffer.from(`\uFEFF${report}`, 'utf16le'))).toEqual([{ message: 'boom' }])
  })

  it('is read with bytes that are not UTF-8', () => {
    expect(decoded(Buffer.concat([bytes('{"message":"a'), Buffer.from([0xff, 0xfe, 0x80]), bytes('b"}')]))).toEqual([
      { message: 'aÿþ€b' },
    ])
  })

  it('must be an object or a list of objects', () => {
    const texts = ['', ' ', 'null', '42', '"text"', 'true', 'boom', '{', '[', '[1]', '[{}, null]', '[[{}]]', 'a=b']
    for (const body of [...texts, `${report} more`]) {
      expect(refusal(body), body).toBe('unreadable')
    }
  })

  it('is refused without parsing if it is nested too deeply or has too many values', () => {
    const deep = '['.repeat(500_000)
    const wide = `[${'{},'.repeat(300_000)}{}]`
    const before = process.memoryUsage().heapUsed
    expect(refusal(deep)).toBe('unreadable')
    expect(refusal(`{"a":${'{"a":'.repeat(300)}1${'}'.repeat(301)}`)).toBe('unreadable')
    expect(refusal(wide)).toBe('unreadable')
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(64_000_000)
    expect(decoded(`{"message":"${'['.repeat(1_000)}\\\\\\"${'{'.repeat(1_000)}"}`)).toHaveLength(1)
  })

  it('may have a text with as many brackets as fit', () => {
    for (const message of ['{{a}}'.repeat(170_000), '{'.repeat(170_000), `x\t{"errorType":${'['.repeat(170_000)}`])
      expect(decoded(JSON.stringify({ message }))).toEqual([{ message }])
  })

  it('is refused as too large with too many reports', () => {
    const options = { limits: { reports: 2 } }
    expect(decoded('[{},{}]', options)).toHaveLength(2)
    expect(refusal('[{},{},{}]', options)).toBe('too_large')
    expect(refusal('{"a":1}\n{"a":2}\n{"a":3}', options)).toBe('too_large')
  })

  it('may be lines of JSON, of which broken ones are skipped', () => {
    expect(decoded('{"a":1}\n\n{"a":2}\r\n{"a":')).toEqual([{ a: 1 }, { a: 2 }])
  })

  it('applies the metadata of its first line to the following lines', () => {
    const metadata = { service: { name: 'shop' } }
    expect(decoded(`${JSON.stringify({ metadata })}\n{"error":{}}\n{"error":{}}`)).toEqual([
      { metadata, error: {} },
      { metadata, error: {} },
    ])
  })

  it('may be an envelope, of which only the events are read', () => {
    const event = '{"event_id":"1","message":"a\\nb"}'
    const file = 'two\nlines of a file'
    const envelope = [
      '{"event_id":"1","sent_at":"x"}',
      '{"type":"session"}',
      '{"sid":"1"}',
      `{"type":"attachment","length":${file.length}}`,
      file,
      `{"type":"event","length":${event.length}}`,
      event,
      '{"type":"transaction"}',
      '{"type":"transaction"}',
      '{"type":"event"}',
      event,
    ].join('\n')
    expect(decoded(envelope)).toEqual([JSON.parse(event), JSON.parse(event)])
    const log = `{}\n{"type":"log","item_count":1}\n{"items":[{"level":"error","body":"no cart","attributes":{"sentry.environment":{"value":"prod"}}}]}`
    expect(decoded(log)).toEqual([{ level: 'error', message: 'no cart', environment: 'prod' }])
    const wrong = `{"event_id":"1"}\n{"type":"event","length":7}\n${event}\n{"type":"event","length":999}\n${event}`
    expect(decoded(wrong)).toEqual([JSON.parse(event), JSON.parse(event)])
    expect(decoded('{}\n{"type":"session"}\n{"sid":"1"}\n')).toEqual([])
  })

  it('may be a form with JSON in a field, or with the fields themselves', () => {
    const encoded = encodeURIComponent(report)
    expect(decoded(`payload=${encoded}`, { headers: form })).toEqual([{ message: 'boom' }])
    expect(decoded(`data=${Buffer.from(report).toString('base64')}&v=1`, { headers: form })).toEqual([
      { message: 'boom' },
    ])
    expect(decoded('message=boom+now&line=3', { headers: form })).toEqual([{ message: 'boom now', line: '3' }])
    expect(refusal('', { headers: form })).toBe('unreadable')
  })

  it('may be lines of text, each a report with the stack lines below it', () => {
    const text = { 'content-type': 'text/plain; charset=utf-8' }
    const lines = [
      '<11>Nov 20 10:00:00 web-1 shop[812]: none left',
      '',
      'ERROR no cart',
      '    at pay (/srv/cart.js:3:4)',
      '[2026-11-20 10:00:00] app.ERROR: no rate',
      'Traceback (most recent call last):',
      '  File "/srv/rate.py", line 3, in rate',
      "KeyError: 'EUR'",
      'INFO started',
    ]
    expect(decoded(lines.join('\r\n'), { headers: text })).toEqual([
      { log: lines[0] },
      { log: lines.slice(2, 4).join('\n') },
      { log: lines.slice(4, 8).join('\n') },
      { log: lines[8] },
    ])
    expect(decoded(report, { headers: text })).toEqual([{ message: 'boom' }])
    // The letters of base64 only.
    for (const words of ['Port eth0 of sw1 is down', 'internationalization'])
      expect(decoded(words, { headers: text })).toEqual([{ log: words }])
    expect(refusal('a\nb\nc', { headers: text, limits: { reports: 2 } })).toBe('too_large')
    expect(refusal('\n \n', { headers: text })).toBe('unreadable')
  })

  it('is refused as MessagePack, with a hint to send JSON', () => {
    const packed = Buffer.from([0x81, 0xa7, ...bytes('message'), 0xa4, ...bytes('boom')])
    for (const headers of [{}, { 'content-type': 'application/msgpack' }, { 'content-type': 'text/plain' }])
      expect(() => decoded(packed, { headers })).toThrow(
        new UnreadableBody('The body is MessagePack. Send the reports as JSON: an object or a list of objects.'),
      )
  })

  it('may be an envelope with check-ins, of which only failed runs are read', () => {
    const checkIn = (status: string) =>
      `{"type":"check_in"}\n{"check_in_id":"c","monitor_slug":"backup","status":"${status}"}`
    const [header, ...runs] = ['{"event_id":"1"}', ...['ok', 'in_progress', 'error'].map(checkIn)]
    expect(decoded([header, ...runs].join('\n'))).toMatchObject([
      { level: 'error', message: 'The job backup failed.', fingerprint: ['check-in', 'backup'] },
    ])
  })

  const types = '<!DOCTYPE notice [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'
  it.each([
    ['a document type', `<?xml version="1.0"?>${types}<notice><error><message>&b;</message></error></notice>`],
    ['elements nested without end', `<notice>${'<a>'.repeat(1_000)}`],
    ['more than XML may have', `<notice><error><message>${'a'.repeat(200_000)}</message></error></notice>`],
    ['no notice', '<html><body>502 Bad Gateway</body></html>'],
  ])('is refused when it is XML with %s', (_, body) => {
    expect(() => decoded(body)).toThrow(UnreadableBody)
  })

  it('keeps keys with a meaning in JavaScript as plain keys', () => {
    const [document] = decoded('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}')
    expect(Object.keys(document ?? {})).toEqual(['__proto__', 'constructor'])
    expect('polluted' in {}).toBe(false)
  })
})
