import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import type { FoundExpression } from './find.ts'

/** What `recheck` says: the time grows with the length of the text, or it could not find out. */
export type Verdict = 'safe' | 'undecided'

/** One entry of `verdicts.json`; the expression stands there for readers, the hash decides. */
export interface Entry {
  readonly verdict: Verdict
  readonly expression: string
}

export type Verdicts = Readonly<Record<string, Entry>>

const file = new URL('verdicts.json', import.meta.url)

export const literalOf = ({ source, flags }: FoundExpression): string => `/${source}/${flags}`

export const hashOf = (expression: FoundExpression): string =>
  createHash('sha256').update(literalOf(expression)).digest('hex').slice(0, 16)

export const readVerdicts = (): Verdicts => JSON.parse(readFileSync(file, 'utf8')) as Verdicts // written below only

export function writeVerdicts(verdicts: Verdicts): void {
  const sorted = Object.entries(verdicts).sort(([a], [b]) => (a < b ? -1 : 1))
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`)
}
