import { looksLikeMultipart, type MultipartPart, splitMultipart } from '../leads/decoding/multipart.ts'
import { parseJson, UnreadableBody } from '../sanitize/decode.ts'
import { isNameKey, maskSecrets } from './mask.ts'
import { masked, maskText } from './mask-text.ts'
import { isSecretKey } from './secret-key.ts'

interface Field {
  /** Null if its name cannot be read. */
  readonly name: string | null
  readonly value: string
}

/** `user[password]` → `user`, `password` */
const toSteps = (name: string): readonly string[] => name.split(/[[\].]+/).filter((step) => step !== '')

const placeOf = (name: string): string => toSteps(name).slice(0, -1).join('.')

const getLastStep = (name: string): string => toSteps(name).at(-1) ?? ''

/** Tells which fields of a form are secrets: by their names, or by the name beside a field `value`. */
const secretsAmong = (fields: readonly Field[]) => {
  const namesSecret = ({ name, value }: Field) => name !== null && isNameKey(getLastStep(name)) && isSecretKey(value)
  const places = new Set(fields.filter(namesSecret).map(({ name }) => placeOf(name ?? '')))
  const isBesideName = (name: string) => getLastStep(name).toLowerCase() === 'value' && places.has(placeOf(name))
  return ({ name, value }: Field): boolean =>
    value !== '' && (name === null || toSteps(name).some(isSecretKey) || isBesideName(name))
}

/** Pairs without a secret stay as they were sent. */
const maskForm = (text: string): string => {
  const fields = text.split('&').map((pair) => {
    const [[name = '', value = ''] = []] = new URLSearchParams(pair)
    return { pair, name, value }
  })
  const isSecret = secretsAmong(fields)
  const pairs = fields.map((field) => {
    const value = isSecret(field) ? masked : maskBody(field.value, '')
    return value === field.value ? field.pair : String(new URLSearchParams([[field.name, value]]))
  })
  return maskText(pairs.join('&'))
}

const maskPart = (part: MultipartPart & Field, isSecret: boolean): string =>
  `${maskText(part.head)}\r\n\r\n${isSecret ? masked : maskBody(part.value, part.type)}\r\n`

/** Built from the parts that are read, so that it has nothing before, between, and after them. */
const maskMultipart = (text: string, contentType: string): string => {
  const { boundary, parts } = splitMultipart(contentType, Buffer.from(text))
  if (parts.length === 0) throw new UnreadableBody('The multipart body has no parts.')
  const fields = parts.map((part) => ({ ...part, value: part.content.toString() }))
  const isSecret = secretsAmong(fields)
  return `${fields.map((field) => `--${boundary}\r\n${maskPart(field, isSecret(field))}`).join('')}--${boundary}--\r\n`
}

const isMultipart = (text: string, contentType: string): boolean =>
  /multipart\//i.test(contentType) ||
  looksLikeMultipart(contentType, Buffer.from(text)) ||
  /^content-disposition:[ \t]*form-data/im.test(text)

const isForm = (text: string, contentType: string): boolean =>
  /urlencoded/i.test(contentType) || /^[\w%.+*[\]-]+=\S*$/.test(text.trimEnd())

const tryToParse = (text: string): unknown => {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

/**
 * A body with its secrets masked: JSON, a form, a multipart form, or any other text. It is unchanged if nothing is masked,
 * because serializing JSON would round long numbers. Throws `UnreadableBody` if the parts of a form cannot be found.
 */
export const maskBody = (text: string, contentType: string): string => {
  const json = tryToParse(text)
  if (json !== undefined) {
    const safe = maskSecrets(json)
    return safe === json ? text : JSON.stringify(safe)
  }
  if (isMultipart(text, contentType)) return maskMultipart(text, contentType)
  return isForm(text, contentType) ? maskForm(text) : maskText(text)
}
