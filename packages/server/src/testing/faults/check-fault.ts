import { keysOf, requireKnown } from '../../core/known-keys.ts'
import { toMicros } from '../duration.ts'
import { checkMatch } from '../request-match.ts'
import { connectionFaults, damages, type Fault, type Latency } from './fault.ts'

const known = keysOf<Fault>({
  match: true,
  after: true,
  times: true,
  probability: true,
  when: true,
  respond: true,
  latency: true,
  clock: true,
  damage: true,
  bytesPerSecond: true,
  connection: true,
  name: true,
})

/** Throws a TypeError that names the option and the remedy: a fault that never strikes makes a test that proves nothing. */
export function checkFault(fault: Fault): void {
  requireKnown(fault, known, 'A fault')
  if (fault.match !== undefined) checkMatch(fault.match)
  requireWhole(fault, 'after', 0)
  requireWhole(fault, 'times', 1)
  requireWhole(fault, 'bytesPerSecond', 1)
  const { probability = 1, when, damage, connection, clock } = fault
  if (!(probability >= 0 && probability <= 1)) throw wrong('probability', 'a number from 0 to 1', probability)
  requireOneOf('when', ['before', 'after'], when)
  requireOneOf('clock', ['real', 'virtual'], clock)
  requireOneOf('damage', damages, damage)
  requireOneOf('connection', connectionFaults, connection)
  if (fault.latency !== undefined) checkLatency(fault.latency)
  checkAnswer(fault.respond)
  checkTogether(fault)
}

function checkLatency(latency: Latency): void {
  if (typeof latency !== 'object') return void toMicros(latency)
  if ('median' in latency) {
    requireKnown(latency, ['median', 'sigma'], '`latency`')
    toMicros(latency.median)
    if (!((latency.sigma ?? 0) >= 0)) throw wrong('latency.sigma', 'a number of 0 or more, say 0.5', latency.sigma)
    return
  }
  if (!('min' in latency && 'max' in latency)) {
    throw wrong('latency', "a duration, {min, max} or {median, sigma?}, e.g. {min: '50ms', max: '2s'}", latency)
  }
  requireKnown(latency, ['min', 'max'], '`latency`')
  if (toMicros(latency.min) > toMicros(latency.max)) throw wrong('latency.min', 'at most `max`', latency.min)
}

function checkAnswer(respond: Fault['respond']): void {
  if (respond === undefined || typeof respond === 'function') return
  const answer = typeof respond === 'number' ? { status: respond } : respond
  requireKnown(answer, ['status', 'body', 'headers', 'retryAfterSeconds'], '`respond`')
  const { status = 500 } = answer
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw wrong('respond.status', 'a whole number from 200 to 599', status)
  }
  if ('retryAfterSeconds' in answer) requireWhole(answer, 'retryAfterSeconds', 0)
}

const beforeAnyRequest = ['refused', 'dns', 'tls']

/** Options that contradict each other. */
function checkTogether({ when, respond, latency, damage, bytesPerSecond, connection, clock }: Fault): void {
  const spoils = damage !== undefined || bytesPerSecond !== undefined
  if (respond === undefined && latency === undefined && connection === undefined && !spoils) {
    throw new TypeError('A fault needs `respond`, `latency`, `damage`, `bytesPerSecond` or `connection`.')
  }
  if (connection !== undefined && spoils) {
    throw new TypeError('`connection` leaves no body to spoil: give it, or `damage` and `bytesPerSecond`, not both.')
  }
  if (connection !== undefined && connection !== 'reset-mid-body' && respond !== undefined) {
    throw new TypeError(`With \`connection: '${connection}'\` nothing is answered: leave \`respond\` out.`)
  }
  if (when === 'after' && connection !== undefined && beforeAnyRequest.includes(connection)) {
    throw new TypeError(
      `\`connection: '${connection}'\` comes before any request: leave \`when\` out, or use 'reset' for a lost answer.`,
    )
  }
  if (when === 'before' && respond === undefined && (spoils || connection === 'reset-mid-body')) {
    throw new TypeError(
      "There is no answer to spoil before the work is done: leave `when: 'before'` out or add `respond`.",
    )
  }
  if (clock !== undefined && latency === undefined) throw new TypeError('`clock` says how `latency` passes: add one.')
}

function requireWhole<Name extends string>(
  given: { readonly [N in Name]?: number | undefined },
  name: Name,
  least: number,
): void {
  const value = given[name]
  if (value === undefined || (Number.isSafeInteger(value) && value >= least)) return
  throw wrong(name, `a whole number of at least ${least}`, value)
}

function requireOneOf(name: string, values: readonly string[], value: string | undefined): void {
  if (value === undefined || values.includes(value)) return
  throw wrong(name, `one of ${values.map((each) => `'${each}'`).join(', ')}`, value)
}

const wrong = (name: string, wanted: string, value: unknown) =>
  new TypeError(`\`${name}\` must be ${wanted}; it was ${JSON.stringify(value)}.`)
