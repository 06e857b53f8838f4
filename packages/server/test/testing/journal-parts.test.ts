import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nearest } from '../../src/core/known-keys.ts'
import { partialDifferences } from '../../src/testing/journal/expected-request.ts'
import { maskHeaders, maskSecrets } from '../../src/testing/journal/mask.ts'
import { changesOf } from '../../src/testing/journal/row-counts.ts'

const json = fc.jsonValue({ maxDepth: 4 })

test('everything is part of itself, and of itself with more keys', () => {
  fc.assert(
    fc.property(json, fc.dictionary(fc.string(), json), (value, more) => {
      expect(partialDifferences(value, structuredClone(value), 'body')).toEqual([])
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return
      expect(partialDifferences(value, { ...more, ...value }, 'body')).toEqual([])
    }),
  )
})

test('another value at any place is told with that place', () => {
  const received = { a: [{ b: 1 }, { b: 2 }], c: null }
  expect(partialDifferences({ a: [{ b: 1 }, { b: 3 }] }, received, 'body')).toEqual([
    { field: 'body.a[1].b', expected: 3, received: 2 },
  ])
  expect(partialDifferences({ c: { d: 1 } }, received, 'body')).toEqual([
    { field: 'body.c', expected: { d: 1 }, received: null },
  ])
  expect(partialDifferences({ e: undefined }, received, 'body')).toEqual([])
})

const secretKey = fc.constantFrom(
  'password',
  'Secret',
  'access_token',
  'client-secret',
  'apiKey',
  'api_key',
  'webhook_secret',
)

test('no secret is left in what is masked, however deep it stands, and all else is', () => {
  const hidden = 'HIDDEN-VALUE'
  fc.assert(
    fc.property(secretKey, json, fc.array(fc.constantFrom('list', 'object'), { maxLength: 5 }), (key, other, path) => {
      const inner: unknown = { [key]: hidden, other }
      const value = path.reduce((inside, kind) => (kind === 'list' ? [1, inside] : { inside }), inner)
      const text = JSON.stringify(maskSecrets(value))
      expect(text).not.toContain(hidden)
      expect(text).toContain('"[masked]"')
    }),
  )
  const open = { token_count: 3, secretary: 'Ada', title: 'The token', password: null }
  expect(maskSecrets(open)).toEqual(open)
})

test('of headers only the scheme of a bearer token is left where they are secret', () => {
  const headers = new Headers({
    authorization: 'Bearer service_abc',
    cookie: 'a=b',
    'x-service-webhook-secret': 's',
    'x-hub-signature-256': 's',
    'x-gitlab-token': 's',
    accept: 'application/json',
  })
  expect(maskHeaders(headers)).toEqual({
    accept: 'application/json',
    authorization: 'Bearer [masked]',
    cookie: '[masked]',
    'x-gitlab-token': '[masked]',
    'x-hub-signature-256': '[masked]',
    'x-service-webhook-secret': '[masked]',
  })
})

test.for([
  ['insert into "tickets" ("a") values (+?) returning "id"', 'tickets', 'inserted'],
  ['INSERT OR IGNORE INTO tickets VALUES (1)', 'tickets', 'inserted'],
  ['update "tickets" set "a" = +? where "id" = +?', 'tickets', 'updated'],
  ['delete from "tickets" where "id" in (select "id" from "tasks")', 'tickets', 'deleted'],
  ['with given as (select 1 as id) update "tickets" set a = 1 from given', 'tickets', 'updated'],
] as const)('%s changes that table', ([sql, table, kind]) => {
  expect(changesOf(sql)).toEqual({ main: { table, kind }, onTheWay: [] })
})

test.for(['select "update" from "inserts"', 'pragma table_info(x)', 'with a as (select 1) select * from a', ''])(
  '%s changes nothing',
  (sql) => expect(changesOf(sql)).toEqual({ main: undefined, onTheWay: [] }),
)

test('a row that is inserted on the way to another is counted too', () => {
  const sql =
    'with event as (insert into events (a) values ($1) returning id) insert into arrivals (b) select id from event'
  expect(changesOf(sql)).toEqual({ main: { table: 'arrivals', kind: 'inserted' }, onTheWay: ['events'] })
})

test('a slip of the pen finds the word that was meant, another word does not', () => {
  const known = ['title', 'description', 'priority']
  expect(['titel', 'priorty', 'descripton', 'zebra'].map((word) => nearest(word, known))).toEqual([
    'title',
    'priority',
    'description',
    undefined,
  ])
})
