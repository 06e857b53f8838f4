import { decodeForeignText } from '../sanitize/decode.ts'
import { isRecord, type JsonRecord } from '../sanitize/json-path.ts'
import { unwrapAdaptiveCards } from './decoding/adaptive-card.ts'
import { unwrapCloudWatchLogs } from './decoding/cloudwatch-logs.ts'
import { type ReportLimits, tooLarge, unreadable } from './decoding/decode-error.ts'
import { readForm } from './decoding/form.ts'
import { inflate } from './decoding/inflate.ts'
import { readLines } from './decoding/lines.ts'
import { unwrapLogLine } from './decoding/log-line.ts'
import { parseJson } from './decoding/parse-json.ts'
import { unwrapPubSub } from './decoding/pub-sub.ts'
import { readEnvelope } from './decoding/sentry-envelope.ts'
import { unwrapSns } from './decoding/sns.ts'
import { readTextLines } from './decoding/text-lines.ts'
import { looksLikeXml, parseXml } from './decoding/xml.ts'
import { maskSecrets } from './mask.ts'

export { defaultLimits, type ReportLimits } from './decoding/decode-error.ts'

export type ReportBody = {
  readonly body: Uint8Array
  readonly headers: Pick<Headers, 'get'>
  readonly limits: ReportLimits
}

const minBase64Length = 16

/** Checks characters and padding separately, because one expression for both would backtrack over the spaces. */
const isBase64 = (text: string): boolean => {
  if (/[^A-Za-z0-9+/=\r\n]/.test(text)) return false
  const packed = text.replace(/[\r\n]/g, '')
  const padding = packed.indexOf('=')
  const end = padding === -1 ? packed.length : padding
  return end >= minBase64Length && packed.length - end <= 2 && /^={0,2}$/.test(packed.slice(end))
}

/** Old Sentry clients send base64-encoded deflate, which never looks like JSON. */
const unwrapBase64 = (bytes: Uint8Array, text: string, limits: ReportLimits): Uint8Array =>
  isBase64(text) ? inflate(Buffer.from(text, 'base64'), limits.inflatedBytes) : bytes

const isType = (headers: Pick<Headers, 'get'>, type: string): boolean =>
  headers.get('content-type')?.toLowerCase().includes(type) === true

/** A MessagePack map or list starts with a byte sequence that is not valid UTF-8. */
const isMessagePack = ([first = 0, second = 0]: Uint8Array): boolean =>
  (first >= 0x80 && first <= 0x9f) || (first >= 0xdc && first <= 0xdf && (second & 0xc0) !== 0x80)

const requireNoMessagePack = (bytes: Uint8Array): void => {
  if (isMessagePack(bytes))
    throw unreadable('The body is MessagePack. Send the reports as JSON: an object or a list of objects.')
}

/** A body is one JSON value, an envelope, JSON lines, or a form. Detected in that order by content, not by header. */
const readBody = (bytes: Uint8Array, delivery: ReportBody): unknown => {
  const { limits, headers } = delivery
  const text = decodeForeignText(bytes, headers.get('content-type'))
  const start = text.trimStart()[0]
  if (start === '<' && looksLikeXml(text)) return parseXml(text)
  if (start !== '{' && start !== '[')
    return isType(headers, 'x-www-form-urlencoded') ? readForm(text, limits) : undefined
  return parseJson(text, limits) ?? readEnvelope(bytes, limits) ?? readLines(text, limits)
}

/** Fluentd sends a tag, the time and the record. */
const isTagged = (value: unknown): value is readonly [string, unknown, JsonRecord] =>
  Array.isArray(value) && value.length === 3 && typeof value[0] === 'string' && isRecord(value[2])

const toDocuments = (value: unknown, limits: ReportLimits): readonly JsonRecord[] => {
  if (isRecord(value)) return [value]
  if (isTagged(value)) return [value[2]]
  if (!Array.isArray(value))
    throw unreadable(
      'The body must be JSON, an object or a list of objects, or lines of text with the header Content-Type: text/plain.',
    )
  if (!value.every(isRecord)) throw unreadable('Every entry of the list must be an object.')
  if (value.length > limits.reports) throw tooLarge(`The body carries more than ${limits.reports} reports.`)
  return value
}

const unwrapCarrier = (document: JsonRecord, limits: ReportLimits) =>
  unwrapSns(document, limits) ??
  unwrapCloudWatchLogs(document, limits) ??
  unwrapPubSub(document, limits) ??
  unwrapAdaptiveCards(document)

/** Removes the wrapper of a carrier from its documents. */
const unwrap = (documents: readonly JsonRecord[], limits: ReportLimits): readonly JsonRecord[] =>
  documents
    .flatMap((document) => unwrapCarrier(document, limits) ?? [document])
    .map((document) => unwrapLogLine(document, limits) ?? document)

export type DecodedBody = {
  /** The JSON objects in the body, without wrappers. */
  readonly documents: readonly JsonRecord[]
  /** The body itself, if it is one object. */
  readonly whole: JsonRecord | null
}

/** Masks secrets first, so that no reader takes a secret for a message. Throws `UnreadableBody`. */
export const decodeReport = (delivery: ReportBody): DecodedBody => {
  const { documents, whole } = decode(delivery)
  const safe = documents.map((document) => maskSecrets(document))
  if (whole === null) return { documents: safe, whole }
  return {
    documents: safe,
    whole: documents.length === 1 && documents[0] === whole ? (safe[0] ?? null) : maskSecrets(whole),
  }
}

const decode = (delivery: ReportBody): DecodedBody => {
  const { body, headers, limits } = delivery
  const bytes = inflate(body, limits.inflatedBytes)
  requireNoMessagePack(bytes)
  const value = readBody(bytes, delivery)
  if (value !== undefined)
    return { documents: unwrap(toDocuments(value, limits), limits), whole: isRecord(value) ? value : null }
  const text = decodeForeignText(bytes, headers.get('content-type'))
  const unwrapped = unwrapBase64(bytes, text, limits)
  const inside = unwrapped === bytes ? undefined : readBody(unwrapped, delivery)
  // A word of a sentence has the same letters as base64.
  if (inside === undefined && isType(headers, 'text/plain') && text.trim() !== '')
    return { documents: readTextLines(text, limits), whole: null }
  return { documents: toDocuments(inside, limits), whole: null }
}
