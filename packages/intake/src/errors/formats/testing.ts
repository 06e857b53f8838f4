import { readFormattedReports } from '../read-error-reports.ts'
import type { ErrorRecord } from '../record.ts'

/** A test case: its name, its body (text is sent as is), and the expected reader and non-null fields. */
export type Reading = readonly [title: string, body: unknown, expected: string]

const joined = (...parts: readonly unknown[]) => parts.filter((part) => part !== null && part !== '').join(' ')
const after = (word: string, value: unknown) => (value === null ? '' : `${word} ${value}`)

const summary = ({ causes, labels, fingerprint, ...record }: ErrorRecord): string =>
  [
    [record.exception, record.message].filter((part) => part !== null).join(': '),
    after('at', record.file === null ? null : [record.file, record.line].filter((part) => part !== null).join(':')),
    ...causes.map(({ exception }) => after('from', exception)),
    joined(record.method, record.url),
    after('status', record.status),
    after('app', record.app),
    after('in', record.environment),
    after('by', record.framework),
    after('is', record.severity),
    after('key', fingerprint?.join('+') ?? null),
    ...Object.entries(labels ?? {}).map(([name, value]) => `${name}=${value}`),
    record.recovered ? 'over' : '',
  ]
    .filter((part) => part !== '')
    .join(' · ')

/** `sentry › TypeError: no cart · at cart.js:3`, one for each report. */
export const readings = (body: unknown): readonly string[] => {
  const bytes = new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body))
  const { reports } = readFormattedReports({ body: bytes, headers: new Headers() })
  return reports.map(({ format, record }) => `${format} › ${summary(record)}`)
}
