import { decodeForeignText, parseJson, UnreadableBody } from '../sanitize/decode.ts'
import { type DeliveryHeaders, findHeader } from '../sanitize/headers.ts'
import { isRecord, type JsonRecord } from '../sanitize/json-path.ts'
import { maxValues } from './bounds.ts'
import { parsePairs, toFormRecord } from './decoding/form-record.ts'
import { looksLikeMultipart, readMultipart } from './decoding/multipart.ts'
import { hasDocumentedContact } from './documented-lead.ts'

const looksLikeJson = (text: string) => /^[\uFEFF\s]*[[{"]/.test(text)

const parsed = (text: string, most: number): unknown => {
  if (!/^\s*[[{]/.test(text)) return text
  try {
    return parseJson(text, most)
  } catch {
    return text
  }
}

/** A name with a dot was read as a path, so `data.json` is now `json` in `data`. */
const textIn = (value: unknown): string | null => {
  const text = isRecord(value) ? value['json'] : value
  return typeof text === 'string' ? text : null
}

/** Scripts of a page send the form in one field of another: `action=send&data=name%3DAnn%26email%3D…`. */
const formField = /^(?:form|form_?data|data|fields|values|serialized|post_?data)$/i
const pairs = /^[\w%.+*[\]-]{1,200}=[^\s=&<>"{}]{0,2000}$/

const isSerialized = (key: string, text: string) => {
  const parts = formField.test(key) ? text.split('&', 200) : []
  return parts.length > 1 && parts.every((part) => pairs.test(part))
}

/** Unwraps a field that holds the whole body as JSON. Others (`rawRequest`, `entry`, `data`) are parsed in place. */
const unwrapped = (form: JsonRecord): unknown => {
  const keys = Object.keys(form)
  const whole = parsed(textIn(keys.length === 1 ? form[keys[0] ?? ''] : form['payload']) ?? '', maxValues)
  if (isRecord(whole) && !hasDocumentedContact(form)) return whole
  const inJson = keys.filter((key) => looksLikeJson(textIn(form[key]) ?? '')).slice(0, 10)
  const most = Math.floor(maxValues / Math.max(1, inJson.length))
  const entries = Object.entries(form).map(([key, value]): readonly [string, unknown] => {
    const text = textIn(value)
    if (text === null) return [key, value]
    if (inJson.includes(key)) return [key, parsed(text, most)]
    return [key, isSerialized(key, text) ? toFormRecord(parsePairs(text)) : value]
  })
  return Object.fromEntries(entries)
}

/** Trusts the bytes more than the header: many form plug-ins send JSON as text, or a form without its content type. */
export const decodeLeadBody = (headers: DeliveryHeaders, body: Uint8Array): unknown => {
  const type = findHeader(headers, 'Content-Type') ?? ''
  const text = decodeForeignText(body, type)
  if (looksLikeJson(text)) {
    const decoded = parseJson(text, maxValues)
    // Zapier and others stringify an object twice.
    const value = typeof decoded === 'string' ? parsed(decoded, maxValues) : decoded
    return isRecord(value) ? unwrapped(value) : value
  }
  if (looksLikeMultipart(type, body)) return unwrapped(toFormRecord(readMultipart(type, body)))
  // Text without a value is not a form, even if the header says so: a signed challenge, for example.
  const isForm = /urlencoded/i.test(type) ? text.includes('=') : /^[^\s={}<]+=/.test(text)
  if (!isForm) throw new UnreadableBody('The body must be a JSON object or a form.')
  return unwrapped(toFormRecord(parsePairs(body, type)))
}
