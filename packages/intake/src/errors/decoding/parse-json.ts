import { findExceededLimit } from '../../sanitize/json-excess.ts'
import { type ReportLimits, unreadable } from './decode-error.ts'

const requireModest = (json: string, limits: ReportLimits): void => {
  const excess = findExceededLimit(json, limits)
  if (excess === 'depth') throw unreadable(`The JSON nests deeper than ${limits.depth} levels.`)
  if (excess === 'fields') throw unreadable(`An object of the JSON has more than ${limits.fields} fields.`)
  if (excess === 'values') throw unreadable(`The JSON holds more than ${limits.values} values.`)
}

const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** Parses JSON. Undefined if the text is not JSON. Throws if the JSON is too deep or too large. */
export const parseJson = (json: string, limits: ReportLimits): unknown => {
  requireModest(json, limits)
  return parsed(json)
}

/** Parses a text in a body. Undefined also if it is too deep or too large, because it may be prose with many brackets. */
export const parseInnerJson = (json: string, limits: ReportLimits): unknown =>
  findExceededLimit(json, limits) === null ? parsed(json) : undefined
