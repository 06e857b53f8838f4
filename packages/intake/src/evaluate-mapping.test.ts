import { expect, test } from 'vitest'
import { findMappingProblems, isMet, mapFields } from './evaluate-mapping.ts'

const limits = { known: ['message', 'app'], opensTickets: true }
const problemsOf = (message: string) => findMappingProblems({ fields: { message } }, limits)['mapping.fields.message']

test('expressions read fields, indexes, conditions, and lists', () => {
  const entry = {
    data: { error: { message: 'No stock left', code: 7 }, tags: ['page', 'shop'] },
    items: [{ title: 'cart' }, { title: 'pay', failed: true }],
    'key.with@signs': 'odd',
  }
  for (const [expression, found] of [
    ['data.error.message', 'No stock left'],
    ['data.error.code', 7],
    ['items[0].title', 'cart'],
    ['items[-1].title', 'pay'],
    ['items[?failed].title | [0]', 'pay'],
    ['items[*].title | [1]', 'pay'],
    ['nothing || data.error.message', 'No stock left'],
    ["join(': ', [items[0].title, data.error.message])", 'cart: No stock left'],
    ['to_string(data.error.code)', '7'],
    ['"key.with@signs"', 'odd'],
  ] as const) {
    expect(problemsOf(expression), expression).toBeUndefined()
    expect(mapFields({ fields: { message: expression } }, entry), expression).toEqual({ message: found })
  }
  expect(isMet("contains(data.tags, 'page')", entry)).toBe(true)
  expect(isMet("data.error.message == 'other'", entry)).toBe(false)
  expect(isMet('items[?missing]', entry)).toBe(false)
})

test('an expression that finds no text or number, or fails, leaves the field alone', () => {
  const entry = { list: [1], flag: true, none: null, blank: ' ', text: 'x' }
  for (const message of [
    'list',
    'flag',
    'none',
    'blank',
    'missing.path',
    'length(flag)',
    "join(',', text)",
    'constructor',
    '__proto__',
  ])
    expect(mapFields({ fields: { message } }, entry), message).toEqual({})
  for (const wrong of [null, 'text', 7, [entry]]) expect(mapFields({ fields: { message: 'text' } }, wrong)).toEqual({})
})

test('an expression that is wrong, too long, or too costly is refused with the reason', () => {
  const invalid = 'The expression is not valid JMESPath. An example is: data.error.message'
  for (const expression of ['', 'a ==', 'a b', '(((', 'items[?', '"\\u00"'])
    expect(problemsOf(expression)).toBe(invalid)
  for (const [expression, problem] of [
    ['a.', /an empty part/],
    ['x'.repeat(501), /longer than 500 characters/],
    [Array.from({ length: 40 }, () => 'a').join('.'), /more than 60 parts/],
    ['items[*].parts[*].name', /more than one list/],
    ['items[?parts[?x]].name', /more than one list/],
    ['items[].a | [].b', /more than one list/],
    ['items[0:2]', /a slice/],
    ['*.a', /an object wildcard/],
    ['{x: a}', /an object/],
    ['sort_by(items, &a)', /an expression reference/],
    ['max(items)', /The function max is not supported/],
  ] as const)
    expect(problemsOf(expression), expression).toMatch(problem)
})

test('unknown fields, more than three list searches, and opens_when outside errors are refused by name', () => {
  expect(findMappingProblems({ fields: { mesage: 'a' } }, limits)).toEqual({
    'mapping.fields.mesage': 'There is no field mesage to map. Use one of: message, app.',
  })
  const search = 'items[*].a | [0]'
  const four = { fields: { message: search, app: search }, ignore_when: search, opens_when: search }
  expect(findMappingProblems(four, limits)).toEqual({ mapping: 'The mapping searches 4 lists; it may search 3.' })
  expect(findMappingProblems({ opens_when: 'a' }, { ...limits, opensTickets: false })).toEqual({
    'mapping.opens_when': 'The opens_when condition is for error reports only.',
  })
})
