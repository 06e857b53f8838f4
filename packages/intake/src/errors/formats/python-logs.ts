import { guessRecord } from '../heuristics/guess-record.ts'
import { isErrorsMessage } from '../heuristics/rank-message.ts'
import { isBareState } from '../heuristics/state-words.ts'
import { placesIn } from '../heuristics/walk.ts'
import { at, has, isObject, pick, textOf } from '../json.ts'
import { toRecord } from '../record.ts'
import { readStack } from '../stacks/index.ts'
import type { Format } from './format.ts'

/** python-json-logger and its kin: the names of Python's LogRecord. The logger's name is no application. */
export const pythonJsonLogger: Format = {
  name: 'python-json-logger',
  about: {
    title: 'python-json-logger',
    by: '`levelname`',
    message: '`message`',
    exception: 'last line of `exc_info`',
    place: '`exc_info`, else `pathname`, `lineno`',
    context: '– · – · `levelname`',
  },
  recognises: (report) => has(report, 'levelname') || (has(report, 'levelno') && has(report, 'msg')),
  read: (report) => {
    // Python's own names for the file and the process are no application's.
    const found = guessRecord({ ...report, module: undefined, processName: undefined })
    const stack = pick(report, 'exc_info', 'exc_text', 'stack_info') ?? found.stack
    const isPlaced = (readStack(stack)?.frames.length ?? 0) > 0
    return [
      toRecord({
        ...found,
        message: pick(report, 'message', 'msg'),
        stack,
        ...(isPlaced ? { file: null, line: null } : {}),
        severity: pick(report, 'levelname', 'levelno'),
        severityScale: 'python',
      }),
    ]
  },
}

/** structlog writes its sentence under `event` and the exception as text or as a list of dicts. */
export const structlog: Format = {
  name: 'structlog',
  about: {
    title: 'structlog',
    by: '`event` and `level` without a `message`, the event being no bare state',
    message: "exception's value, or `event`",
    exception: '`exception[0].exc_type`',
    place: 'last frame',
    context: 'as in the generic reader',
  },
  recognises: (report) =>
    typeof report['event'] === 'string' &&
    !isBareState(report['event']) &&
    (has(report, 'level') || has(report, 'log_level')) &&
    // With a message beside it the event is the name of something.
    typeof report['message'] !== 'string' &&
    textOf(at(report, 'details', 'message')) === null &&
    !isObject(report['properties']),
  read: (report) => {
    const found = guessRecord(report)
    const listed = Array.isArray(report['exception'])
    const event = report['event']
    // `query_failed` names what happened where another field says it.
    const isNamed = /^[\w.:-]{1,100}$/.test(textOf(event) ?? '') && isErrorsMessage(placesIn(report), found.message)
    return [toRecord({ ...found, message: listed || isNamed ? found.message : event })]
  },
}

/** loguru with `serialize=True`. */
export const loguru: Format = {
  name: 'loguru',
  about: {
    title: 'loguru',
    by: '`record.level`, `record.exception`',
    message: '`record.message`',
    exception: '`exception.type`',
    place: 'the traceback, else `record.file`',
    context: '`extra.app` · `extra.environment` · `level.name`',
  },
  recognises: (report) =>
    (isObject(at(report, 'record', 'level')) && has(report['record'], 'elapsed')) ||
    isObject(at(report, 'record', 'exception')),
  read: ({ text, record }) => {
    const isText = textOf(at(record, 'exception', 'type')) !== null
    return [
      toRecord({
        message: at(record, 'message') ?? text,
        exception: at(record, 'exception', 'type'),
        stack: isText ? text : null,
        ...(isText && textOf(text)?.includes('Traceback')
          ? {}
          : { file: at(record, 'file', 'path') ?? at(record, 'file', 'name'), line: at(record, 'line') }),
        severity: at(record, 'level', 'name'),
        app: at(record, 'extra', 'app') ?? at(record, 'extra', 'service'),
        environment: at(record, 'extra', 'environment') ?? at(record, 'extra', 'env'),
      }),
    ]
  },
}
