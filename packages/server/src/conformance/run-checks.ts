import { checks } from './checks.ts'
import { type Check, type ConformanceTarget, createProbe, Mismatch, Skipped } from './probe.ts'

/** The result of one check. */
export interface Finding {
  readonly check: Pick<Check, 'section' | 'title' | 'basis' | 'operation'>
  readonly result: 'same' | 'differs' | 'skipped'
  readonly expected?: string
  readonly got?: string
  /** Why it was skipped. */
  readonly why?: string
}

export interface RunOptions {
  /** Also run the checks that create records. */
  readonly write: boolean
  onFinding?(finding: Finding): void
}

/** Runs all checks one at a time, because deployments limit requests. */
export async function runChecks(target: ConformanceTarget, { write, onFinding }: RunOptions): Promise<Finding[]> {
  const probe = createProbe(target)
  const findings: Finding[] = []
  for (const check of checks) {
    const finding: Finding =
      check.writes === true && !write
        ? { check, result: 'skipped', why: 'needs --write' }
        : await runCheck(check, probe)
    findings.push(finding)
    onFinding?.(finding)
  }
  return findings
}

async function runCheck(check: Check, probe: ReturnType<typeof createProbe>): Promise<Finding> {
  try {
    await check.run(probe)
    return { check, result: 'same' }
  } catch (thrown) {
    if (thrown instanceof Skipped) return { check, result: 'skipped', why: thrown.message }
    if (thrown instanceof Mismatch) {
      return { check, result: 'differs', expected: thrown.expected, got: thrown.received }
    }
    const got = thrown instanceof Error ? thrown.message : String(thrown)
    return { check, result: 'differs', expected: 'a response', got }
  }
}

const marks = { same: '✓', differs: '✗', skipped: '–' } as const

/** One line per check, and the difference if there is one. */
export function findingLines({ check, result, expected, got, why }: Finding): string[] {
  const silent = check.basis === 'decided' ? ' (the document is silent)' : ''
  const line = `${marks[result]} ${check.section.padEnd(3)} ${check.title}${result === 'differs' ? silent : ''}`
  if (result === 'skipped') return [`${line} – ${why}`]
  return result === 'differs' ? [line, `      expected ${expected}`, `      got      ${got}`] : [line]
}

export interface Summary {
  readonly same: number
  readonly skipped: number
  /** Contradicts the document. */
  readonly broken: number
  /** Differs from this implementation where the document is silent. */
  readonly different: number
}

export function summarize(findings: readonly Finding[]): Summary {
  const count = (fits: (finding: Finding) => boolean) => findings.filter(fits).length
  const differs = (basis: string) => (finding: Finding) => finding.result === 'differs' && finding.check.basis === basis
  return {
    same: count(({ result }) => result === 'same'),
    skipped: count(({ result }) => result === 'skipped'),
    broken: count(differs('documented')),
    different: count(differs('decided')),
  }
}

export const summaryLine = ({ same, skipped, broken, different }: Summary) =>
  `${same} passed, ${broken} contradict the document, ${different} differ where the document is silent, ${skipped} skipped`
