import { hash } from 'node:crypto'
import { isRecord, type JsonRecord } from '../sanitize/json-path.ts'

// Every form, page, and account numbers its entries from one. Their names say within which the number is unique.

const place =
  /^(?:form|page|post|site|website|landing|portal|account|inbox|property|widget|shop|store|blog|referr?er|host|domain|origin|source|url)(?:page|id|uuid|key|hash|name|title|slug|ur[il]|form)?$/
const partOfPlace = /^(?:id|uuid|key|hash|name|title|slug|ur[il])$/
const maxDepth = 3
const maxPlaces = 20
const maxKeys = 100
const maxKeyLength = 40

const placesIn = (record: JsonRecord, depth: number, isPlace: boolean): readonly string[] =>
  Object.entries(record)
    .slice(0, maxKeys)
    .flatMap(([key, value]) => {
      const plain = key.length > maxKeyLength ? '' : key.toLowerCase().replace(/[^a-z]/g, '')
      const names = place.test(plain) || (isPlace && partOfPlace.test(plain))
      if (isRecord(value)) return depth < maxDepth ? placesIn(value, depth + 1, place.test(plain)) : []
      // A query may say when and how the page was opened.
      return names && value !== null && !Array.isArray(value)
        ? [`${plain}=${String(value).replace(/[?#].*$/s, '')}`]
        : []
    })

/** A hash of the reader, and of the form, page, or account that a body names. */
export const toScope = (reader: string, body: JsonRecord): string =>
  hash('sha256', JSON.stringify([reader, ...placesIn(body, 1, false).slice(0, maxPlaces)]), 'hex')
