import { readFormattedReports } from '../read-error-reports.ts'
import type { ErrorRecord } from '../record.ts'

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
  const reports = readFormattedReports({ body: bytes, headers: new Headers() })
  return {
    formats: [...new Set(reports.map(({ format }) => format))],
    records: reports.map(({ record }) => said(record)),
  }
}
