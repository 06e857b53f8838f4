import type { JsonRecord } from '../../sanitize/json-path.ts'
import { at, toObjects, toText } from '../json.ts'
import { type ReportLimits, unreadable } from './decode-error.ts'
import { inflate } from './inflate.ts'
import { parseJson } from './parse-json.ts'

const functionGroup = /^\/aws\/lambda\/(.{1,200})$/

const unpack = (packed: string, limits: ReportLimits): unknown => {
  const bytes = inflate(Buffer.from(packed, 'base64'), limits.inflatedBytes)
  const batch = parseJson(new TextDecoder().decode(bytes), limits)
  if (at(batch, 'messageType') === undefined) throw unreadable('The field awslogs.data must hold JSON, packed by gzip.')
  return batch
}

const isBatch = (document: JsonRecord): boolean =>
  Array.isArray(document['logEvents']) && /^(?:DATA|CONTROL)_MESSAGE$/.test(toText(document['messageType']) ?? '')

/**
 * The lines of a CloudWatch Logs subscription: packed into one field for Lambda, bare for Firehose.
 * Undefined for other documents. A control message only confirms the subscription.
 */
export const unwrapCloudWatchLogs = (document: JsonRecord, limits: ReportLimits): JsonRecord[] | undefined => {
  const packed = toText(at(document, 'awslogs', 'data'))
  if (packed === null && !isBatch(document)) return undefined
  const batch = packed === null ? document : unpack(packed, limits)
  if (at(batch, 'messageType') !== 'DATA_MESSAGE') return []
  const group = toText(at(batch, 'logGroup'))
  return toObjects(at(batch, 'logEvents')).map((event) => ({
    message: event['message'],
    service: functionGroup.exec(group ?? '')?.[1] ?? group,
  }))
}
