import { hasValue } from '../../paths/paths.ts'
import type { JsonRecord } from '../../sanitize/json-path.ts'
import { withOutage } from '../guess/outage.ts'
import { withTitle } from '../guess/title.ts'
import { has, keysOf, toLine, toStatus, toText } from '../json.ts'
import type { Format } from './format.ts'

// The documented fields. Reports of exactly this shape are the most frequent, so they are tried
// first. Other readers handle any additional or nested fields.

const fields = new Set(
  'message status_code exception file line url method framework environment app_name severity'.split(' '),
)

/** A field may be missing, null or empty; a printed line under `line` is from another sender. */
const isFieldValue = (key: string, value: unknown): boolean =>
  value === null || (key === 'line' ? toLine(value) !== null : typeof value === 'string' || typeof value === 'number')

/** Whether a body has only documented fields, each with a value of its kind. Every field is optional. */
export const isDocumentedBody = (body: JsonRecord): boolean =>
  keysOf(body).every((key) => fields.has(key) && isFieldValue(key, body[key]))

const isEmpty = (value: unknown) => !hasValue(value) || (Array.isArray(value) && value.length === 0)

/** The additional fields of a body, if the documented ones have a message and a severity; else null. */
export const besideDocumented = (body: JsonRecord): JsonRecord | null => {
  const isSaid = toText(body['message']) !== null || toText(body['exception']) !== null
  const isGraded = toText(body['severity']) !== null || toStatus(body['status_code']) !== null
  if (!isSaid || !isGraded) return null
  return Object.fromEntries(Object.entries(body).filter(([key, value]) => !fields.has(key) && !isEmpty(value)))
}

const isPlain = (value: unknown) =>
  value === null || typeof value === 'number' || (typeof value === 'string' && !value.includes('\n'))

const isDocumented = (report: JsonRecord): boolean => {
  for (const key in report) if (!fields.has(key) || !isPlain(report[key])) return false
  // `exception: "TypeError: x is null"` alone, or `file: "cart.php:12"` without a line, are the habit of other senders.
  if (has(report, 'exception') && (report['message'] ?? null) === null) return false
  // Some shippers hand on a printed line under this name.
  if (toText(report['line']) !== null && toLine(report['line']) === null) return false
  return report['file'] === undefined || (report['line'] !== undefined && report['line'] !== null)
}

export const flat: Format = {
  name: 'documented',
  recognizes: isDocumented,
  read: (report) => [withOutage(withTitle({ ...report, app: report['app_name'], status: report['status_code'] }))],
}
