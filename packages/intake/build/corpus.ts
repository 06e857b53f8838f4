import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

// Real bodies with what a person reads off them, in the directory that the environment variable CORPUS names. `INDEX.json`
// lists them. Without it the tests have only the cases that are written in them.

export type Labels = Readonly<Record<string, unknown>>

export type CorpusCase = {
  readonly file: string
  readonly provider: string
  readonly format?: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array<ArrayBuffer>
  readonly expected: Labels
}

const fileIn = (name: string): string | null => {
  const directory = process.env['CORPUS']
  const file = directory === undefined ? null : join(directory, name)
  return file !== null && existsSync(file) ? file : null
}

/** A file of the corpus as JSON, or undefined. */
export const corpusJson = (name: string): unknown => {
  const file = fileIn(name)
  return file === null ? undefined : JSON.parse(readFileSync(file, 'utf8'))
}

export const corpusCases = (): readonly CorpusCase[] => {
  // `as`: the index is a file of this shape, and a wrong one fails the comparisons that follow.
  const entries = (corpusJson('INDEX.json') ?? []) as readonly Omit<CorpusCase, 'body'>[]
  return entries
    .filter(({ format }) => format !== 'pairs_table')
    .map((entry) => ({ ...entry, body: new Uint8Array(readFileSync(fileIn(entry.file) ?? entry.file)) }))
}

/** Whether what was found is what a person read: the label, one of an accept list, or a text with all the parts named. */
export const isRight = (expected: Labels, label: string, found: unknown): boolean => {
  const parts = expected[`${label}_contains`]
  if (Array.isArray(parts)) return parts.every((part) => String(found).includes(String(part)))
  const accepted = expected[`${label}_accept`]
  return found === expected[label] || (Array.isArray(accepted) && accepted.includes(found))
}
