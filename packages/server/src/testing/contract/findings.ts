import { AssertionError } from 'node:assert'
import type { EventName } from '@service/contract'
import type { Kept } from '../journal/kept.ts'
import { describeKept } from '../journal/near-miss.ts'
import { answerProblems } from './check-answer.ts'
import { eventProblems } from './check-event.ts'
import { isUnknownRoute, requestProblems } from './check-request.ts'
import type { Problem } from './problem.ts'
import { describeViolation, type Violation } from './violation.ts'

/** Whether requests, answers and webhooks are held against the contract, and what happens then. */
export type ContractMode = 'throw' | 'collect' | 'off'

/** What else a test must not leave behind unnoticed. */
export interface Strictness {
  /** Answers of 400 and above that no fault made and no test has asked for by their status. */
  readonly unexpectedErrors?: boolean
  /** Requests to routes that do not exist. */
  readonly unknownRoutes?: boolean
  /** Faults that never struck. */
  readonly unusedFaults?: boolean
}

export interface FindingsOptions {
  /**
   * `collect` checks what is sent and answered and lets `verify()` throw, `throw` lets `close()` throw too, `off` checks
   * nothing. What callers get is the same in all three. `collect` where a `seed` is given, else `off`.
   */
  readonly contract?: ContractMode
  readonly strict?: Strictness
}

/** What was found wrong and not told yet. */
export interface Findings {
  /** Whether anything is looked for. */
  readonly isLooking: boolean
  check(kept: Kept): void
  /** Webhooks that the platform keeps from here on; a seed's are not looked at. */
  begin(): void
  checkEvent(name: EventName, body: string): void
  /** Of faults that are about to be dropped. */
  faultsEnd(): void
  /** Throws everything that was found since it was last asked. */
  verify(): void
  /** The same at the end of the server, as far as the options want it. */
  verifyAtEnd(): void
}

interface Finding {
  readonly kept?: Kept
  readonly isContract: boolean
  readonly text: string
}

/** More would be the same mistake again. */
const mostKept = 100

export interface FindingsParts extends FindingsOptions {
  /** Faults that were added and never struck, in words. */
  unusedFaults(): readonly string[]
}

export function createFindings({ contract = 'off', strict = {}, unusedFaults }: FindingsParts): Findings {
  let found: Finding[] = []
  let hasBegun = false
  const add = (finding: Finding) => {
    if (found.length < mostKept) found.push(finding)
  }
  const faultsEnd = () => {
    if (strict.unusedFaults !== true) return
    for (const text of unusedFaults()) add({ isContract: false, text: `A fault never struck: ${text}` })
  }
  const tell = (texts: readonly Finding[]) => {
    found = []
    const told = texts.filter(({ kept }) => kept?.excused !== true).map(({ text }) => `  - ${text}`)
    if (told.length === 0) return
    const message = [`${told.length === 1 ? 'A problem' : `${told.length} problems`} on the way:`, ...told].join('\n')
    throw new AssertionError({ message, operator: 'verify' })
  }
  return {
    isLooking: contract !== 'off' || Object.values(strict).includes(true),
    check(kept) {
      if (contract !== 'off') {
        kept.violations = violationsOf(kept)
        for (const violation of kept.violations) add(toFinding(violation, kept))
      }
      for (const text of strictProblems(kept, strict)) add({ kept, isContract: false, text })
    },
    begin() {
      hasBegun = true
    },
    checkEvent(name, body) {
      if (contract === 'off' || !hasBegun) return
      const problems = eventProblems(name, body)
      if (problems.length > 0) add(toFinding({ side: 'webhook', operation: name, problems }))
    },
    faultsEnd,
    verify() {
      faultsEnd()
      tell(found)
    },
    verifyAtEnd() {
      faultsEnd()
      tell(found.filter(({ isContract }) => !isContract || contract === 'throw'))
    },
  }
}

const toFinding = (violation: Violation, kept?: Kept): Finding => ({
  // Only the caller's own mistakes can be expected.
  ...(kept !== undefined && violation.side === 'request' ? { kept } : {}),
  isContract: true,
  text: describeViolation(violation, kept?.sequence),
})

/** An answer that a fault has made is no answer of ours. */
function violationsOf(kept: Kept): Violation[] {
  const { operation, method, path, status, answer, fault } = kept
  const name = operation?.route.operation ?? `${method} ${path}`
  const contentType = kept.request.headers.get('content-type')
  const requested = requestProblems({ ...kept, contentType })
  const ofRequest = toViolations('request', name, requested)
  if (operation === undefined || status === undefined || answer === undefined || fault !== undefined) return ofRequest
  const answered = { status, text: answer, contentType: kept.answerHeaders?.get('content-type') ?? null }
  return [...ofRequest, ...toViolations('response', name, answerProblems(operation.route, answered))]
}

const toViolations = (side: Violation['side'], operation: string, problems: readonly Problem[]): Violation[] =>
  problems.length === 0 ? [] : [{ side, operation, problems }]

function strictProblems(kept: Kept, { unexpectedErrors, unknownRoutes }: Strictness): string[] {
  const { status, fault } = kept
  const isError = status !== undefined && status >= 400 && fault === undefined
  if (isUnknownRoute(kept)) return unknownRoutes === true ? [`Nothing answers ${describeKept(kept)}`] : []
  return unexpectedErrors === true && isError
    ? [`An answer that no test asked for: ${describeKept(kept)}${messageOf(kept)}`]
    : []
}

const messageOf = ({ answer }: Kept) => (answer === undefined ? '' : ` ${answer.slice(0, 300)}`)
