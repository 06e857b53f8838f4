/** A mutant that no test can or should kill, and why. */
export interface ExplainedSurvivor {
  readonly file: string
  /** A part of the line that is changed. */
  readonly code: string
  /** What is put there, where not every change of the line is meant. */
  readonly becomes?: string
  readonly why: string
}

const unreachable = 'the default is for the compiler: split always gives a first part'
const money = 'packages/server/src/modules/crm/money.ts'
const timestamp = 'packages/server/src/modules/hrms/attendance/punch-timestamp.ts'
const localDay = 'packages/server/src/modules/hrms/attendance/local-day.ts'

export const explainedSurvivors: readonly ExplainedSurvivor[] = [
  { file: money, code: "[digits = '0'", becomes: '""', why: `${unreachable}; and an empty exponent is 0 too` },
  { file: money, code: "[whole = '0'", becomes: '""', why: unreachable },
  { file: money, code: "|| '0')", becomes: '""', why: 'Number of an empty text is 0' },
  {
    file: money,
    code: 'length < 0',
    becomes: 'length <= 0',
    why: 'numbers with an exponent have a length of −4 or less',
  },
  { file: localDay, code: 'if (known)', becomes: 'false', why: 'without its cache it gives the same, later' },
  { file: localDay, code: 'formatters.set(', why: 'without its cache it gives the same, later' },
  {
    ...{ file: timestamp, code: "fraction = ''", becomes: '"Stryker was here!"' },
    why: 'what is no number of microseconds is left out, as nothing is',
  },
  { file: timestamp, code: 'date === undefined || time', why: 'the expression finds both or neither' },
  {
    ...{ file: timestamp, code: 'time.replace(/60$/', becomes: '/60/' },
    why: 'a time with 60 minutes or hours is refused in the next line, whichever 60 is replaced',
  },
  { file: timestamp, code: "offset = 'Z'", becomes: '""', why: 'an empty offset is 0 too' },
]
