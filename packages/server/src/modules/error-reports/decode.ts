import { readForm } from './decoding/form.ts'
import { inflate } from './decoding/inflate.ts'
import { readLines } from './decoding/lines.ts'
import { parseJson } from './decoding/parse-json.ts'
import { type ReportLimits, tooLarge, unreadable } from './decoding/refusal.ts'
import { readEnvelope } from './decoding/sentry-envelope.ts'
import { isObject, type JsonObject } from './json.ts'

export { defaultLimits, type ReportLimits, ReportRefused } from './decoding/refusal.ts'

export type Delivery = { readonly body: Uint8Array; readonly headers: Headers; readonly limits: ReportLimits }

// PowerShell and older .NET send UTF-16 with its byte order mark. Bytes that are no UTF-8 become U+FFFD: the rest of an
// error report is worth having even when a variable in it was binary.
const toText = (bytes: Uint8Array): string => {
  const [first, second] = bytes
  const isUtf16 = first === 0xff && second === 0xfe
  return new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8').decode(bytes)
}

const base64Body = /^[A-Za-z0-9+/\s]{16,}={0,2}\s*$/

/** Old Sentry clients send base64 around deflate. A body of JSON never looks like it. */
const unwrapBase64 = (bytes: Uint8Array, text: string, limits: ReportLimits): Uint8Array =>
  base64Body.test(text) ? inflate(Buffer.from(text, 'base64'), null, limits.inflatedBytes) : bytes

const isFormType = (headers: Headers) => headers.get('content-type')?.includes('x-www-form-urlencoded') === true

/** A body is one JSON value, or an envelope, or lines of JSON, or a form: in that order, by what it is, not by its name. */
const readBody = (bytes: Uint8Array, delivery: Delivery): unknown => {
  const { limits, headers } = delivery
  const text = toText(bytes)
  const start = text.trimStart()[0]
  if (start !== '{' && start !== '[') return isFormType(headers) ? readForm(text, limits) : undefined
  return parseJson(text, limits) ?? readEnvelope(bytes, limits) ?? readLines(text, limits)
}

const toDocuments = (value: unknown, limits: ReportLimits): readonly JsonObject[] => {
  if (isObject(value)) return [value]
  if (!Array.isArray(value)) throw unreadable('The body must be JSON: an object or a list of objects.')
  if (!value.every(isObject)) throw unreadable('Every entry of the list must be an object.')
  if (value.length > limits.reports) throw tooLarge(`The body carries more than ${limits.reports} reports.`)
  return value
}

/** The JSON objects that a body carries, whatever it is wrapped in. Throws `ReportRefused`. */
export const decode = (delivery: Delivery): readonly JsonObject[] => {
  const { body, headers, limits } = delivery
  const bytes = inflate(body, headers.get('content-encoding'), limits.inflatedBytes)
  const value = readBody(bytes, delivery)
  if (value !== undefined) return toDocuments(value, limits)
  const unwrapped = unwrapBase64(bytes, toText(bytes), limits)
  return toDocuments(unwrapped === bytes ? undefined : readBody(unwrapped, delivery), limits)
}
