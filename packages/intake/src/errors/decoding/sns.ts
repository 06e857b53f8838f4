import { isRecord, type JsonRecord } from '../../sanitize/json-path.ts'
import { has, pick, toObjects, toText } from '../json.ts'
import type { ReportLimits } from './decode-error.ts'
import { parseJson } from './parse-json.ts'

const kinds = ['Notification', 'SubscriptionConfirmation', 'UnsubscribeConfirmation']

const isSns = (value: unknown): value is JsonRecord =>
  isRecord(value) && has(value, 'TopicArn') && kinds.some((kind) => kind === value['Type'])

const labeled = /^([A-Z][A-Za-z ]{0,39}?) ?: (.*)$/
const maxLines = 40
const minLines = 3

/** `Timestamp: …`, `Message: …`: the lines of a notification that consists of them. */
const labeledLines = (text: string): JsonRecord | undefined => {
  const lines = text
    .split('\n', maxLines)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const pairs = lines.flatMap((line) => {
    const [, label, value] = labeled.exec(line) ?? []
    return label === undefined ? [] : [[label, value] as const]
  })
  return pairs.length >= minLines && pairs.length === lines.length ? Object.fromEntries(pairs) : undefined
}

/** The published message: JSON as text, labeled lines, or a sentence. */
const published = (notification: JsonRecord, limits: ReportLimits): JsonRecord[] => {
  if (notification['Type'] !== 'Notification') return []
  const message = pick(notification, 'Message')
  if (isRecord(message)) return [message]
  const text = toText(message)
  const value = text?.trimStart().startsWith('{') ? parseJson(text, limits) : undefined
  const title = pick(notification, 'Subject')
  return [isRecord(value) ? value : { title, ...(labeledLines(text ?? '') ?? { message: text }) }]
}

/**
 * The messages of AWS SNS, direct or forwarded by a Lambda function. Undefined for other documents. A subscription
 * confirmation contains no report.
 */
export const unwrapSns = (document: JsonRecord, limits: ReportLimits): JsonRecord[] | undefined => {
  if (isSns(document)) return published(document, limits)
  const records = toObjects(document['Records']).map((record) => record['Sns'])
  return records.length > 0 && records.every(isSns) ? records.flatMap((record) => published(record, limits)) : undefined
}
