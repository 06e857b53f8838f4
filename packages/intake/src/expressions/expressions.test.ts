import fc from 'fast-check'
import { search } from 'jmespath'
import { expect, test } from 'vitest'
import { findMappingProblems } from '../check-mapping.ts'
import { type Mapping, startMapping } from '../evaluate-mapping.ts'
import { maxResultBytes, maxSteps } from './budget.ts'
import { evaluate } from './evaluate-expression.ts'
import { parseExpression } from './parse-expression.ts'

const name = fc.constantFrom('a', 'b', 'items', 'text', '"k.e"')
const literal = fc.constantFrom("'x'", "''", '`5`', '`true`', '`null`', '`[1, "x"]`')

/** An expression of the supported grammar, including lists of expressions where saving refuses them. */
const { expression } = fc.letrec<Record<'expression' | 'path' | 'list', string>>((tie) => {
  const inner = tie('expression')
  const list = tie('list')
  const call = fc.oneof(
    fc.tuple(fc.constantFrom('length', 'to_string', 'type'), inner).map(([f, a]) => `${f}(${a})`),
    // The package reads an empty text as the number 0.
    inner.map((text) => `to_number(${text} || 'x')`),
    // The package finds 'null' in a text when it looks for a missing value.
    fc.tuple(inner, inner).map(([a, b]) => `contains(${a}, to_string(${b}))`),
    inner.map((text) => `contains(${text}, \`5\`)`),
    fc.tuple(fc.constantFrom("','", 'text'), list).map(([a, b]) => `join(${a}, ${b})`),
    fc.tuple(inner, inner).map(([a, b]) => `not_null(${a}, ${b})`),
  )
  const step = fc.oneof(
    name.map((field) => `.${field}`),
    fc.constantFrom('[0]', '[-1]', '[*]', '[]', '[7]'),
    inner.map((condition) => `[?${condition}]`),
    call.filter((text) => text.length < 60).map((text) => `.${text}`),
    list.map((text) => `.${text}`),
  )
  return {
    path: fc.oneof(
      name,
      fc.tuple(tie('path'), step).map(([path, part]) => path + part),
    ),
    list: fc.oneof(
      fc.array(inner, { minLength: 1, maxLength: 4 }).map((parts) => `[${parts.join(', ')}]`),
      tie('path'),
    ),
    expression: fc.oneof(
      { maxDepth: 4 },
      tie('path'),
      fc.constant('@'),
      literal,
      call,
      list,
      fc.tuple(inner, fc.constantFrom('==', '!=', '&&', '||', '|'), inner).map(([a, o, b]) => `${a} ${o} ${b}`),
      inner.map((text) => `!${text}`),
      inner.map((text) => `(${text})`),
    ),
  }
})

const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, false, '', 'x', 'x,y', '5', 0, 5, [], {}),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'items', 'text', 'k.e'), tie('value'), {
      maxKeys: 5,
      noNullPrototype: true,
    }),
  ),
})).value

const resultOf = (run: () => unknown) => {
  try {
    return run()
  } catch {
    return 'failed'
  }
}

const outcomeOf = (run: () => unknown) => JSON.stringify(resultOf(run))

test('an expression has the result of the jmespath package', () => {
  fc.assert(
    fc.property(expression, value, (text, entry) => {
      const node = parseExpression(text)
      fc.pre(node !== null)
      const found = outcomeOf(() => evaluate(node, entry, { steps: 1e9 }))
      expect(found).toBe(outcomeOf(() => search(entry, text)))
    }),
    { numRuns: 3_000 },
  )
})

test('to_number reads a number, and a text that is a number of JSON', () => {
  const numbers = { '5': 5, '-0.5': -0.5, '1e3': 1000, '1E-2': 0.01, '0': 0 }
  const others = ['', ' ', ' 5', '5\n', '+5', '.5', '5.', '007', '0x10', '1e999', 'Infinity', 'x', true, [5], {}, null]
  const toNumber = parseExpression('to_number(@)')
  const found = (value: unknown) => toNumber && evaluate(toNumber, value, { steps: 1e9 })
  expect(found(7)).toBe(7)
  for (const [text, number] of Object.entries(numbers)) expect(found(text), text).toBe(number)
  for (const value of others) expect(found(value), JSON.stringify(value)).toBeNull()
})

/** One mebibyte of the most values: the largest body with long lists, wide objects, long and escaped texts. */
const largest = {
  a: Array.from({ length: 60_000 }, (_, index) => index % 10),
  b: Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, 0])),
  items: Array.from({ length: 10_000 }, () => ({ a: [1], text: 'x' })),
  text: '"'.repeat(100_000),
  'k.e': `${'a'.repeat(99_999)}b`,
}

const known = ['message', 'app']
const problemsOf = (mapping: Mapping) => findMappingProblems(mapping, { known, opensTickets: true })

const fourfold = [...Array.from({ length: 8 }, () => '[@, @, @, @]'), 'to_string(@)'].join(' | ')
const joined = `[text, text] | [join('', @), join('', @), join('', @)] | join('', @)`
const slow = `${'contains(text, "k.e") || '.repeat(15)}a`

/** The bytes of a text, or of a list without what its entries contain. */
const bytesOf = (found: unknown): number =>
  Array.isArray(found)
    ? found.reduce((sum: number, entry) => sum + 8 + (typeof entry === 'string' ? Buffer.byteLength(entry) : 0), 0)
    : Buffer.byteLength(String(found ?? ''))

test('no expression builds more than 64 kB, or takes more steps than a body may, on the largest body', () => {
  const text = fc.oneof(
    { weight: 20, arbitrary: expression },
    { weight: 1, arbitrary: fc.constantFrom(fourfold, joined, slow) },
  )
  fc.assert(
    fc.property(text, (text) => {
      const node = parseExpression(text)
      fc.pre(node !== null)
      const budget = { steps: maxSteps }
      const isPartOfBody = Object.values(largest).includes(resultOf(() => evaluate(node, largest, budget)) as never)
      if (!isPartOfBody)
        expect(bytesOf(resultOf(() => evaluate(node, largest, budget)))).toBeLessThanOrEqual(maxResultBytes)
      const mapper = startMapping({ fields: { message: text, app: `to_string(${text})` }, opens_when: text }, budget)
      for (const entry of [largest, largest]) {
        mapper.opens(entry)
        for (const found of Object.values(mapper.fieldsOf(entry)))
          expect(bytesOf(found)).toBeLessThanOrEqual(maxResultBytes)
      }
      if (budget.steps < 0) expect(mapper.fieldsOf(largest)).toEqual({})
    }),
    { numRuns: 500 },
  )
})

test('an expression that multiplies is refused, and has no result if it was saved before', () => {
  for (const app of [fourfold, joined]) {
    expect(problemsOf({ fields: { app } })).toEqual({
      'mapping.fields.app': expect.stringContaining('only supported as an argument'),
    })
    expect(startMapping({ fields: { app } }).fieldsOf(largest)).toEqual({})
  }
  const before = { fields: { message: "join('', [text, text])", app: 'text' } }
  expect(startMapping(before).fieldsOf({ text: 'x'.repeat(40_000) })).toEqual({ app: 'x'.repeat(40_000) })
})

test('a body whose mapping takes too many steps is read without the rest of the mapping', () => {
  const mapper = startMapping({ fields: { message: slow, app: 'id' } })
  expect(mapper.fieldsOf({ id: 1 })).toEqual({ app: 1 })
  expect(mapper.fieldsOf({ ...largest, id: 1 })).toEqual({})
  expect(mapper.fieldsOf({ id: 1 })).toEqual({})
})
