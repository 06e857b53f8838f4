import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toQuery } from './query.ts'

it('omits null and undefined, repeats lists and formats dates as ISO 8601', () => {
  const query = toQuery({ a: 1, b: null, c: undefined, d: ['x', 'y', null], e: new Date(0), f: false })
  expect(query).toBe('?a=1&d=x&d=y&e=1970-01-01T00%3A00%3A00.000Z&f=false')
})

it('returns an empty string without a question mark if there are no parameters', () => {
  expect([toQuery(), toQuery({}), toQuery({ a: null, b: [] })]).toEqual(['', '', ''])
})

it('preserves every text', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.array(fc.string(), { minLength: 1 })), (parameters) => {
      const read = new URLSearchParams(toQuery(parameters))
      for (const [name, values] of Object.entries(parameters)) expect(read.getAll(name)).toEqual(values)
    }),
  )
})
