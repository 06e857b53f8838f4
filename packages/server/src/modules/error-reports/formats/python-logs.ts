import { at, has, isObject, pick, textOf } from '../json.ts'
import { looseFindings } from '../loose/findings.ts'
import { toRecord } from '../record.ts'
import type { Format } from './format.ts'

/** python-json-logger and its kin: the names of Python's LogRecord. The logger's name is no application. */
export const pythonJsonLogger: Format = {
  name: 'python-json-logger',
  recognises: (report) => has(report, 'levelname') || (has(report, 'levelno') && has(report, 'msg')),
  read: (report) => [
    toRecord({
      ...looseFindings(report),
      message: pick(report, 'message', 'msg'),
      stack: pick(report, 'exc_info', 'exc_text', 'stack_info'),
      severity: pick(report, 'levelname', 'levelno'),
      severityScale: 'python',
    }),
  ],
}

/** structlog writes its sentence under `event` and the exception as text or as a list of dicts. */
export const structlog: Format = {
  name: 'structlog',
  recognises: (report) =>
    typeof report['event'] === 'string' &&
    (has(report, 'level') || has(report, 'log_level')) &&
    !isObject(report['properties']),
  read: (report) => {
    const found = looseFindings(report)
    const listed = Array.isArray(report['exception'])
    return [toRecord({ ...found, message: listed ? found.message : report['event'] })]
  },
}

/** loguru with `serialize=True`. */
export const loguru: Format = {
  name: 'loguru',
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
