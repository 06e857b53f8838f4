import { has, isObject, type JsonObject } from '../json.ts'
import type { ReportLimits } from './decode-error.ts'
import { parseJson } from './parse-json.ts'

/** Fields in which a shipper of logs hands on the line of an application as it was printed. */
const carriers = ['log', 'message', 'line', 'meta'] as const

const telling = ['message', 'msg', 'level', 'error', 'err', 'exception', 'stack', 'event', '@m', '@mt', 'short_message']

/** `Invoke Error \t{"errorType": …}`: what a function of AWS Lambda ended with, in the last column of its line. */
const failureIn = (value: string, limits: ReportLimits): JsonObject | undefined => {
  const column = value.indexOf('\t{"errorType":')
  const failure = column === -1 ? undefined : parseJson(value.slice(column + 1), limits)
  return isObject(failure) && has(failure, 'errorMessage') ? { level: 'error', ...failure } : undefined
}

/** The line as JSON, when it is some and says something. */
const lineIn = (value: unknown, limits: ReportLimits): JsonObject | undefined => {
  if (typeof value !== 'string') return undefined
  if (!value.startsWith('{')) return failureIn(value, limits)
  const line = parseJson(value, limits)
  return isObject(line) && telling.some((key) => has(line, key)) ? line : undefined
}

/** The application's own line over what its shipper put around it; undefined where there is none. */
export const unwrapLogLine = (document: JsonObject, limits: ReportLimits): JsonObject | undefined => {
  for (const carrier of carriers) {
    const line = lineIn(document[carrier], limits)
    if (line === undefined) continue
    const { [carrier]: _, ...around } = document
    return { ...around, ...line }
  }
  return undefined
}
