import { decodeText, parseJson, UnreadableBody } from '../sanitise/decode.ts'
import { type DeliveryHeaders, headerOf } from '../sanitise/headers.ts'
import { isRecord, type JsonRecord } from '../sanitise/json-path.ts'
import { mostValues } from './bounded-lists.ts'
import { pairsOf, recordOf } from './decoding/form-record.ts'
import { looksLikeMultipart, readMultipart } from './decoding/multipart.ts'

const looksLikeJson = (text: string) => /^[\uFEFF\s]*[[{"]/.test(text)

const beginsAsJson = (body: Uint8Array) => looksLikeJson(decodeText(body.subarray(0, 64)))

/** Form builders and relays put a submission as JSON into a field: `rawRequest`, `entry`, `data`. */
const mostJsonFields = 10

const parsed = (text: string, most = mostValues): unknown => {
  if (!/^\s*[[{]/.test(text)) return text
  try {
    return parseJson(text, most)
  } catch {
    return text
  }
}

/** A name with a dot in it was taken for a path; JSON in `data.json` stands under `data`, `json` then. */
const jsonIn = (value: unknown, most: number): unknown => {
  const text = isRecord(value) ? value['json'] : value
  return typeof text === 'string' ? parsed(text, most) : value
}

const isJson = (value: unknown) => {
  const text = isRecord(value) ? value['json'] : value
  return typeof text === 'string' && looksLikeJson(text)
}

/** Scripts of a page send the form in one field of another: `action=send&data=name%3DAnn%26email%3D…`. */
const formFields = /^(?:form|form_?data|data|fields|values|serialized|post_?data)$/i
const longestName = 200
const mostPairsOfField = 200

const isPair = (pair: string) => {
  const [name = '', value, ...more] = pair.slice(0, longestName).split('=')
  return value !== undefined && more.length === 0 && /^[\w%.+*[\]-]+$/.test(name) && !/[\s<>"{}]/.test(pair)
}

const isSerialized = (text: string) => {
  const pairs = text.split('&', mostPairsOfField)
  return pairs.length > 1 && pairs.every(isPair)
}

const formIn = (key: string, value: unknown): unknown =>
  formFields.test(key) && typeof value === 'string' && isSerialized(value) ? recordOf(pairsOf(value)) : value

const withForms = (record: JsonRecord): JsonRecord =>
  Object.keys(record).some((key) => formFields.test(key))
    ? Object.fromEntries(Object.entries(record).map(([key, value]) => [key, formIn(key, value)]))
    : record

/** A field that holds the whole body as JSON is the body. Others are parsed where they stand. */
const unwrapped = (sent: JsonRecord): unknown => {
  const form = withForms(sent)
  const keys = Object.keys(form)
  const only = keys.length === 1 ? form[keys[0] ?? ''] : form['payload']
  const whole = typeof only === 'string' ? parsed(only) : undefined
  if (isRecord(whole)) return whole
  const inJson = keys.filter((key) => isJson(form[key])).slice(0, mostJsonFields)
  const most = Math.floor(mostValues / Math.max(1, inJson.length))
  return { ...form, ...Object.fromEntries(inJson.map((key) => [key, jsonIn(form[key], most)])) }
}

/** Zapier and others send an object that was turned into text twice, as a whole or in one of its fields. */
const parseTwice = (decoded: unknown): unknown => {
  if (typeof decoded === 'string') return parsed(decoded)
  return isRecord(decoded) ? unwrapped(decoded) : decoded
}

/** Believes the bytes more than the header: many form plug-ins send JSON as text, or forms without saying so. */
export const decodeLeadBody = (headers: DeliveryHeaders, body: Uint8Array): unknown => {
  if (beginsAsJson(body)) return parseTwice(parseJson(decodeText(body), mostValues))
  const type = headerOf(headers, 'Content-Type') ?? ''
  if (looksLikeMultipart(type, body)) return unwrapped(recordOf(readMultipart(type, body)))
  const text = decodeText(body)
  // A text without any value is no form, whatever its header says: a challenge, for one.
  const isForm = /urlencoded/i.test(type) ? text.includes('=') : /^[^\s={}<]+=/.test(text)
  if (!isForm) throw new UnreadableBody('The body must be a JSON object or a form.')
  return unwrapped(recordOf(pairsOf(text)))
}
