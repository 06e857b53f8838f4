import { isRecord, type JsonRecord } from '../../sanitize/json-path.ts'
import { at, has, toText } from '../json.ts'
import type { ReportLimits } from './decode-error.ts'
import { parseJson } from './parse-json.ts'

/** The base64 message of a Google Pub/Sub push. Undefined for other documents, or if the message is not an object. */
export const unwrapPubSub = (document: JsonRecord, limits: ReportLimits): JsonRecord[] | undefined => {
  const message = document['message']
  if (!isRecord(message) || !has(document, 'subscription')) return undefined
  const packed = toText(at(message, 'data'))
  if (packed === null) return undefined
  const value = parseJson(Buffer.from(packed, 'base64').toString('utf8'), limits)
  return isRecord(value) ? [value] : undefined
}
