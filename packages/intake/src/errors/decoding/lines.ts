import { at, isObject, type JsonObject } from '../json.ts'
import { type ReportLimits, tooLarge } from './decode-error.ts'
import { parseJson } from './parse-json.ts'

/** Elastic's metadata, under its long name or the short one that browsers send. */
const isSharedLine = (line: JsonObject) => isObject(at(line, 'metadata', 'service')) || isObject(at(line, 'm', 'se'))

/**
 * One JSON object a line. Elastic says once, in a line of its own, what holds for all lines after it: that line is
 * handed on with each of them. Undefined when no line can be read. A broken line costs only itself: loggers and
 * proxies cut the last one off.
 */
export const readLines = (text: string, limits: ReportLimits): JsonObject[] | undefined => {
  const lines = text.split('\n', limits.reports + 1).filter((line) => line.trim() !== '')
  if (lines.length > limits.reports) throw tooLarge(`The body carries more than ${limits.reports} lines.`)
  const found: JsonObject[] = []
  let shared: JsonObject = {}
  let readable = false
  for (const line of lines) {
    const value = parseJson(line, limits)
    if (!isObject(value)) continue
    readable = true
    if (isSharedLine(value)) shared = value
    else found.push({ ...shared, ...value })
  }
  return readable ? found : undefined
}
