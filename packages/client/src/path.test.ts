import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fillPath } from './path.ts'

it('keeps every parameter inside its own segment', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (value) => {
      fc.pre(!/^(\.|%2e){0,2}$/i.test(value))
      const path = fillPath('/workspaces/{workspace}/tickets', () => value)
      const url = new URL(`http://host/api/v1${path}`)
      expect(url.pathname.split('/')).toHaveLength(6)
      expect(url.pathname.startsWith('/api/v1/workspaces/')).toBe(true)
      expect(decodeURIComponent(url.pathname.split('/')[4] ?? '')).toBe(value)
      expect(url.search + url.hash).toBe('')
    }),
  )
})

it.each(['', '.', '..', '%2e', '%2E.', '.%2e', '%2e%2E'])('rejects %o, which would change the path', (value) => {
  expect(() => fillPath('/a/{b}/c', () => value)).toThrow(TypeError)
})

it.each([undefined, null, ''])('rejects %o as a missing parameter', (value) => {
  expect(() => fillPath('/a/{b}', () => value)).toThrow('b is missing.')
})
