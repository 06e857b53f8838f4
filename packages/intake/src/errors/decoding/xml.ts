import { XMLParser } from 'fast-xml-parser'
import { isRecord, type JsonRecord } from '../../sanitize/json-path.ts'
import { tooLarge, unreadable } from './decode-error.ts'

/** Only old clients of Airbrake send XML, and their notices are small. */
const maxXmlLength = 131_072
const maxDepth = 50

/** Entities are off, because a document type could define entities that expand without limit or read files. */
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  textNodeName: 'text',
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: false,
  maxNestedTags: maxDepth,
  // Trimmed afterwards, because the parser's trimming changes messages of several lines.
  trimValues: false,
})

const predefined: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

const toCharacter = (code: number): string =>
  code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : '\uFFFD'

const decodeEntity = (whole: string, name: string): string => {
  if (!name.startsWith('#')) return predefined[name] ?? whole
  const isHexadecimal = name[1] === 'x'
  const code = Number.parseInt(name.slice(isHexadecimal ? 2 : 1), isHexadecimal ? 16 : 10)
  return Number.isNaN(code) ? whole : toCharacter(code)
}

/** The five predefined XML entities, and numeric character references. */
const decodeEntities = (text: string): string =>
  text.replace(/&(lt|gt|quot|apos|amp|#\d{1,7}|#x[0-9a-fA-F]{1,6});/g, decodeEntity)

const decoded = (value: unknown): unknown => {
  if (typeof value === 'string') return decodeEntities(value)
  if (Array.isArray(value)) return value.map(decoded)
  return isRecord(value)
    ? Object.fromEntries(Object.entries(value).map(([key, child]) => [key, decoded(child)]))
    : value
}

/** Whether a body that is not JSON may be XML. */
export const looksLikeXml = (text: string): boolean => /^\s{0,100}<(?:\?xml|notice)[\s>]/.test(text)

/** Converts a document to objects: elements and attributes by name, repeated names as a list, text under `text`. */
export const parseXml = (text: string): JsonRecord => {
  if (text.length > maxXmlLength) throw tooLarge('The XML is too large.')
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) throw unreadable('The XML must not have a document type.')
  try {
    const value: unknown = decoded(parser.parse(text))
    if (isRecord(value)) return value
  } catch {
    // Treated like XML without an element.
  }
  throw unreadable('The XML cannot be read.')
}
