import type { JsonRecord } from '../../sanitize/json-path.ts'
import { keysOf } from '../json.ts'
import { nameTest } from '../memoize.ts'
import { plainName } from './names.ts'

// Names of fields that loggers write.

/** A log line may mention the id of any incident. */
export const isLoggers = nameTest(/^(?:lvl|loglevel|levelname|levelno|msg|logger(?:name)?|thread(?:name)?|caller)$/)
export const isLogLevel = (key: string): boolean => key === 'level' || key === 'pid'
export const isTime = nameTest(/^(?:event)?(?:time|timestamp|datetime|ts)$/)

/** Whether a report has the level, the time, or the name of a logger. */
export const isOfLogger = (report: JsonRecord): boolean =>
  keysOf(report)
    .map(plainName)
    .some((key) => isLoggers(key) || isLogLevel(key) || isTime(key))
