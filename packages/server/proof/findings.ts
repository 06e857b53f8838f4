import { table } from './results.ts'

/** One line of a proof's table. */
export interface Finding {
  readonly what: string
  readonly wanted: string
  readonly measured: string
  readonly isMet: boolean
}

export const exactly = (what: string, wanted: number | string, measured: number | string): Finding => ({
  what,
  wanted: String(wanted),
  measured: String(measured),
  isMet: wanted === measured,
})

/** A figure that is told, and of which nothing is demanded. */
export const told = (what: string, measured: number | string): Finding => ({
  what,
  wanted: '',
  measured: String(measured),
  isMet: true,
})

export const findingsTable = (findings: readonly Finding[]): string =>
  table(
    ['what', 'wanted', 'measured', 'met'],
    findings.map(({ what, wanted, measured, isMet }) => [what, wanted, measured, isMet ? 'yes' : '**no**']),
  )
