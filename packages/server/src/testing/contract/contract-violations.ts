import { type EventName, eventSchemas } from '@service/contract'
import type { Faults } from '../faults/faults.ts'
import { describeKept } from '../journal/expected-request.ts'
import { decodeText, type RecordedRequest } from '../journal/journal-entry.ts'
import { maskSecrets } from '../journal/mask.ts'
import { answerProblems, toStrictSchema } from './check-answer.ts'
import { isUnknownRoute, requestProblems } from './check-request.ts'
import { describeViolation, problemsOf, type SchemaProblem, type Violation } from './violation.ts'

/** Whether requests, answers and webhooks are checked against the contract, and what happens on a violation. */
export type ContractMode = 'throw' | 'collect' | 'off'

/** Further checks. */
export interface Strictness {
  /** Answers of 400 and above that no fault made and no test expected by their status. */
  readonly unexpectedErrors?: boolean
  /** Requests to routes that do not exist. */
  readonly unknownRoutes?: boolean
  /** Faults that never applied. */
  readonly unusedFaults?: boolean
}

/** What is checked against the contract. */
export interface ContractOptions {
  /**
   * `collect` checks requests and answers, and `verify()` throws; with `throw`, `close()` throws too; `off` checks nothing.
   * Callers get the same answers in all modes. The default is `collect` with a `seed`, else `off`.
   */
  readonly contract?: ContractMode
  readonly strict?: Strictness
}

/** Violations that were found and not reported yet. */
export interface ContractViolations {
  /** Whether anything is checked. */
  readonly isLooking: boolean
  check(recorded: RecordedRequest): void
  /** Checks the webhooks that the platform stores from now on; a seed's are not checked. */
  begin(): void
  checkEvent(name: EventName, body: string): void
  /** Checks faults that are about to be removed. */
  faultsEnd(): void
  /** Throws everything that was found since the last call. */
  verify(): void
  /** The same when the server closes, as the options say. */
  verifyAtEnd(): void
}

interface RecordedViolation {
  readonly kept?: RecordedRequest
  readonly isContract: boolean
  readonly text: string
}

/** More would be the same mistake again. */
const mostKept = 100

export interface ContractViolationsParts extends ContractOptions {
  /** The names of faults that never applied. */
  unusedFaults(): readonly string[]
}

export function createContractViolations({
  contract = 'off',
  strict = {},
  unusedFaults,
}: ContractViolationsParts): ContractViolations {
  let found: RecordedViolation[] = []
  let hasBegun = false
  const add = (finding: RecordedViolation) => {
    if (found.length < mostKept) found.push(finding)
  }
  const faultsEnd = () => {
    if (strict.unusedFaults !== true) return
    for (const text of unusedFaults()) add({ isContract: false, text: `A fault never applied: ${text}` })
  }
  const report = (texts: readonly RecordedViolation[]) => {
    found = []
    const [text, ...others] = texts.filter(({ kept: recorded }) => recorded?.expected !== true).map((each) => each.text)
    if (text === undefined) return
    // A plain error: runners print what an assertion expected and received, and here there is neither.
    if (others.length === 0) throw new Error(text)
    throw new Error([`${others.length + 1} problems:`, ...[text, ...others].map((each) => `  - ${each}`)].join('\n'))
  }
  return {
    isLooking: contract !== 'off' || Object.values(strict).includes(true),
    check(recorded) {
      if (contract !== 'off') {
        recorded.violations = violationsOf(recorded)
        for (const violation of recorded.violations) add(toFinding(violation, recorded))
      }
      for (const text of strictProblems(recorded, strict)) add({ kept: recorded, isContract: false, text })
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
      report(found)
    },
    verifyAtEnd() {
      faultsEnd()
      report(found.filter(({ isContract }) => !isContract || contract === 'throw'))
    },
  }
}

const toFinding = (violation: Violation, recorded?: RecordedRequest): RecordedViolation => ({
  // Only the caller's own mistakes can be expected.
  ...(recorded !== undefined && violation.side === 'request' ? { kept: recorded } : {}),
  isContract: true,
  text: describeViolation(violation, recorded && { ...recorded, operation: recorded.operation?.route.operation }),
})

/** An answer that a fault made is not checked. */
function violationsOf(recorded: RecordedRequest): Violation[] {
  const { operation, method, path, status, answer, fault } = recorded
  const name = operation?.route.operation ?? `${method} ${path}`
  const contentType = recorded.request.headers.get('content-type')
  const requested = requestProblems({ ...recorded, contentType })
  const ofRequest = toViolations('request', name, requested)
  if (operation === undefined || status === undefined || answer === undefined || fault !== undefined) return ofRequest
  const answered = { status, text: answer, contentType: recorded.answerHeaders?.get('content-type') ?? null }
  return [...ofRequest, ...toViolations('response', name, answerProblems(operation.route, answered))]
}

const toViolations = (side: Violation['side'], operation: string, problems: readonly SchemaProblem[]): Violation[] =>
  problems.length === 0 ? [] : [{ side, operation, problems }]

function strictProblems(recorded: RecordedRequest, { unexpectedErrors, unknownRoutes }: Strictness): string[] {
  const { status, fault } = recorded
  const isError = status !== undefined && status >= 400 && fault === undefined
  if (isUnknownRoute(recorded)) return unknownRoutes === true ? [`Nothing answers ${describeKept(recorded)}`] : []
  return unexpectedErrors === true && isError
    ? [`An answer that no test asked for: ${describeKept(recorded)}${messageOf(recorded)}`]
    : []
}

const messageOf = ({ answer }: RecordedRequest) =>
  answer === undefined ? '' : ` ${JSON.stringify(maskSecrets(decodeText(answer))).slice(0, 300)}`

/** Violations in the body of an event, as it is signed and sent. */
const eventProblems = (name: EventName, body: string): SchemaProblem[] =>
  problemsOf(toStrictSchema(eventSchemas[name]), JSON.parse(body))

/** The names of faults that have not applied. */
export const unusedFaults = (faults: Faults): string[] =>
  faults
    .list()
    .filter(({ hits }) => hits === 0)
    .map(({ name }) => name)
