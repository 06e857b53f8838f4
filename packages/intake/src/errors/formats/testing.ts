import { decodeReport, defaultLimits } from '../decode.ts'
import { readErrorReports } from '../read-error-reports.ts'
import type { ErrorRecord } from '../record.ts'
import { formatOf } from './index.ts'

/** A shape: its name, its body (a text goes as it is), the format that reads it and what is read. */
export type Reading = readonly [
  title: string,
  body: unknown,
  format: string,
  expected: { readonly [Field in Exclude<keyof ErrorRecord, 'frames' | 'causes' | 'unread'>]?: ErrorRecord[Field] } & {
    readonly causes?: readonly (string | null)[]
  },
]

/** Only what was said, so that an expectation names no nulls. */
const said = ({ frames: _frames, unread: _unread, causes, ...record }: ErrorRecord) => ({
  ...Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null && value !== false)),
  ...(causes.length === 0 ? {} : { causes: causes.map((cause) => cause.exception) }),
})

export const readings = (body: unknown) => {
  const bytes = new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body))
  const { documents } = decodeReport({ body: bytes, headers: new Headers(), limits: defaultLimits })
  return {
    formats: [...new Set(documents.map((document) => formatOf(document).name))],
    records: documents.flatMap((document) => formatOf(document).read(document)).map(said),
  }
}

const fill = (value: unknown): unknown => {
  if (typeof value === 'string') return `${value} ${tooMuch}`
  if (Array.isArray(value)) return value.map(fill)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, fill(held)]))
}

/** What no database keeps, and more than any column holds. */
export const tooMuch = `\0${'x'.repeat(3_000)}`

/** A body, or lines of JSON, with too much behind each text. */
export const overfull = (body: unknown): string => {
  const lines: readonly unknown[] =
    typeof body === 'string'
      ? body
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line))
      : [body]
  return lines.map((line) => JSON.stringify(fill(line))).join('\n')
}

const mostCharacters = {
  ...{ message: 65_535, exception: 255, file: 1_024, url: 2_048, app: 255, environment: 255 },
  ...{ framework: 255, severity: 255 },
} as const

/** Fields of what is read that would not fit into their columns. */
export const unfitFields = (body: string): readonly string[] =>
  readErrorReports({ body: new TextEncoder().encode(body), headers: new Headers() }).flatMap((record) =>
    Object.entries(mostCharacters).flatMap(([field, most]) => {
      const text = record[field as keyof typeof mostCharacters] ?? '' // an entry's name is one of its object's
      return text.length > most || text.includes('\0') ? [field] : []
    }),
  )
