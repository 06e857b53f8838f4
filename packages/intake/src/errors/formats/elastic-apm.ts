import { at, has, isObject, type JsonObject, objectsOf, pick } from '../json.ts'
import { type ErrorRecord, toRecord } from '../record.ts'
import { type Format, type FrameKeys, readFrames } from './format.ts'

const frameKeys: FrameKeys = {
  first: 'newest',
  file: ['filename', 'abs_path'],
  line: ['lineno'],
  function: ['function'],
  module: ['classname', 'module'],
  inApp: (frame) => (typeof frame['library_frame'] === 'boolean' ? !frame['library_frame'] : undefined),
}

const readError = (error: JsonObject, metadata: unknown): ErrorRecord => {
  const { exception, log } = error
  const service = at(error, 'context', 'service') ?? at(metadata, 'service')
  const request = at(error, 'context', 'request')
  return toRecord({
    message: pick(exception, 'message') ?? pick(log, 'message'),
    exception: pick(exception, 'type'),
    frames: readFrames(pick(exception, 'stacktrace') ?? pick(log, 'stacktrace'), frameKeys),
    url: at(request, 'url', 'full') ?? at(request, 'url', 'raw') ?? at(error, 'context', 'page', 'url'),
    method: at(request, 'method'),
    status: at(error, 'context', 'response', 'status_code'),
    framework:
      at(service, 'framework', 'name') ??
      at(metadata, 'service', 'framework', 'name') ??
      at(metadata, 'service', 'language', 'name'),
    environment: at(service, 'environment') ?? at(metadata, 'service', 'environment'),
    app: at(service, 'name') ?? at(metadata, 'service', 'name'),
    severity: pick(log, 'level'),
    causes: objectsOf(pick(exception, 'cause')).map((cause) => ({
      exception: cause['type'],
      message: cause['message'],
    })),
  })
}

const isIntake = (report: JsonObject) => {
  const error = report['error']
  return isObject(error) && [error['exception'], error['log']].some((part) => has(part, 'message') || has(part, 'type'))
}

/** One line of the intake. Lines of transactions, spans and metrics carry no error. */
export const elasticApm: Format = {
  name: 'elastic-apm',
  about: {
    title: 'Elastic APM',
    by: '`error.exception` or `error.log`; `metadata` in the first line',
    message: '`exception.message`, `log.message`',
    exception: '`exception.type`',
    place: 'first frame not `library_frame`',
    context: '`service.name` · `service.environment` · `log.level`',
  },
  recognises: (report) => isIntake(report) || isObject(at(report, 'metadata', 'service')),
  read: (report) =>
    isIntake(report) && isObject(report['error']) ? [readError(report['error'], report['metadata'])] : [],
}

const shortFrameKeys: FrameKeys = { first: 'newest', file: ['f', 'ap'], line: ['li'], function: ['fn'] }

/** The same from browsers, where every key is shortened. */
export const elasticRum: Format = {
  name: 'elastic-rum',
  about: {
    title: 'Elastic RUM',
    by: '`m.se`, `e.ex`, `e.log`',
    message: '`e.ex.mg`, `e.log.mg`',
    exception: '`e.ex.t`',
    place: 'first frame',
    context: '`m.se.n` · `m.se.en` · `e.log.lv`',
  },
  recognises: (report) =>
    isObject(at(report, 'm', 'se')) || isObject(at(report, 'e', 'ex')) || has(at(report, 'e', 'log'), 'mg'),
  read: (report) => {
    const { e, m } = report
    if (!isObject(e)) return []
    return [
      toRecord({
        message: at(e, 'ex', 'mg') ?? at(e, 'log', 'mg'),
        exception: at(e, 'ex', 't') ?? at(e, 'ex', 'ty'),
        frames: readFrames(at(e, 'ex', 'st') ?? at(e, 'log', 'st'), shortFrameKeys),
        url: at(e, 'c', 'p', 'url'),
        environment: at(m, 'se', 'en'),
        app: at(m, 'se', 'n'),
        severity: at(e, 'log', 'lv'),
      }),
    ]
  },
}
