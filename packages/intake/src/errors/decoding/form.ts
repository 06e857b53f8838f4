import { isRecord, type JsonRecord } from '../../sanitize/json-path.ts'
import type { ReportLimits } from './decode-error.ts'
import { parseJson } from './parse-json.ts'

/** Form fields that may contain the whole report as JSON. */
const carriers = ['payload', 'data', 'json', 'body', 'report', 'error', 'event']

const maxFields = 200
const base64 = /^[A-Za-z0-9+/_-]{8,}={0,2}$/

const jsonIn = (field: string, limits: ReportLimits): unknown => {
  const text = base64.test(field) ? Buffer.from(field, 'base64').toString('utf8') : field
  const value = /^\s*[[{]/.test(text) ? parseJson(text, limits) : undefined
  return isRecord(value) || Array.isArray(value) ? value : undefined
}

const isForm = (text: string) => /^[^={}<>\s]{1,100}=/.test(text)

/** A message beside the JSON counts if the JSON has none. */
const withMessage = (value: JsonRecord, { message }: JsonRecord): JsonRecord =>
  typeof message === 'string' && message.trim() !== '' && !Object.hasOwn(value, 'message')
    ? { message, ...value }
    : value

/** The content of a form: JSON in one of its fields (PostHog uses base64), or the fields themselves. */
export const readForm = (text: string, limits: ReportLimits): unknown => {
  if (!isForm(text)) return undefined
  const fields: [string, string][] = []
  for (const field of new URLSearchParams(text)) {
    fields.push(field)
    if (fields.length >= maxFields) break
  }
  const report: JsonRecord = Object.fromEntries(fields)
  for (const carrier of carriers) {
    const field = Object.hasOwn(report, carrier) ? report[carrier] : undefined
    const value = typeof field === 'string' ? jsonIn(field, limits) : undefined
    if (value !== undefined) return isRecord(value) ? withMessage(value, report) : value
  }
  return report
}
