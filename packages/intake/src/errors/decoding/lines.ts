import { isRecord, type JsonRecord } from '../../sanitize/json-path.ts'
import { at } from '../json.ts'
import { type ReportLimits, tooLarge } from './decode-error.ts'
import { parseJson } from './parse-json.ts'

/** Elastic's metadata, under its long name or the short one from browsers. */
const isSharedLine = (line: JsonRecord) => isRecord(at(line, 'metadata', 'service')) || isRecord(at(line, 'm', 'se'))

/**
 * Parses one JSON object per line. Elastic sends metadata for all following lines on a separate line, which is
 * merged into each of them. Undefined if no line can be parsed. A broken line is skipped, because loggers and
 * proxies truncate the last one.
 */
export const readLines = (text: string, limits: ReportLimits): JsonRecord[] | undefined => {
  const lines = text.split('\n', limits.reports + 1).filter((line) => line.trim() !== '')
  if (lines.length > limits.reports) throw tooLarge(`The body carries more than ${limits.reports} lines.`)
  const found: JsonRecord[] = []
  let shared: JsonRecord = {}
  let readable = false
  for (const line of lines) {
    const value = parseJson(line, limits)
    if (!isRecord(value)) continue
    readable = true
    if (isSharedLine(value)) shared = value
    else found.push({ ...shared, ...value })
  }
  return readable ? found : undefined
}
