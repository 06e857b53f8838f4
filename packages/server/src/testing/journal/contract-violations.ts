import { type EventName, eventSchemas } from '@service/contract'
import { responseProblems, toStrictSchema } from '../contract/check-answer.ts'
import { isUnknownRoute, requestProblems } from '../contract/check-request.ts'
import { describeViolation, findProblems, type SchemaProblem, type Violation } from '../contract/violation.ts'
import type { ActiveFault } from '../faults/fault.ts'
import { describeRecorded } from './expected-request.ts'
import { decodeText, type RecordedRequest } from './journal-entry.ts'
import { maskSecrets } from './mask.ts'

/** Whether requests, answers and webhooks are checked against the contract, and what happens on a violation. */
export type ContractMode = 'throw' | 'collect' | 'off'

/** Further checks. */
export interface Strictness {
  /** Responses with 400 or above that no fault caused and no test expected by status. */
  readonly unexpectedErrors?: boolean | undefined
  /** Requests to routes that do not exist. */
  readonly unknownRoutes?: boolean | undefined
  /** Faults that never applied. */
  readonly unusedFaults?: boolean | undefined
}

/** What is checked against the contract. */
export interface ContractOptions {
  /**
   * `collect` checks requests and responses, and `verify()` throws; with `throw`, `close()` throws too; `off` checks
   * nothing. Responses are the same in all modes. Defaults to `collect` with a `seed`, otherwise to `off`.
   */
  readonly contract?: ContractMode | undefined
  readonly strict?: Strictness | undefined
}

type CountedFault = Pick<ActiveFault, 'name' | 'hits'>

/** Violations found since the last report. */
export interface ContractViolations {
  /** Whether anything is checked. */
  readonly isEnabled: boolean
  check(recorded: RecordedRequest): void
  /** Starts checking stored webhooks. Those of a seed are not checked. */
  startCheckingEvents(): void
  checkEvent(name: EventName, body: string): void
  /** Checks faults that are about to be removed. */
  checkUnusedFaults(faults: readonly CountedFault[]): void
  /** Throws everything that was found since the last call. */
  verify(faults: readonly CountedFault[]): void
  /** Like `verify`, at the end of the test or when the server closes, depending on the options. Only the first call reports. */
  verifyAtEnd(faults: readonly CountedFault[]): void
}

interface Finding {
  readonly recorded?: RecordedRequest
  readonly isContract: boolean
  readonly text: string
}

/** Further violations are likely repetitions. */
const maxFindings = 100

export function createContractViolations({ contract = 'off', strict = {} }: ContractOptions): ContractViolations {
  let found: Finding[] = []
  let checksEvents = false
  let hasEnded = false
  const add = (finding: Finding) => {
    if (found.length < maxFindings) found.push(finding)
  }
  const checkUnusedFaults = (faults: readonly CountedFault[]) => {
    if (strict.unusedFaults !== true) return
    for (const { name } of faults.filter(({ hits }) => hits === 0))
      add({ isContract: false, text: `A fault never applied: ${name}` })
  }
  const report = (findings: readonly Finding[]) => {
    found = []
    const [text, ...others] = findings.filter(({ recorded }) => recorded?.expected !== true).map((each) => each.text)
    if (text === undefined) return
    // A plain error, because runners expect an AssertionError to have expected and received values.
    if (others.length === 0) throw new Error(text)
    throw new Error([`${others.length + 1} problems:`, ...[text, ...others].map((each) => `  - ${each}`)].join('\n'))
  }
  return {
    isEnabled: contract !== 'off' || Object.values(strict).includes(true),
    check(recorded) {
      if (contract !== 'off') {
        recorded.violations = findViolations(recorded)
        for (const violation of recorded.violations) add(toFinding(violation, recorded))
      }
      for (const text of strictProblems(recorded, strict)) add({ recorded, isContract: false, text })
    },
    startCheckingEvents() {
      checksEvents = true
    },
    checkEvent(name, body) {
      if (contract === 'off' || !checksEvents) return
      const problems = eventProblems(name, body)
      if (problems.length > 0) add(toFinding({ side: 'webhook', operation: name, problems }))
    },
    checkUnusedFaults,
    verify(faults) {
      checkUnusedFaults(faults)
      report(found)
    },
    verifyAtEnd(faults) {
      if (hasEnded) return
      hasEnded = true
      checkUnusedFaults(faults)
      report(found.filter(({ isContract }) => !isContract || contract === 'throw'))
    },
  }
}

const toFinding = (violation: Violation, recorded?: RecordedRequest): Finding => ({
  // Only mistakes of the caller can be expected.
  ...(recorded !== undefined && violation.side === 'request' ? { recorded } : {}),
  isContract: true,
  text: describeViolation(violation, recorded && { ...recorded, operation: recorded.operation?.route.operation }),
})

/** Responses from faults are not checked. */
function findViolations(recorded: RecordedRequest): Violation[] {
  const { operation, method, path, status, answer, fault } = recorded
  const name = operation?.route.operation ?? `${method} ${path}`
  const contentType = recorded.request.headers.get('content-type')
  const requested = requestProblems({ ...recorded, contentType })
  const ofRequest = toViolations('request', name, requested)
  if (operation === undefined || status === undefined || answer === undefined || fault !== undefined) return ofRequest
  const answered = { status, text: answer, contentType: recorded.answerHeaders?.get('content-type') ?? null }
  return [...ofRequest, ...toViolations('response', name, responseProblems(operation.route, answered))]
}

const toViolations = (side: Violation['side'], operation: string, problems: readonly SchemaProblem[]): Violation[] =>
  problems.length === 0 ? [] : [{ side, operation, problems }]

function strictProblems(recorded: RecordedRequest, { unexpectedErrors, unknownRoutes }: Strictness): string[] {
  const { status, fault } = recorded
  const isError = status !== undefined && status >= 400 && fault === undefined
  if (isUnknownRoute(recorded)) return unknownRoutes === true ? [`Unknown route: ${describeRecorded(recorded)}`] : []
  return unexpectedErrors === true && isError
    ? [`Unexpected error response: ${describeRecorded(recorded)}${messageOf(recorded)}`]
    : []
}

const messageOf = ({ answer }: RecordedRequest) =>
  answer === undefined ? '' : ` ${JSON.stringify(maskSecrets(decodeText(answer))).slice(0, 300)}`

/** Violations in an event's body, as it is signed and sent. */
const eventProblems = (name: EventName, body: string): SchemaProblem[] =>
  findProblems(toStrictSchema(eventSchemas[name]), JSON.parse(body))
