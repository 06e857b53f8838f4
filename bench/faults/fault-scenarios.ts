import {
  brokenGzip,
  cut,
  earlyHints,
  endless,
  hugeHeader,
  marked,
  page,
  redirect,
  right,
  slow,
  stall,
  stallInBody,
  status,
  text,
} from './answers.ts'
import type { Answer } from './fault-server.ts'

export interface FaultScenario {
  readonly name: string
  readonly method: 'GET' | 'POST'
  /** For the first request, the second …; the last one for all that follow. */
  readonly answers: readonly Answer[]
  /** What the caller must get: an error, or the answer. `any` where either is right. */
  readonly wanted: 'error' | 'answer' | 'any'
  /** Whether the platform has certainly done nothing, so that a POST may be sent again. */
  readonly isUndone?: boolean
  /** How long the platform asked to wait. */
  readonly notBeforeMs?: number
  /** When the caller leaves: before the call, or once this many requests were answered or left without an answer. */
  readonly abort?: 'before' | number
  readonly hasKey?: boolean
  /** Where there is no server: a closed port, a name that nobody has, or TLS towards a port that has none. */
  readonly baseUrl?: 'closed' | 'unknown' | 'tls'
}

type Rest = Partial<Omit<FaultScenario, 'name' | 'method' | 'answers'>>

const of =
  (method: 'GET' | 'POST') =>
  (name: string, answers: Answer | readonly Answer[], rest: Rest = {}): FaultScenario => ({
    name: `${method}: ${name}`,
    method,
    answers: [answers].flat(),
    wanted: 'error',
    ...rest,
  })
const get = of('GET')
const post = of('POST')
const both = (name: string, answers: Answer | readonly Answer[], rest: Rest = {}): FaultScenario[] => [
  get(name, answers, rest),
  post(name, answers, rest),
]

const retryAfter = (code: number, value: string) => status(code, { 'retry-after': value })
const secondsFromNow =
  (seconds: number): Answer =>
  (response, place) =>
    retryAfter(429, new Date(Date.now() + seconds * 1000).toUTCString())(response, place)

/** The platform stops in the middle, and so does the connection, or the connection alone. */
const interrupted: readonly FaultScenario[] = [
  ...both('no answer', stall.beforeHeaders),
  get('stops within the headers', stall.inHeaders),
  ...both('stops after the headers', stall.afterHeaders),
  ...both('stops in the body', stallInBody(200)),
  ...both('stops in the body of a 500', stallInBody(500)),
  get('stops in the body of a 429', stallInBody(429)),
  ...both('a byte every 200 ms, for ever', slow),
  get('an endless body', endless),
  ...both('reset instead of an answer', cut.reset),
  ...both('closed instead of an answer', cut.hangUp),
  get('closed within the headers', cut.inHeaders),
  ...both('not HTTP', cut.notHttp),
  ...both('reset in the body', cut.resetInBody),
  ...both('shorter than its content-length', cut.short),
  get('chunks that end too soon', cut.inChunks),
]

const refused: readonly FaultScenario[] = [
  ...both('500', status(500)),
  ...both('502 with a page of HTML', page(502)),
  ...both('503', status(503)),
  ...both('504', status(504)),
  get('401', status(401)),
  post('409', status(409), { isUndone: true }),
  post('422', status(422)),
  ...both('429, Retry-After 2', [retryAfter(429, '2'), right], { isUndone: true, notBeforeMs: 2000, wanted: 'any' }),
  get('429, Retry-After as a date', [secondsFromNow(4), right], { notBeforeMs: 2500, wanted: 'any' }),
  ...both('429, Retry-After of ten years', retryAfter(429, '315360000'), { isUndone: true }),
  get('429, Retry-After that is no time', retryAfter(429, 'soon')),
  post('429 without Retry-After', status(429), { isUndone: true }),
  get('503, Retry-After 2', [retryAfter(503, '2'), right], { notBeforeMs: 2000, wanted: 'any' }),
]

const misleading: readonly FaultScenario[] = [
  ...both('200 with a page of HTML', page(200)),
  ...both('200 with an empty body', text('')),
  get('204 in place of the list', (response) => response.writeHead(204).end()),
  ...both('200 with half of the JSON', text('{"data": [{"ticket_number": "TKT-00001"')),
  ...both('200 with JSON of another shape', text('{"totally":"wrong","from":"TKT-00001"}')),
  get('gzip that is cut off', brokenGzip),
  get('a header of 100 kB', hugeHeader),
  get('a byte order mark before the JSON', marked, { wanted: 'answer' }),
  get('early hints before the answer', earlyHints, { wanted: 'answer' }),
]

const redirected: readonly FaultScenario[] = [
  ...[302, 307].flatMap((code) => both(`${code} to another origin`, redirect(code, 'elsewhere'))),
  post('308 to another origin', redirect(308, 'elsewhere')),
  post('302 within the origin', [redirect(302, 'here'), right]),
  get('redirects for ever', redirect(302, 'here')),
]

const unreachable: readonly FaultScenario[] = [
  ...both('connection refused', right, { baseUrl: 'closed', isUndone: true }),
  get('a name that nobody has', right, { baseUrl: 'unknown' }),
  get('TLS towards a port without', right, { baseUrl: 'tls' }),
]

const abandoned: readonly FaultScenario[] = [
  post('aborted before the call', right, { abort: 'before' }),
  ...both('aborted while it waits for the headers', stall.beforeHeaders, { abort: 1 }),
  get('aborted in the body', stallInBody(200), { abort: 1 }),
  get('aborted before it tries again', status(503), { abort: 1 }),
  get('aborted during Retry-After', [retryAfter(429, '20'), right], { abort: 1 }),
]

const healed: readonly FaultScenario[] = [
  get('503, then right', [status(503), right], { wanted: 'answer' }),
  get('reset, then right', [cut.reset, right], { wanted: 'answer' }),
  get('half a body, then right', [cut.short, right], { wanted: 'answer' }),
  get('no answer in time, then right', [stall.beforeHeaders, right], { wanted: 'answer' }),
  post('with a key: 503, then right', [status(503), right], { wanted: 'answer', hasKey: true }),
  post('with a key: reset, then right', [cut.reset, right], { wanted: 'answer', hasKey: true }),
]

export const faultScenarios: readonly FaultScenario[] = [
  ...interrupted,
  ...refused,
  ...misleading,
  ...redirected,
  ...unreachable,
  ...abandoned,
  ...healed,
]
