import { splitLocation } from '../frame.ts'
import { isObject, type JsonObject, pick, pickOf, textOf } from '../json.ts'
import type { RecordDraft } from '../record.ts'
import { callerKeys, fileKeys, lineKeys } from './keys.ts'

/** Shippers name the file that a line was read from. */
const logFile = /\.(?:log|out|err)(?:[.-][\w.-]{1,40})?$|^\/var\/log\//i

/** Where the report says it happened. `source` is a file only beside a line: it names services, too. */
export const readSourceLocation = (report: JsonObject): RecordDraft => {
  const line = pickOf(report, lineKeys)
  const file = pickOf(report, fileKeys) ?? (line === undefined ? undefined : pick(report, 'source', 'script'))
  const name = textOf(file)
  if (name === null || (line === undefined && logFile.test(name))) return { line }
  return line === undefined ? splitLocation(file) : { file, line }
}

const callerIn = (report: JsonObject): unknown =>
  pickOf(report, callerKeys) ?? (isObject(report['source']) ? report['source'] : undefined)

/** Where a line was logged, which stands in for the place of the error when nothing else tells it. */
export const readCaller = (report: JsonObject): RecordDraft => {
  const caller = callerIn(report)
  const split = splitLocation(isObject(caller) ? pickOf(caller, fileKeys) : caller)
  const line = split.line ?? pickOf(isObject(caller) ? caller : report, lineKeys)
  // `web:8080` is a host and its port.
  return split.file === null || line === undefined || !/[./\\]/.test(split.file) ? {} : { file: split.file, line }
}
