import { guessRecord } from '../heuristics/guess-record.ts'
import { at, has, isObject, type JsonObject, pick, textOf } from '../json.ts'
import { toRecord } from '../record.ts'
import type { Format } from './format.ts'

const textIn = (report: JsonObject, key: string): string | null =>
  typeof report[key] === 'string' ? textOf(report[key]) : null

const typeOf = (report: JsonObject): string | null => {
  const type = textIn(report, 'type')
  return type === 'about:blank' ? null : type
}

const isUri = (text: string | null) => text !== null && /^(?:[a-z][a-z0-9+.-]{1,20}:|\/|about:)/i.test(text)

const urlOf = (report: JsonObject): string | null => {
  const instance = textIn(report, 'instance')
  // An instance may be a name (`urn:uuid:…`) rather than an address.
  return instance !== null && /^(?:https?:\/\/|\/)/i.test(instance) ? instance : null
}

/** ASP.NET's developer page puts an object here, with the whole exception as text in it. */
const developerStack = (report: JsonObject): unknown =>
  pick(report['exception'], 'details', 'raw', 'stackTrace') ??
  pick(report, 'stackTrace', 'stack', 'trace', 'exceptionDetails')

/** The type is the nearest thing to a class, unless a stack or a member of its own names the real one. */
const classOf = (report: JsonObject, hasStack: boolean, named: unknown): unknown => {
  if (textOf(report['exception'] ?? pick(report, 'class', 'exceptionClass', 'exception_class')) !== null) return named
  return hasStack ? null : typeOf(report)
}

/** RFC 9457 (and 7807), also as ASP.NET, Spring and API Platform write it. Members of a wrong type count as missing. */
export const problemDetails: Format = {
  name: 'problem-details',
  about: {
    title: 'RFC 9457',
    by: '`title` with a `type`, `traceId`, `instance`, or a `detail` and a `status`',
    message: '`detail`, else `title`',
    exception: 'a class where one is named, else `type`',
    place: "ASP.NET's `exception.details`, `trace`",
    context: '–',
  },
  recognises: (report) => {
    if (textIn(report, 'title') === null || has(report, 'message')) return false
    const isProblem = isUri(textIn(report, 'type')) || has(report, 'traceId') || has(report, 'instance')
    return isProblem || (textIn(report, 'detail') !== null && typeof report['status'] === 'number')
  },
  read: (report) => {
    const stack = developerStack(report)
    const found = guessRecord({
      ...report,
      exception: isObject(report['exception']) ? undefined : report['exception'],
    })
    const hasStack = textOf(stack) !== null
    return [
      toRecord({
        ...found,
        message: textIn(report, 'detail') ?? textIn(report, 'title'),
        exception: classOf(report, hasStack, found.exception),
        stack: hasStack ? stack : found.stack,
        url: urlOf(report) ?? at(report, 'exception', 'path') ?? found.url,
        status: report['status'],
      }),
    ]
  },
}
