import { readErrorObject } from '../heuristics/error-object.ts'
import { guessRecord } from '../heuristics/guess-record.ts'
import { at, has, isObject, type JsonObject, objectsOf, pick, textOf } from '../json.ts'
import { toRecord } from '../record.ts'
import { readStack } from '../stacks/index.ts'
import type { Format } from './format.ts'

const textsOf = (capture: unknown): string[] =>
  objectsOf(capture).flatMap((entry) => {
    const text = textOf(entry['trace'])
    return text === null ? [] : [text]
  })

/** Rails sorted the frames already. The application's own come first, then all of them. */
const framesOf = (traces: unknown) => {
  const own = readStack(textsOf(at(traces, 'Application Trace')))?.frames ?? []
  return own.length > 0
    ? own.map((frame) => ({ ...frame, inApp: true }))
    : (readStack(textsOf(at(traces, 'Full Trace')))?.frames ?? [])
}

/** What Rails answers to JSON requests while debugging is on. */
export const railsDebug: Format = {
  name: 'rails-debug',
  about: {
    title: 'Rails, debugging',
    by: '`traces` and `exception`',
    message: 'inside of `#<Class: message>`',
    exception: 'same',
    place: '`Application Trace`',
    context: '–',
  },
  recognises: (report) => isObject(report['traces']) && has(report, 'exception'),
  read: (report) => {
    const error = readErrorObject(report['exception'])
    return [
      toRecord({
        ...guessRecord(report),
        message: error.message ?? pick(report, 'message', 'error'),
        exception: error.exception,
        frames: framesOf(report['traces']),
        stack: null,
        framework: 'rails',
      }),
    ]
  },
}

/** `message.inspect` puts quotes around the text. */
const unquoted = (message: unknown): unknown =>
  typeof message === 'string' && /^".*"$/s.test(message) ? message.slice(1, -1).replaceAll('\\"', '"') : message

const isNotification = (report: JsonObject) => has(report['exception'], 'error_class')

/** The webhook of exception_notification. */
export const railsExceptionNotification: Format = {
  name: 'rails-exception-notification',
  about: {
    title: 'exception_notification',
    by: '`exception.error_class`',
    message: '`exception.message`',
    exception: '`error_class`',
    place: '`backtrace`',
    context: '`app_name` · `environment` · –',
  },
  recognises: isNotification,
  read: (report) => {
    const { exception, request, data } = report
    return [
      toRecord({
        ...guessRecord(report),
        message: unquoted(pick(exception, 'message')),
        exception: pick(exception, 'error_class'),
        stack: pick(exception, 'backtrace'),
        url: pick(request, 'url'),
        method: pick(request, 'http_method', 'method'),
        framework: 'rails',
        environment: pick(report, 'environment', 'rails_env') ?? pick(data, 'environment'),
        app: textOf(pick(report, 'app_name', 'application')),
      }),
    ]
  },
}
