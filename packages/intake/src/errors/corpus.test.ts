import { describe, expect, it } from 'vitest'
import { type CorpusCase, corpusCases, corpusJson, isRight } from '../../build/corpus.ts'
import { fingerprint } from './fingerprint.ts'
import { maskSecrets } from './mask.ts'
import { readErrorReports } from './read-error-reports.ts'
import type { ErrorRecord } from './record.ts'

type Case = Omit<CorpusCase, 'provider'>

const bytes = (value: unknown) => new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value))

const documented = {
  message: 'No such coupon',
  exception: 'App\\CouponMissing',
  file: 'app/Coupons.php',
  line: 12,
  status_code: 500,
  url: 'https://shop.example/pay',
  method: 'POST',
  framework: 'laravel',
  environment: 'production',
  app_name: 'shop',
  severity: 'critical',
}

const ownCases: readonly Case[] = [
  {
    file: 'own: the documented shape',
    headers: { 'Content-Type': 'application/json' },
    body: bytes(documented),
    expected: documented,
  },
  {
    file: 'own: an envelope with a session beside the event',
    headers: {},
    body: bytes(
      [
        '{"event_id":"0123456789abcdef0123456789abcdef"}',
        '{"type":"session"}',
        '{"sid":"1","status":"exited"}',
        '{"type":"event"}',
        '{"event_id":"1","platform":"node","exception":{"values":[{"type":"RangeError","value":"too far","stacktrace":{"frames":[{"filename":"/srv/a.js","lineno":1,"in_app":true},{"filename":"/srv/b.js","lineno":7,"in_app":true}]}}]}}',
      ].join('\n'),
    ),
    expected: {
      message: 'too far',
      exception: 'RangeError',
      file: '/srv/b.js',
      line: 7,
      framework: 'node',
      severity: null,
    },
  },
]

const cases: readonly Case[] = [...ownCases, ...corpusCases().filter(({ provider }) => provider === 'errors')]

const fields = {
  message: 'message',
  exception: 'exception',
  file: 'file',
  line: 'line',
  status_code: 'status',
  url: 'url',
  method: 'method',
  framework: 'framework',
  environment: 'environment',
  app_name: 'app',
  severity: 'severity',
} as const satisfies Record<string, keyof ErrorRecord>

const read = ({ body, headers }: Case) => readErrorReports({ body, headers: new Headers(headers) })

describe(`real error reports (${cases.length} bodies)`, () => {
  it('are each read into one record', () => {
    for (const each of cases) expect(read(each), each.file).toHaveLength(1)
  })

  it('are read correctly in at least 98 % of their fields', () => {
    const wrong: string[] = []
    let labeled = 0
    for (const each of cases) {
      const [record] = read(each)
      for (const label of Object.keys(fields) as (keyof typeof fields)[]) {
        if (!(label in each.expected)) continue
        labeled += 1
        const found = record?.[fields[label]]
        if (!isRight(each.expected, label, found)) {
          wrong.push(`${each.file} ${label}: ${JSON.stringify(found)} for ${JSON.stringify(each.expected[label])}`)
        }
      }
    }
    expect(wrong.length / labeled, wrong.join('\n')).toBeLessThanOrEqual(0.02)
  })

  it('keep the whole chain of causes', () => {
    for (const each of cases.filter(({ expected }) => Array.isArray(expected['chain']))) {
      const [record] = read(each)
      const chain = [...(record?.causes ?? []).map((cause) => cause.exception).reverse(), record?.exception]
      expect(chain, each.file).toEqual(each.expected['chain'])
    }
  })

  it('have the same key when sent twice, masked or not', () => {
    for (const each of cases) {
      const keys = [read(each), read(each), maskSecrets(read(each))].map((records) => records.map(fingerprint))
      expect(new Set(keys.map(String)).size, each.file).toBe(1)
    }
  })
})

type Fields = Readonly<Record<string, unknown>>
type Pairs = {
  readonly must_merge: readonly (readonly [string, string, string])[]
  readonly must_split: readonly { readonly a: Fields; readonly b: Fields }[]
}

const ownPairs: Pairs = {
  must_merge: [
    ['LookupError', 'no row 5f0e1d2c-0000-4000-8000-000000000001', 'no row 0a0b0c0d-1111-4111-9111-0123456789ab'],
    ['TimeoutError', 'gave up after 1.5 s', 'gave up after 900ms'],
    ['DatabaseError', 'no memory for 8160 bytes, code: 241', 'no memory for 9160 bytes, code: 242'],
    ['Error', 'bad date Mon, 02 Jan 2006 15:04:05 GMT', 'bad date 2026-11-20T19:16:24.945Z'],
  ],
  must_split: [
    { a: { message: "Unknown column 'price'" }, b: { message: "Unknown column 'total'" } },
    { a: { message: 'boom', app_name: 'shop' }, b: { message: 'boom', app_name: 'mail' } },
  ],
}

// `as`: a file of another shape fails the tests below.
const pairs = (corpusJson('errors/DEDUPE_PAIRS.json') as Pairs | undefined) ?? { must_merge: [], must_split: [] }

const keyOf = (report: Fields) =>
  readErrorReports({ body: bytes(report), headers: new Headers() })
    .map((record) => fingerprint(record))
    .join()

describe('messages of one error', () => {
  for (const [exception, first, second] of [...pairs.must_merge, ...ownPairs.must_merge]) {
    it(`share a ticket: ${first}`, () => {
      expect(keyOf({ exception, message: first })).toBe(keyOf({ exception, message: second }))
    })
  }

  for (const { a, b } of [...pairs.must_split, ...ownPairs.must_split]) {
    it(`differ from:  ${JSON.stringify(a)}`, () => {
      expect(keyOf(a)).not.toBe(keyOf(b))
    })
  }
})
