import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { firstLineOf, oneLine, prose, webLink } from './sanitize-text.ts'

const anyText = fc.string({ unit: 'binary', maxLength: 600 })
const isWellFormed = (text: string) => !/\p{Surrogate}/u.test(text)

describe('untrusted text', () => {
  it('is cut at 255 code points in a line, without splitting a pair', () => {
    expect(oneLine('😀'.repeat(400))).toBe('😀'.repeat(255))
  })

  it('is cut at 65,535 UTF-16 units, without splitting a pair', () => {
    expect(prose(`a${'😀'.repeat(40_000)}`)).toBe(`a${'😀'.repeat(32_767)}`)
    expect(prose('x'.repeat(70_000))).toHaveLength(65_535)
  })

  it('keeps markup, mentions, and line breaks', () => {
    const text = '<script>alert(1)</script>\n@everyone **bold** &amp;\r\n'
    expect(prose(text)).toBe(text)
  })

  it('loses NUL and lone surrogates', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const recorded of [oneLine(`${text}\0\uD800`), prose(`${text}\uDC00\0`)]) {
          expect(recorded).not.toContain('\0')
          expect(isWellFormed(recorded)).toBe(true)
        }
      }),
    )
  })

  it('becomes one line if it is a title', () => {
    expect(oneLine('  Fix\r\n\tthe\u2028thing ')).toBe('Fix the thing')
    expect(firstLineOf('\n\nFix it\n\nBecause.')).toBe('Fix it')
    expect(firstLineOf(' \n ')).toBeNull()
  })

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    '//host/path',
    'http://',
    'https://a b',
    'file:///etc/passwd',
    '',
  ])('does not take %j for a link', (text) => {
    expect(webLink(text)).toBeNull()
  })

  it('is a link if it is a web address', () => {
    expect(webLink('http://localhost:3000/a/b/issues/1#note_2')).toBe('http://localhost:3000/a/b/issues/1#note_2')
  })
})
