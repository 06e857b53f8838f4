import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UnreadableBody } from '../sanitize/decode.ts'
import { fingerprint } from './fingerprint.ts'
import { maskSecrets } from './mask.ts'
import { readErrorReports } from './read-error-reports.ts'
import type { ErrorRecord } from './record.ts'

const bytes = (value: unknown) => new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value))
const read = (body: unknown, headers: Record<string, string> = {}) =>
  readErrorReports({ body: bytes(body), headers: new Headers(headers) })

const empty: ErrorRecord = {
  message: null,
  exception: null,
  file: null,
  line: null,
  url: null,
  method: null,
  framework: null,
  environment: null,
  app: null,
  severity: null,
  status: null,
  frames: [],
  fingerprint: null,
  causes: [],
  labels: null,
  recovered: false,
  unread: null,
}

/** What a database accepts: text without NUL and lone surrogates, within its limits. */
const isStorable = (record: ErrorRecord): boolean => {
  const texts = [
    ...[record.message, record.exception, record.file, record.url, record.method, record.framework],
    ...[record.environment, record.app, record.severity],
  ]
  const lists = [
    ...record.frames.flatMap((frame) => [frame.file, frame.function]),
    ...(record.fingerprint ?? []),
    ...record.causes.flatMap((cause) => [cause.exception, cause.message]),
    ...Object.entries(record.labels ?? {}).flat(),
    record.unread?.line ?? null,
  ]
  const numbers = [record.line, record.status, ...record.frames.map((frame) => frame.line)]
  return (
    [...texts, ...lists].every(
      (text) =>
        text === null ||
        (typeof text === 'string' && text !== '' && text.length <= 65_535 && !/\0|\p{Surrogate}/u.test(text)),
    ) && numbers.every((number) => number === null || Number.isSafeInteger(number))
  )
}

/** Either records that can be stored, masked, and keyed, or a `UnreadableBody`. */
const outcome = (body: Uint8Array, headers: Headers): string => {
  try {
    const records = readErrorReports({ body, headers })
    return records.every(
      (record) => isStorable(record) && isStorable(maskSecrets(record)) && fingerprint(record).length === 64,
    )
      ? 'fine'
      : 'not storable'
  } catch (error) {
    return error instanceof UnreadableBody ? 'fine' : String(error)
  }
}

// Keys that readers use, so that arbitrary JSON exercises them.
const keys = [
  'message exception error err errors stack trace traces values stacktrace frames event_id platform',
  'level data body events exceptions details detail context batch event properties $exception_list',
  'fault resourceSpans scopeSpans spans attributes key value logentry params tags fingerprint request',
  'url status code name title type file line cause metadata service jsonPayload meta errorMessage',
  'errorType stackTrace csp-report record text @error @m levelname level_name timestamp path loc msg',
  'output payload reason __proto__ constructor toString length',
].flatMap((line) => line.split(' '))
const key = fc.oneof(fc.constantFrom(...keys), fc.string())
const leaf = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.constant('TypeError: x\n    at f (/a.js:1:2)'),
  fc.constant(''),
)
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { depthSize: 'medium' },
    leaf,
    fc.array(tie('json'), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie('json')), { maxLength: 8 }).map((entries) => Object.fromEntries(entries)),
  ),
}))
const reportLike = fc.array(fc.tuple(key, json), { maxLength: 10 }).map((entries) => Object.fromEntries(entries))

const headers = fc
  .record({
    'content-type': fc.constantFrom('application/json', 'application/x-www-form-urlencoded', 'text/plain', ''),
    'content-encoding': fc.constantFrom('', 'gzip', 'deflate', 'br', 'identity', 'nonsense'),
  })
  .map((record) => new Headers(record))

describe('reading error reports', () => {
  it('reads no report from bodies without errors, such as program starts and empty notifiers', () => {
    const read = (body: unknown) =>
      readErrorReports({ body: new TextEncoder().encode(JSON.stringify(body)), headers: new Headers() })
    expect(
      read([
        { Type: 'start', Date: '2026-11-20', Data: { '@version': '1' } },
        { type: 'usage', date: '2026-11-20' },
      ]),
    ).toEqual([])
    expect(read({ apiKey: 'k', payloadVersion: '4', notifier: { name: 'Bugsnag' } })).toEqual([])
  })

  it('reads an empty object as an empty report', () => {
    expect(read({})).toEqual([empty])
  })

  it('returns one record per error of a list, in order', () => {
    expect(read([{ message: 'a' }, { error: { message: 'b' } }, { msg: 'c' }]).map((record) => record.message)).toEqual(
      ['a', 'b', 'c'],
    )
    expect(read([])).toEqual([])
  })

  it('ignores fields of the wrong type', () => {
    const odd = {
      message: { a: 1 },
      exception: true,
      file: [],
      line: 'twelve',
      url: {},
      method: 5,
      status_code: 99,
      severity: {},
      environment: [],
      app_name: true,
    }
    const [record] = read(odd)
    expect(record).toEqual({ ...empty, unread: { shape: expect.any(String), line: 'twelve' } })
    // A port is not a name.
    expect(read({ message: 'm', app_name: '8080' })).toMatchObject([{ app: null }])
  })

  it('returns text without NUL and lone surrogates, cut between characters', () => {
    const [record] = read(`{"message":"a\\u0000b\\ud800c","exception":"${'x'.repeat(300)}"}`)
    expect(record).toMatchObject({ message: 'ab\uFFFDc', exception: 'x'.repeat(255) })
    expect(read('{"level":"er\\u0000ror"}')).toMatchObject([{ severity: 'error' }])
    expect(read('{"message":"m","level":"\\u0000"}')).toMatchObject([{ severity: null }])
    const [long] = read({ message: `a${'😀'.repeat(600_000 / 2)}` })
    expect(long?.message).toBe(`a${'😀'.repeat(32_767)}`)
  })

  it('refuses more errors than allowed, even in one document', () => {
    const events = Array.from({ length: 4 }, () => ({ exceptions: [{ errorClass: 'E', message: 'm' }] }))
    const refused = () => readErrorReports({ body: bytes({ events }), headers: new Headers(), limits: { reports: 3 } })
    expect(refused).toThrow(UnreadableBody)
  })

  it('does not throw on any JSON that resembles reports', () => {
    fc.assert(
      fc.property(fc.oneof(reportLike, fc.array(reportLike, { maxLength: 3 }), json), (value) => {
        expect(outcome(bytes(JSON.stringify(value)), new Headers())).toBe('fine')
      }),
      { numRuns: 800 },
    )
  })

  it('does not throw on any bytes with any header', () => {
    const lines = fc
      .array(fc.oneof(fc.json(), fc.string(), fc.constant('{"type":"event","length":5}')), { maxLength: 6 })
      .map((all) => bytes(all.join('\n')))
    fc.assert(
      fc.property(
        fc.oneof(fc.uint8Array({ maxLength: 300 }), lines, fc.string().map(bytes)),
        headers,
        (body, given) => {
          expect(outcome(body, given)).toBe('fine')
        },
      ),
      { numRuns: 800 },
    )
  })

  it('returns the same records for the same bytes', () => {
    fc.assert(
      fc.property(reportLike, (value) => {
        expect(read(value)).toEqual(read(value))
      }),
    )
  })
})

describe('secrets in a report', () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const secret = 'S3CR3TA'
  const json = (value: unknown) => JSON.stringify(value)

  it.each<[string, unknown, Record<string, string>?]>([
    ['a field', { password: secret }],
    ['a deep field', { data: { auth: { user: 'ada', pin: secret } } }],
    ['a list', { tokens: 1, secrets: [secret, secret] }],
    ['a pair', { name: 'api_key', value: secret }],
    ['JSON in a field', { payload: json({ password: secret }) }],
    ['JSON in JSON in a field', { text: json({ body: json({ password: `${secret} a` }) }) }],
    ['a form', `password=${secret}&x=1`, form],
    [
      'JSON in a form',
      `payload=${encodeURIComponent(json({ api_key: 'k', authorization: `Bearer ${secret}` }))}`,
      form,
    ],
    ['XML in a message', { message: `Sent <password>${secret}</password>` }],
  ])('are read nowhere, such as from %s', (_place, body, headers) => {
    const records = read(body, headers)
    expect(records).toHaveLength(1)
    expect(JSON.stringify(records)).not.toContain(secret)
    expect(records[0]?.unread?.line ?? null).not.toBe('[masked]')
  })

  it('leave the message of the form beside them', () => {
    const payload = encodeURIComponent(json({ order: 1, password: secret }))
    expect(read(`message=Order+failed&payload=${payload}`, form)).toMatchObject([{ message: 'Order failed' }])
  })
})
