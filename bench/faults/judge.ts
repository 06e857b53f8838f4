import type { FaultScenario } from './fault-scenarios.ts'
import { type FaultOutcome, ownSecret, token } from './run-fault.ts'

/** What can be wrong with the way in which a client takes a fault, and what that means. */
export const defects = {
  hangs: 'the call was still under way after 40 s',
  'sends twice': 'a POST that may have been carried out was sent again without an idempotency key',
  leaks:
    'the token or a secret header went to another origin, the error prints the token, or a connection, a timer or a listener was left behind',
  'tells nothing': 'the call succeeds with what is no answer, or with the answer of somebody else',
  early: 'the next attempt came sooner than the platform had asked for',
  'gives up': 'another attempt would have been answered, and it could have been made',
  'no abort': 'it takes no signal, or goes on after it',
} as const
export type Defect = keyof typeof defects

/** Long enough for a busy machine. */
const lateAfterMs = 5000

/** None is right. */
export function judge(scenario: FaultScenario, outcome: FaultOutcome): readonly Defect[] {
  if (scenario.abort !== undefined && outcome.hasNoSignal) return ['no abort']
  const found = ofEnd(scenario, outcome)
  if (isSentTwice(scenario, outcome)) found.push('sends twice')
  if (leaks(outcome)) found.push('leaks')
  const [first, second] = outcome.received
  if (first && second && second.at - first.at < (scenario.notBeforeMs ?? 0)) found.push('early')
  const isLate = (outcome.report?.abortTookMs ?? 0) > lateAfterMs
  const goesOn = isLate || outcome.afterAbort > 0 || (scenario.abort === 'before' && first !== undefined)
  return goesOn ? [...found, 'no abort'] : found
}

function ofEnd({ wanted }: FaultScenario, { report }: FaultOutcome): Defect[] {
  if (report === undefined) return ['hangs']
  if (wanted === 'error') return report.isTold ? [] : ['tells nothing']
  if (wanted === 'any' || report.hasTicket) return []
  return [report.isTold ? 'gives up' : 'tells nothing']
}

function isSentTwice({ method, isUndone }: FaultScenario, { received }: FaultOutcome): boolean {
  const posts = received.filter((request) => request.method === 'POST')
  return (
    method === 'POST' && isUndone !== true && posts.length > 1 && posts[1]?.headers['idempotency-key'] === undefined
  )
}

function leaks({ report, unfinished, receivedElsewhere }: FaultOutcome): boolean {
  const sentAway = receivedElsewhere.some(({ headers, body }) => {
    const sent = JSON.stringify(headers)
    return sent.includes(token) || sent.includes(ownSecret) || body !== ''
  })
  if (sentAway) return true
  if (report === undefined) return false
  return report.printsToken || report.timers > 0 || report.listeners > 0 || unfinished > 0
}
