import { has, isObject, type JsonObject, pick, toObjects, toText } from '../json.ts'
import type { ReportLimits } from './decode-error.ts'
import { parseJson } from './parse-json.ts'

const kinds = ['Notification', 'SubscriptionConfirmation', 'UnsubscribeConfirmation']

const isSns = (value: unknown): value is JsonObject =>
  isObject(value) && has(value, 'TopicArn') && kinds.some((kind) => kind === value['Type'])

/** The published message: JSON as text, or a sentence. */
const published = (notification: JsonObject, limits: ReportLimits): JsonObject[] => {
  if (notification['Type'] !== 'Notification') return []
  const message = pick(notification, 'Message')
  if (isObject(message)) return [message]
  const text = toText(message)
  const value = text?.trimStart().startsWith('{') ? parseJson(text, limits) : undefined
  return [isObject(value) ? value : { title: pick(notification, 'Subject'), message: text }]
}

/**
 * The messages of AWS SNS, direct or forwarded by a Lambda function. Undefined for other documents. A subscription
 * confirmation contains no report.
 */
export const unwrapSns = (document: JsonObject, limits: ReportLimits): JsonObject[] | undefined => {
  if (isSns(document)) return published(document, limits)
  const records = toObjects(document['Records']).map((record) => record['Sns'])
  return records.length > 0 && records.every(isSns) ? records.flatMap((record) => published(record, limits)) : undefined
}
