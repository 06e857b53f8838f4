import { at, has, isObject, type JsonObject, objectsOf, pick } from '../json.ts'
import { toRecord } from '../record.ts'
import { type Format, type FrameKeys, readFrames } from './format.ts'

const frameKeys: FrameKeys = { first: 'newest', file: ['file'], line: ['line'], function: ['function', 'method'] }

const isError = (error: JsonObject) =>
  Array.isArray(error['backtrace']) || (has(error, 'type') && has(error, 'message'))

/** Airbrake and Errbit, v3 and v4. The first error was raised, the others are its causes. */
export const airbrake: Format = {
  name: 'airbrake',
  about: {
    title: 'Airbrake, Errbit',
    by: '`errors[]` with `context` or `notifier`',
    message: '`errors[0].message`',
    exception: '`errors[0].type`',
    place: 'first frame',
    context: '– · `context.environment` · `context.severity`',
  },
  recognises: (report) =>
    Array.isArray(report['errors']) &&
    (isObject(report['context']) || isObject(report['notifier'])) &&
    objectsOf(report['errors']).some(isError),
  read: (report) => {
    const [raised, ...causes] = objectsOf(report['errors'])
    const context = report['context']
    return [
      toRecord({
        message: pick(raised, 'message'),
        exception: pick(raised, 'type'),
        frames: readFrames(raised?.['backtrace'], frameKeys),
        url: pick(context, 'url'),
        method: pick(context, 'httpMethod', 'method'),
        framework: pick(context, 'framework', 'language'),
        environment: pick(context, 'environment'),
        severity: pick(context, 'severity'),
        status: at(report, 'context', 'statusCode'),
        causes: causes.map((cause) => ({ exception: cause['type'], message: cause['message'] })),
      }),
    ]
  },
}
