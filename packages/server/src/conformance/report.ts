import type { Finding } from './run-checks.ts'

const marks = { same: '✓', differs: '✗', skipped: '–' } as const

/** A line per check, and what differs in words. */
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
  /** Differs from ours where the document is silent. */
  readonly different: number
}

export function summarize(violations: readonly Finding[]): Summary {
  const count = (fits: (finding: Finding) => boolean) => violations.filter(fits).length
  const differs = (basis: string) => (finding: Finding) => finding.result === 'differs' && finding.check.basis === basis
  return {
    same: count(({ result }) => result === 'same'),
    skipped: count(({ result }) => result === 'skipped'),
    broken: count(differs('documented')),
    different: count(differs('decided')),
  }
}

export const summaryLine = ({ same, skipped, broken, different }: Summary) =>
  `${same} the same, ${broken} against the document, ${different} other than ours where it is silent, ${skipped} not looked at`
