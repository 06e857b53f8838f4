import { describe, expect, it } from 'vitest'
import { compileConditions, compileLookup, firstKeysOf } from './paths.ts'

const body = {
  error: { type: 'TypeError', 'stack.text': 'x' },
  'log.level': 'error',
  '@mt': 'Pay {Id}',
  empty: '',
  list: [{ a: 1 }, { b: 2 }],
  tags: [{ name: 'env', value: 'live' }, ['team', 'shop'], 'region:eu'],
  text: 'env:live, team:shop',
  attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }],
  title: '[P1] Load is high',
}

describe('a path', () => {
  it.each([
    ['error.type', 'TypeError'],
    ['error.stack.text', 'x'],
    ['log.level', 'error'],
    ['@mt', 'Pay {Id}'],
    ['list.1.b', 2],
    ['list[].b', 2],
    ['tags.env', 'live'],
    ['tags.team', 'shop'],
    ['tags.region', 'eu'],
    ['text.team', 'shop'],
    ['attributes.service.name', 'shop'],
    ['empty | missing | error.type', 'TypeError'],
    ['title~^\\[(p\\d)\\]', 'P1'],
    ['=rails', 'rails'],
  ])('finds %s', (path, value) => {
    expect(compileLookup(path)(body)).toBe(value)
  })

  it.each(['list.x', 'list.NaN', 'list.-1', 'constructor.name', '__proto__', 'error.type.length', 'title~^x'])(
    'finds nothing in %s',
    (path) => {
      expect(compileLookup(path)(body)).toBeUndefined()
    },
  )

  it('reads from the whole body after a circumflex', () => {
    expect(compileLookup('a | ^error.type')({ b: 1 }, body)).toBe('TypeError')
  })
})

describe('a condition', () => {
  it.each([
    ['error:object & error.type', true],
    ['error:list', false],
    ['list:list & tags:list', true],
    ['!missing & title~load', true],
    ['!error', false],
    ['missing | title:text', true],
    ['empty', false],
  ])('%s is %s', (condition, holds) => {
    expect(compileConditions([condition])(body)).toBe(holds)
  })

  it('lists the keys of which a body needs one', () => {
    expect(firstKeysOf(['!x & error.type:text', 'list[].a | tags', 'title~^a\\.b'])).toEqual([
      ...['error.type', 'error', 'list[].a', 'list', 'tags', 'title'],
    ])
    expect(() => firstKeysOf(['!x'])).toThrow(TypeError)
  })
})
