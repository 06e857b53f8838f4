import type { Check } from './check.ts'
import { checks } from './checks.ts'
import { createProbe } from './probe.ts'
import { Mismatch, Skipped } from './reply.ts'
import type { ConformanceTarget } from './target.ts'

/** What came of one check. */
export interface Finding {
  readonly check: Pick<Check, 'section' | 'title' | 'basis' | 'operation'>
  readonly result: 'same' | 'differs' | 'skipped'
  readonly expected?: string
  readonly got?: string
  /** Why it was not made. */
  readonly why?: string
}

export interface RunOptions {
  /** Also the checks that leave something behind. */
  readonly write: boolean
  onFinding?(finding: Finding, done: number, of: number): void
}

/** Runs every check, one after the other: a deployment limits how often it may be asked. */
export async function runChecks(target: ConformanceTarget, { write, onFinding }: RunOptions): Promise<Finding[]> {
  const probe = createProbe(target)
  const violations: Finding[] = []
  for (const check of checks) {
    const finding: Finding =
      check.writes === true && !write
        ? { check, result: 'skipped', why: 'needs --write' }
        : await runCheck(check, probe)
    violations.push(finding)
    onFinding?.(finding, violations.length, checks.length)
  }
  return violations
}

async function runCheck(check: Check, probe: ReturnType<typeof createProbe>): Promise<Finding> {
  try {
    await check.run(probe)
    return { check, result: 'same' }
  } catch (thrown) {
    if (thrown instanceof Skipped) return { check, result: 'skipped', why: thrown.message }
    if (thrown instanceof Mismatch) {
      return { check, result: 'differs', expected: thrown.expected, got: thrown.got }
    }
    const got = thrown instanceof Error ? thrown.message : String(thrown)
    return { check, result: 'differs', expected: 'an answer', got }
  }
}
