import { expect, test } from 'vitest'
import { findMappingProblems } from './check-mapping.ts'
import { type Mapping, startMapping } from './evaluate-mapping.ts'

const limits = { known: ['message', 'app'], opensTickets: true }
const mapFields = (mapping: Mapping, entry: unknown) => startMapping(mapping).fieldsOf(entry)
const decide = (opens_when: string, entry: unknown) => startMapping({ opens_when }).opens(entry)
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
  expect(decide("contains(data.tags, 'page')", entry)).toBe(true)
  expect(decide("data.error.message == 'other'", entry)).toBe(false)
  expect(decide('items[?missing]', entry)).toBe(null)
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
  for (const expression of ['', 'a ==', 'a b', '(((', 'items[?', '"\\u00"', 'code >= 500'])
    expect(problemsOf(expression)).toMatch(/not valid JMESPath \(https:\/\/jmespath.org\).* code >= `500`/)
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
    ['contains(items)', /The function contains takes 2 arguments/],
    ['[a, b]', /only supported as an argument of contains, join, not_null/],
    ['[@, @] | [@, @]', /only supported as an argument/],
    ['to_string([a, a])', /only supported as an argument/],
    ["join(',', items[*].[a, b])", /only supported as an argument/],
    ["join(',', [a, [b]])", /only supported as an argument/],
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

test('an expression that can never match is refused with the remedy', () => {
  for (const expression of ['!a.b', '!a.b.c', '!a[?b]', "!a == 'b'", '!a | b', 'x && !a.b'])
    expect(problemsOf(expression), expression).toMatch(/Use parentheses: !\(a.b\)/)
  for (const expression of ["starts_with(a, 'x').b", "(a == 'b').c", 'length(a)[0]', 'to_string(a) | b'])
    expect(problemsOf(expression), expression).toMatch(/looks for a part in the result/)
  for (const expression of ['!(a.b)', '!a', '!a[0]', "!(a == 'b')", '!a && b.c', 'a.to_string(@)', 'not_null(a, b).c'])
    expect(problemsOf(expression), expression).toBeUndefined()
  expect(decide('!(a.b)', { a: { b: 1 } })).toBe(false)
})

test('a condition decides only about entries that have what it compares', () => {
  const created = { ActionType: 'Create', parts: [{ kind: 'page' }] }
  const event = { exception: { values: [] }, level: 'fatal', tags: ['shop'], parts: [{ size: 2 }] }
  for (const [condition, expected] of [
    ["ActionType == 'Create'", [true, null]],
    ["ActionType != 'Create'", [false, null]],
    ["!(ActionType == 'Create')", [false, null]],
    ["ActionType == 'Delete'", [false, null]],
    ["ActionType == 'Create' && level == 'error'", [null, null]],
    ["level == 'error' && ActionType == 'Create'", [null, null]],
    ["ActionType == 'Create' || level == 'error'", [true, false]],
    ["ActionType == 'Create' && !muted", [true, null]],
    ["contains(tags, 'page')", [null, false]],
    ["contains(tags, 'page') || ActionType == 'Create'", [true, false]],
    ["(ActionType || kind) == 'Create'", [true, null]],
    ['ActionType == `null`', [false, true]],
    ['ActionType < `5`', [false, null]],
    ['ActionType', [true, null]],
    ['!ActionType', [false, true]],
    ['!!ActionType', [true, null]],
    ['ActionType != `null`', [true, null]],
    ['!(ActionType == `null`)', [true, null]],
    ["contains(['Create', 'Open'], ActionType)", [true, null]],
    ["!contains(['Create'], ActionType)", [false, null]],
    ["contains([ActionType, verb], 'Create')", [true, null]],
    ["contains([ActionType, level], 'Create')", [true, false]],
    ["to_string(ActionType) == 'Create'", [true, null]],
    ["ActionType.to_string(@) == 'Delete'", [false, null]],
    ["ActionType | contains(['Create'], @)", [true, null]],
    ["type(ActionType) == 'string'", [true, null]],
    ["not_null(ActionType, 'none') == 'Create'", [true, null]],
    ["not_null(ActionType, level) == 'Create'", [true, false]],
    ["starts_with(not_null(ActionType, ''), 'C')", [true, null]],
    ["join(' ', [ActionType, level]) == 'Create fatal'", [null, null]],
    ["length(parts[?kind == 'page']) > `0`", [true, null]],
    ["contains(parts[*].kind, 'page')", [true, null]],
    ["parts[?kind == 'page'] | [0].kind == 'page'", [true, null]],
    ['contains(parts[?size > `0`].size, `9`)', [null, false]],
  ] as const)
    expect([decide(condition, created), decide(condition, event)], condition).toEqual(expected)
  expect(startMapping({ ignore_when: "environment != 'production'" }).ignores(event)).toBe(false)
})
