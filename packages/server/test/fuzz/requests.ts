import { gitEventHeaders, gitProviders, leadSources, type Route, type Surface } from '@service/contract'
import { Bytes } from '@service/contract/bytes'
import { type PathParamName, paramNamesIn, pathParams } from '@service/contract/path-params'
import fc from 'fast-check'
import { toSnake } from '../../src/testing/control-api/control-route.ts'
import { kinds } from '../../src/testing/factories/define-factory.ts'
import { collectExamples, examplesOf, pathOf, surfaces, type Target } from './target.ts'
import { oddTexts, valuesOf } from './valid-values.ts'

/** The parts of a request, so that each can be invalid by itself. */
export interface FuzzedRequest {
  readonly route: Route
  /** Whether it matches the contract and is authorized. */
  readonly isValid: boolean
  readonly method: string
  readonly params: Readonly<Record<string, string>>
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array<ArrayBuffer> | undefined
}

const examples = collectExamples()

/** Requests to the routes of a surface: half valid, half with one to three mistakes. */
export function requestsTo(surface: Surface, target: Target): fc.Arbitrary<FuzzedRequest> {
  const valid = fc.oneof(...surfaces[surface].map((route) => validRequests(route, target)))
  const wrong = fc.tuple(valid, fc.array(mistakes(target), { minLength: 1, maxLength: 3 }))
  return fc.oneof(
    valid,
    wrong.map(([request, applied]) =>
      applied.reduce((changed, apply) => apply(changed), { ...request, isValid: false }),
    ),
  )
}

function validRequests(route: Route, target: Target): fc.Arbitrary<FuzzedRequest> {
  return fc
    .record({ params: paramsOf(route, target), query: queryOf(route), body: bodyOf(route), extra: headersOf(route) })
    .map(({ params, query, body, extra }) => ({
      route,
      isValid: true,
      method: route.method,
      params,
      query,
      body,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...credentialsOf(route, target, params),
        ...extra,
      },
    }))
}

const smallId = fc.integer({ min: 1, max: 12 }).map(String)

function paramsOf(route: Route, { workspace }: Target): fc.Arbitrary<Record<string, string>> {
  const values: Partial<Record<PathParamName, fc.Arbitrary<string>>> = {
    workspace: fc.constant(String(workspace)),
    id: smallId,
    source: fc.constantFrom(...leadSources),
    priority: fc.constantFrom('low', 'medium', 'high', 'urgent', 'vip'),
    kind: fc.constantFrom(...Object.keys(kinds).map(toSnake)),
    name: fc.constantFrom('one', 'two'),
  }
  const arbitraryOf = (name: PathParamName) =>
    values[name] ?? valuesOf(pathParams[name].schema, examples, name).map(String)
  return fc.record(Object.fromEntries(paramNamesIn(route.path).map((name) => [name, arbitraryOf(name)])))
}

function queryOf({ query }: Route): fc.Arbitrary<string> {
  if (query === undefined) return fc.constant('')
  return valuesOf(query, examples).map((fields) => toQuery(Object.entries(Object(fields))))
}

/** A lone surrogate has no UTF-8 encoding, so a URL cannot contain it. */
const toQuery = (fields: readonly (readonly [string, unknown])[]): string => {
  const text = new URLSearchParams(fields.map(([name, value]) => [name, String(value).toWellFormed()])).toString()
  return text === '' ? '' : `?${text}`
}

function bodyOf(route: Route): fc.Arbitrary<FuzzedRequest['body']> {
  const { body } = route
  if (body === undefined) return fc.constant(undefined)
  if (body === Bytes) return fc.uint8Array({ maxLength: 200 })
  const documented = examplesOf(route)
  const generated = valuesOf(body, examples)
  return fc
    .oneof(generated, ...(documented.length > 0 ? [fc.constantFrom(...documented)] : []))
    .map((value) => toBody(route, value))
}

/** Two controls wait for something that never arrives, so they get a short timeout. */
const toBody = ({ operation }: Route, value: unknown): string =>
  JSON.stringify(['inboxes.next', 'journal.wait'].includes(operation) ? { ...Object(value), timeout_ms: 1 } : value)

const gitEvents = [
  'push',
  'issues',
  'pull_request',
  'Push Hook',
  'Issue Hook',
  'repo:push',
  'issue:created',
  'ping',
  'x',
]

function headersOf({ operation, method }: Route): fc.Arbitrary<Record<string, string>> {
  const key = fc.integer({ min: 1, max: 30 }).map((number) => ({ 'idempotency-key': `key-${number}` }))
  const usual = method === 'POST' ? fc.oneof({ arbitrary: fc.constant({}), weight: 4 }, key) : fc.constant({})
  if (operation !== 'git.send') return usual
  return fc.record(
    Object.fromEntries(gitProviders.map((name) => [gitEventHeaders[name], fc.constantFrom(...gitEvents)])),
  )
}

function credentialsOf(
  { surface, role, operation }: Route,
  { token, adminToken, sessionToken, secrets }: Target,
  params: Readonly<Record<string, string>>,
): Record<string, string> {
  if (surface === 'api') return { authorization: `Bearer ${token}` }
  if (surface !== 'inbound') return { authorization: `Bearer ${role === 'person' ? sessionToken : adminToken}` }
  const secret = secrets[params['source'] ?? operation.split('.')[0] ?? '']
  return secret === undefined ? {} : { 'x-service-webhook-secret': secret }
}

type Mistake = (request: FuzzedRequest) => FuzzedRequest

const oddIds = ['0', '-1', '01', '1e3', '1.5', '0x10', '9007199254740992', '18446744073709551616', '9'.repeat(400)]
const oddSegments = [
  ...oddIds,
  '%20',
  '%EF%BC%91',
  '%F0',
  '1%2F2',
  '%00',
  'a%00b',
  '%0A',
  '..',
  '%2e%2e',
  '',
  'x'.repeat(5000),
]
const oddTypes = [
  ...[
    '',
    'text/plain',
    'text/html',
    'application/xml',
    'application/x-www-form-urlencoded',
    'application/JSON; charset=utf-16',
  ],
  ...[
    'multipart/form-data',
    'multipart/form-data; boundary=x',
    'application/problem+json',
    'application/json,text/plain',
    '\u00ff',
  ],
]
const oddHeaders = [
  ...['authorization', 'idempotency-key', 'if-match', 'if-none-match', 'x-request-id', 'accept', 'accept-language'],
  ...['content-encoding', 'x-forwarded-for', 'x-forwarded-host', 'x-http-method-override', 'origin', 'range', 'cookie'],
  ...[
    'x-service-webhook-secret',
    'x-device-secret',
    'x-hub-signature-256',
    'x-gitlab-token',
    'x-github-event',
    'traceparent',
  ],
  ...['x-github-delivery', 'x-service-fault', 'webhook-id', 'webhook-signature', 'tiktok-signature', 'date', 'expect'],
]
/** Header values: Latin-1 without control characters. */
const headerText = fc.oneof(
  fc.string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)), maxLength: 60 }),
  fc.constantFrom(
    '',
    '*',
    'W/"1"',
    '"1"',
    'gzip',
    'Bearer',
    'Bearer  x',
    'Basic YTpi',
    '::1',
    '1, 2, 3',
    'x'.repeat(9000),
  ),
  fc.constantFrom('bytes=0-1', 'sha256=00', 't=1,v1=00', 'application/json;q=0.1', 'null', '../..', '{"a":1}'),
)
const wrongValues = fc.oneof(
  fc.constantFrom<unknown>(null, true, '', ' ', 0, -1, 1.5, 2 ** 53, 2 ** 63, 1e308, [], {}, [[]], [null], { id: 1 }),
  fc.constantFrom<unknown>(
    ...oddTexts,
    'x'.repeat(70_000),
    Array.from({ length: 2000 }, () => 'a'),
  ),
  fc.jsonValue(),
)
const brokenBodies = fc.oneof(
  fc.constantFrom(
    '',
    '{',
    '[',
    '{}',
    'null',
    '""',
    '0',
    '[]',
    '\ufeff{}',
    '{"title":"a","title":1}',
    '{"__proto__":{"a":1}}',
    'NaN',
  ),
  fc.constantFrom(
    '['.repeat(50_000),
    '{"a":'.repeat(20_000),
    `"${'\\u0000'.repeat(1000)}"`,
    '{"id":1e400}',
    '<a/>',
    'a=1&b=2',
  ),
  fc.uint8Array({ maxLength: 100 }),
  fc.string({ unit: 'binary', maxLength: 100 }),
)

function mistakes({ token, adminToken, sessionToken }: Target): fc.Arbitrary<Mistake> {
  const tokens = ['', 'x', token, adminToken, sessionToken, `${token}x`, token.toUpperCase()]
  return fc.oneof(
    {
      weight: 300,
      arbitrary: fc.record({ at: fc.nat(), how: fc.constantFrom(...fieldMistakes), value: wrongValues }).map(inField),
    },
    { weight: 100, arbitrary: brokenBodies.map(withBody) },
    { weight: 50, arbitrary: fc.nat(300).map(cutBody) },
    { weight: 50, arbitrary: fc.constantFrom(...oddTypes).map((type) => withHeader('content-type', type)) },
    {
      weight: 150,
      arbitrary: fc.tuple(fc.constantFrom(...oddHeaders), headerText).map(([name, text]) => withHeader(name, text)),
    },
    { weight: 50, arbitrary: fc.constantFrom(...tokens).map((text) => withHeader('authorization', `Bearer ${text}`)) },
    { weight: 100, arbitrary: fc.tuple(fc.nat(), fc.constantFrom(...oddSegments, '2', '999')).map(inPath) },
    {
      weight: 100,
      arbitrary: fc.array(fc.tuple(fc.constantFrom(...queryNames), wrongValues), { maxLength: 4 }).map(inQuery),
    },
    { weight: 50, arbitrary: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE').map(withMethod) },
    // Rare, because it is slow: larger than every body limit except that of Git.
    {
      weight: 1,
      arbitrary: fc.constantFrom(1, 26).map((mebibytes) => withBody(`"${'x'.repeat(mebibytes * 1024 * 1024)}"`)),
    },
  )
}

const queryNames = [
  ...new Set(
    Object.values(surfaces)
      .flat()
      .flatMap(({ query }) => Object.keys(query?.shape ?? {})),
  ),
  'x',
  '',
]

const fieldMistakes = ['replace', 'remove', 'add', 'nest'] as const

/** Changes one field of the JSON at any depth. */
const inField =
  ({ at, how, value }: { at: number; how: (typeof fieldMistakes)[number]; value: unknown }): Mistake =>
  (request) => {
    const json = jsonOf(request.body)
    const holders = holdersIn(json)
    const holder = holders[at % Math.max(1, holders.length)]
    if (holder === undefined) return { ...request, body: toBody(request.route, value) }
    const keys = Object.keys(holder)
    const key = keys[at % Math.max(1, keys.length)]
    if (how === 'add' || key === undefined) Object.assign(holder, { [`extra${at % 3}`]: value })
    else if (how === 'remove') delete holder[key]
    else holder[key] = how === 'nest' ? { [key]: holder[key] } : value
    return { ...request, body: toBody(request.route, json) }
  }

function jsonOf(body: FuzzedRequest['body']): unknown {
  try {
    return typeof body === 'string' ? JSON.parse(body) : undefined
  } catch {
    return undefined
  }
}

/** A value's objects and lists, starting with itself. */
function holdersIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return []
  const holder = value as Record<string, unknown> // a list's keys are its indexes
  return [holder, ...Object.values(holder).flatMap(holdersIn)]
}

const withBody =
  (body: string | Uint8Array<ArrayBuffer>): Mistake =>
  (request) => ({ ...request, body, headers: { 'content-type': 'application/json', ...request.headers } })

const cutBody =
  (length: number): Mistake =>
  (request) => ({ ...request, body: request.body?.slice(0, length) })

const withHeader =
  (name: string, text: string): Mistake =>
  (request) => ({ ...request, headers: { ...request.headers, [name]: text } })

const withMethod =
  (method: string): Mistake =>
  (request) => ({ ...request, method })

const inPath =
  ([at, segment]: [number, string]): Mistake =>
  (request) => {
    const names = Object.keys(request.params)
    const name = names[at % Math.max(1, names.length)]
    return name === undefined ? request : { ...request, params: { ...request.params, [name]: segment } }
  }

const inQuery =
  (fields: readonly (readonly [string, unknown])[]): Mistake =>
  (request) => ({ ...request, query: toQuery(fields.map(([name, value]) => [name, textOf(value)])) })

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 3000)

export function toRequest({ route, method, params, query, headers, body }: FuzzedRequest): Request {
  return new Request(`http://platform.example${pathOf(route, params)}${query}`, {
    method,
    headers,
    ...(body === undefined || method === 'GET' ? {} : { body }),
  })
}

/** A description from which the request can be repeated. */
export function describeRequest({ route, method, params, query, headers, body }: FuzzedRequest): string {
  const sent = typeof body === 'string' ? body : body && `${body.length} bytes ${Buffer.from(body).toString('base64')}`
  return `${method} ${pathOf(route, params)}${query} ${JSON.stringify(headers)} ${sent ?? ''}`.slice(0, 2000)
}
