import { at, has, isObject, objectsOf, pick } from '../json.ts'
import { toRecord } from '../record.ts'
import { type Format, type FrameKeys, readFrames } from './format.ts'

const frameKeys: FrameKeys = {
  first: 'newest',
  file: ['file'],
  line: ['number'],
  function: ['method'],
  inApp: (frame) => {
    if (typeof frame['file'] === 'string' && frame['file'].startsWith('[PROJECT_ROOT]/')) return undefined
    return typeof frame['context'] === 'string' ? frame['context'] === 'app' : undefined
  },
}

export const honeybadger: Format = {
  name: 'honeybadger',
  about: {
    title: 'Honeybadger',
    by: '`error.class` with `backtrace`, `server` or `notifier`',
    message: '`error.message`',
    exception: '`error.class`',
    place: 'first frame',
    context: '– · `server.environment_name` · –',
  },
  recognises: (report) =>
    has(report['error'], 'class') &&
    (has(report['error'], 'backtrace') || isObject(report['server']) || isObject(report['notifier'])),
  read: (report) => {
    const { error, request, server } = report
    return [
      toRecord({
        message: pick(error, 'message'),
        exception: pick(error, 'class'),
        frames: readFrames(pick(error, 'backtrace'), frameKeys),
        url: pick(request, 'url'),
        method: at(request, 'cgi_data', 'REQUEST_METHOD'),
        environment: pick(server, 'environment_name'),
        fingerprint: pick(error, 'fingerprint'),
        causes: objectsOf(pick(error, 'causes')).map((cause) => ({
          exception: cause['class'],
          message: cause['message'],
        })),
      }),
    ]
  },
}

/** What Honeybadger sends to others when a fault occurs. */
export const honeybadgerWebhook: Format = {
  name: 'honeybadger-webhook',
  about: {
    title: 'Honeybadger webhook',
    by: '`fault.klass`',
    message: '`fault.message`',
    exception: '`fault.klass`',
    place: '`notice.backtrace`',
    context: '`project.name` · `fault.environment` · –',
  },
  recognises: (report) => has(report['fault'], 'klass'),
  read: (report) => {
    const { fault, notice } = report
    if (['assigned', 'commented', 'deployed'].includes(String(report['event']))) return []
    return [
      toRecord({
        message: pick(fault, 'message') ?? pick(notice, 'message'),
        exception: pick(fault, 'klass'),
        frames: readFrames(pick(notice, 'backtrace') ?? at(notice, 'application_trace'), frameKeys),
        url: pick(notice, 'url') ?? at(notice, 'request', 'url'),
        environment: pick(fault, 'environment') ?? pick(notice, 'environment_name'),
        app: at(report, 'project', 'name'),
        recovered: report['event'] === 'resolved',
      }),
    ]
  },
}
