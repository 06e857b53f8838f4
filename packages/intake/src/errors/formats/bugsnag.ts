import { at, has, isObject, type JsonObject, objectsOf, pick } from '../json.ts'
import { toRecord } from '../record.ts'
import { type Format, type FrameKeys, readFrames } from './format.ts'

const frameKeys: FrameKeys = {
  first: 'newest',
  file: ['file'],
  line: ['lineNumber'],
  function: ['method'],
  inApp: (frame) => frame['inProject'],
}

const readEvent = (event: JsonObject) => {
  // The first exception was raised; those after it are its causes.
  const [raised, ...causes] = objectsOf(event['exceptions'])
  return toRecord({
    message: pick(raised, 'message', 'errorMessage') ?? pick(event, 'context'),
    exception: pick(raised, 'errorClass'),
    frames: readFrames(raised?.['stacktrace'], frameKeys),
    url: at(event, 'request', 'url'),
    method: at(event, 'request', 'httpMethod'),
    framework: at(event, 'app', 'type') ?? pick(raised, 'type'),
    environment: at(event, 'app', 'releaseStage'),
    app: at(event, 'app', 'name') ?? at(event, 'app', 'id'),
    severity: event['severity'],
    status: at(event, 'response', 'statusCode'),
    fingerprint: event['groupingHash'],
    causes: causes.map((cause) => ({
      exception: cause['errorClass'],
      message: pick(cause, 'message', 'errorMessage'),
    })),
  })
}

const isEvent = (event: JsonObject): boolean => Array.isArray(event['exceptions'])
const isBareEvent = (report: JsonObject): boolean =>
  objectsOf(report['exceptions']).some((exception) => has(exception, 'errorClass'))

/** What a client posts: a list of events, or an event as a callback was given it. */
const eventsOf = (report: JsonObject): readonly JsonObject[] =>
  isBareEvent(report) ? [report] : objectsOf(report['events']).filter(isEvent)

export const bugsnag: Format = {
  name: 'bugsnag',
  about: {
    title: 'Bugsnag',
    by: '`events[].exceptions[]`, or an event alone',
    message: '`exceptions[0].message` or `errorMessage`',
    exception: '`errorClass`',
    place: 'first frame `inProject`',
    context: '`app.name`, `app.id` · `app.releaseStage` · `severity`',
  },
  recognises: (report) => eventsOf(report).length > 0 || (has(report, 'notifier') && has(report, 'payloadVersion')),
  read: (report) => eventsOf(report).map(readEvent),
}

/** What Bugsnag sends to others when an error occurs. */
export const bugsnagWebhook: Format = {
  name: 'bugsnag-webhook',
  about: {
    title: 'Bugsnag webhook',
    by: '`error.exceptionClass` or `error.errorId`',
    message: '`error.message`',
    exception: '`exceptionClass`',
    place: '`stackTrace`',
    context: '`project.name` · `releaseStage` · `severity`',
  },
  recognises: (report) =>
    isObject(report['error']) && (has(report['error'], 'exceptionClass') || has(report['error'], 'errorId')),
  read: (report) => {
    const error = report['error']
    return [
      toRecord({
        message: pick(error, 'message', 'context'),
        exception: pick(error, 'exceptionClass'),
        frames: readFrames(pick(error, 'stackTrace'), frameKeys),
        url: pick(error, 'requestUrl'),
        environment: pick(error, 'releaseStage') ?? at(error, 'app', 'releaseStage'),
        app: at(report, 'project', 'name'),
        severity: pick(error, 'severity'),
      }),
    ]
  },
}
