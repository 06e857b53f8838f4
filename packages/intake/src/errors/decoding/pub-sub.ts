import { at, has, isObject, type JsonObject, textOf } from '../json.ts'
import type { ReportLimits } from './decode-error.ts'
import { parseJson } from './parse-json.ts'

/** What Google's Pub/Sub pushes: the message in base64. Undefined when the document is none, or carries no object. */
export const unwrapPubSub = (document: JsonObject, limits: ReportLimits): JsonObject[] | undefined => {
  const message = document['message']
  if (!isObject(message) || !has(document, 'subscription')) return undefined
  const packed = textOf(at(message, 'data'))
  if (packed === null) return undefined
  const value = parseJson(Buffer.from(packed, 'base64').toString('utf8'), limits)
  return isObject(value) ? [value] : undefined
}
