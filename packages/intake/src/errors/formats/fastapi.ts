import { guessRecord } from '../heuristics/guess-record.ts'
import { isObject, type JsonObject, listOf, objectsOf, pick, textOf } from '../json.ts'
import { toRecord } from '../record.ts'
import type { Format } from './format.ts'

const mostFields = 50

/** `body.items.0.name: Field required` */
const sentence = (entry: JsonObject): string => {
  const place = listOf(entry['loc'])
    .map((step) => textOf(step))
    .filter((step) => step !== null)
    .join('.')
  const text = textOf(pick(entry, 'msg', 'message')) ?? 'Invalid'
  return place === '' ? text : `${place}: ${text}`
}

const isField = (entry: unknown) => isObject(entry) && Array.isArray(entry['loc']) && typeof entry['msg'] === 'string'

const fieldsOf = (report: JsonObject): readonly JsonObject[] => {
  const listed = [report['detail'], report['errors']].find((value) => Array.isArray(value) && value.some(isField))
  return objectsOf(listed).slice(0, mostFields)
}

/** FastAPI and pydantic: what was wrong with each field, and no message at all. */
export const fastapiValidation: Format = {
  name: 'fastapi-validation',
  about: {
    title: 'FastAPI validation',
    by: '`detail[]` of `{loc, msg}`',
    message: 'field and sentence of each',
    exception: '–',
    place: '–',
    context: '–',
  },
  recognises: (report) => fieldsOf(report).length > 0,
  read: (report) => {
    const found = guessRecord({ ...report, detail: undefined, errors: undefined })
    const message = textOf(report['message']) ?? fieldsOf(report).map(sentence).join('; ')
    return [toRecord({ ...found, message, framework: found.framework ?? 'fastapi' })]
  },
}
