import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UnreadableBody } from '../../sanitize/decode.ts'
import { readLeads } from '../read-leads.ts'
import { readMultipart } from './multipart.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const type = 'multipart/form-data; boundary=X'
const field = (name: string, value: string) =>
  `--X\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const read = (text: string, contentType = type) => readMultipart(contentType, encode(text))

describe('a multipart form', () => {
  it('is read as the runtime encoded it, for any content', async () => {
    // The runtime converts a lone line ending in a value to CRLF, as browsers do.
    const value = fc.string({ unit: 'grapheme' }).map((text) => text.replace(/\r\n|\r|\n/g, '\r\n'))
    const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).map((text) => text.replace(/[\r\n]/g, ''))
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.tuple(
            name.filter((text) => !text.includes('%')),
            value,
          ),
          { minLength: 1 },
        ),
        async (pairs) => {
          const form = new FormData()
          for (const [key, text] of pairs) form.append(key, text)
          const sent = new Response(form)
          const body = new Uint8Array(await sent.clone().arrayBuffer())
          expect(readMultipart(sent.headers.get('content-type') ?? '', body)).toEqual([...form])
        },
      ),
      { numRuns: 200 },
    )
  })

  it('is read without a boundary in the header, without its end, with LF line endings, and after a preamble', () => {
    const pairs = [
      ['name', 'Ada'],
      ['email', 'ada@example.com'],
    ]
    const body = `${field('name', 'Ada')}${field('email', 'ada@example.com')}--X--\r\n`
    expect(read(body)).toEqual(pairs)
    expect(read(body, 'multipart/form-data')).toEqual(pairs)
    expect(read(body, 'text/plain')).toEqual(pairs)
    expect(read(`Read me with MIME.\r\n${body}`)).toEqual(pairs)
    expect(read(body.replaceAll('\r\n', '\n'))).toEqual(pairs)
    expect(read(field('name', 'Ada') + field('email', 'ada@example.com').trimEnd())).toEqual(pairs)
  })

  it('ignores a delimiter inside a line', () => {
    expect(read(`${field('message', 'a --X b --X--')}${field('name', '--Xa')}--X--`)[0]).toEqual([
      'message',
      'a --X b --X--',
    ])
  })

  it('decodes a part in its declared character set', () => {
    const head =
      '--X\r\nContent-Type: text/plain; charset=ISO-8859-1\r\nContent-Disposition: form-data; name=name\r\n\r\n'
    const body = Buffer.concat([Buffer.from(head), Buffer.from('José', 'latin1'), Buffer.from('\r\n--X--')])
    expect(readMultipart(type, body)).toEqual([['name', 'José']])
  })

  it('lists its files with their sizes and does not store them', () => {
    const file =
      '--X\r\nContent-Disposition: form-data; name="cv"; filename="cv.pdf"\r\nContent-Type: application/pdf\r\n\r\n%PDF\r\n'
    const empty = '--X\r\nContent-Disposition: form-data; name="photo"; filename=""\r\n\r\n\r\n'
    const body = `${field('your-name', 'Ada')}${file}${empty}${field('your-email', 'ada@example.com')}--X--`
    const reading = readLeads({ source: 'website', headers: { 'content-type': type }, body: encode(body) })
    expect(reading.leads).toMatchObject([
      { name: 'Ada', email: 'ada@example.com', answers: [{ question: 'Files left out', answer: 'cv.pdf (4 bytes)' }] },
    ])
  })

  it('is read like the same form in JSON, including names with brackets and JSON in a field', () => {
    const post = (body: string) =>
      readLeads({ source: 'website', headers: { 'content-type': type }, body: encode(body) })
    const answers = {
      q3_fullName: { first: 'Ada', last: 'King' },
      q4_email: 'ada@example.com',
      q5_phone: { area: '020', phone: '79460018' },
    }
    expect(
      post(`${field('formID', '7')}${field('submissionID', 's1')}${field('rawRequest', JSON.stringify(answers))}--X--`)
        .leads,
    ).toMatchObject([{ name: 'Ada King', email: 'ada@example.com', phone: '02079460018', externalId: 's1' }])
    expect(
      post(`${field('form_fields[name]', 'Ada')}${field('form_fields[email]', 'a@b.cc')}--X--`).leads,
    ).toMatchObject([{ name: 'Ada', email: 'a@b.cc' }])
  })

  it('is limited to 1,000 fields, and refused without any', () => {
    expect(read(Array.from({ length: 3_000 }, (_, index) => field(`f${index}`, 'v')).join(''))).toHaveLength(1_000)
    for (const empty of [
      '--X--',
      '--X\r\n',
      '--X\r\n\r\n\r\n--X--',
      `--X\r\n${'a: b\r\n'.repeat(3_000)}\r\nv\r\n--X--`,
    ])
      expect(() => read(empty)).toThrow(UnreadableBody)
    expect(() => read('no boundary', 'multipart/form-data')).toThrow(UnreadableBody)
  })

  it('is read or refused with UnreadableBody for any bytes', () => {
    const piece = fc.constantFrom(
      '--X',
      '--X--',
      '\r\n',
      '\n',
      'Content-Disposition: form-data',
      '; name="a"',
      '; filename=',
      'v',
      '\0',
      '"',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        try {
          for (const [name, value] of read(pieces.join('')))
            expect([typeof name, typeof value]).toEqual(['string', 'string'])
        } catch (error) {
          expect(error).toBeInstanceOf(UnreadableBody)
        }
      }),
      { numRuns: 1_000 },
    )
  })
})
