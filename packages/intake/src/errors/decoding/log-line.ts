import { isRecord, type JsonRecord } from '../../sanitize/json-path.ts'
import { has } from '../json.ts'
import type { ReportLimits } from './decode-error.ts'
import { parseInnerJson } from './parse-json.ts'

/** Fields in which log shippers put the printed line of an application. */
const carriers = ['log', 'message', 'line', 'meta'] as const

const reportKeys = [
  'message',
  'msg',
  'level',
  'error',
  'err',
  'exception',
  'stack',
  'event',
  '@m',
  '@mt',
  'short_message',
]

/** `Invoke Error \t{"errorType": …}`: the error of an AWS Lambda function, in the last column of its line. */
const failureIn = (value: string, limits: ReportLimits): JsonRecord | undefined => {
  const column = value.indexOf('\t{"errorType":')
  const failure = column === -1 ? undefined : parseInnerJson(value.slice(column + 1), limits)
  return isRecord(failure) && has(failure, 'errorMessage') ? { level: 'error', ...failure } : undefined
}

/** Parses a JSON line. Ignores an object without useful fields. */
const lineIn = (value: unknown, limits: ReportLimits): JsonRecord | undefined => {
  if (typeof value !== 'string') return undefined
  if (!value.startsWith('{')) return failureIn(value, limits)
  const line = parseInnerJson(value, limits)
  return isRecord(line) && reportKeys.some((key) => has(line, key)) ? line : undefined
}

/** Merges the application's own line with the shipper's fields. Undefined if there is no such line. */
export const unwrapLogLine = (document: JsonRecord, limits: ReportLimits): JsonRecord | undefined => {
  for (const carrier of carriers) {
    const line = lineIn(document[carrier], limits)
    if (line === undefined) continue
    const { [carrier]: _, ...rest } = document
    return { ...rest, ...line }
  }
  return undefined
}
