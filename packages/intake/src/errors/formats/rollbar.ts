import { at, isObject, type JsonObject, objectsOf, pick } from '../json.ts'
import { toRecord } from '../record.ts'
import { type Format, type FrameKeys, readFrames } from './format.ts'

const frameKeys: FrameKeys = { first: 'oldest', file: ['filename'], line: ['lineno'], function: ['method'] }

const bodyKinds = ['trace', 'trace_chain', 'message', 'crash_report']

const hasBody = (data: unknown): data is JsonObject => isObject(data) && pick(data['body'], ...bodyKinds) !== undefined

const readItem = (data: JsonObject) => {
  const body = data['body']
  const [raised, ...causes] = objectsOf(pick(body, 'trace_chain', 'trace'))
  return toRecord({
    message: at(raised, 'exception', 'message') ?? at(body, 'message', 'body') ?? pick(data, 'title'),
    exception: at(raised, 'exception', 'class'),
    frames: readFrames(raised?.['frames'], frameKeys),
    stack: at(body, 'crash_report', 'raw'),
    url: at(data, 'request', 'url'),
    method: at(data, 'request', 'method'),
    framework: pick(data, 'framework', 'language', 'platform'),
    environment: data['environment'],
    severity: data['level'],
    fingerprint: data['fingerprint'],
    causes: causes.map((cause) => ({
      exception: at(cause, 'exception', 'class'),
      message: at(cause, 'exception', 'message'),
    })),
  })
}

/** What a client posts: one item, or several under `data`. */
export const rollbar: Format = {
  name: 'rollbar',
  about: {
    title: 'Rollbar',
    by: '`data.body.{trace, trace_chain, message, crash_report}`',
    message: '`exception.message`, `message.body`',
    exception: '`exception.class`',
    place: 'last frame',
    context: '– · `environment` · `level`',
  },
  recognises: (report) => objectsOf(report['data']).some(hasBody) || (hasBody(report) && 'notifier' in report),
  read: (report) => (hasBody(report) ? [readItem(report)] : objectsOf(report['data']).filter(hasBody).map(readItem)),
}

const occurrenceOf = (report: JsonObject): unknown =>
  at(report, 'data', 'occurrence') ?? at(report, 'data', 'item', 'last_occurrence')

/** What Rollbar sends to others: an item with its last occurrence. */
export const rollbarWebhook: Format = {
  name: 'rollbar-webhook',
  about: {
    title: 'Rollbar webhook',
    by: '`event_name` and `data.item` or `data.deploy`',
    message: 'as above, of the last occurrence',
    exception: '–',
    place: '–',
    context: '–',
  },
  recognises: (report) =>
    typeof report['event_name'] === 'string' && ['item', 'deploy'].some((held) => isObject(at(report, 'data', held))),
  read: (report) => {
    const occurrence = occurrenceOf(report)
    if (report['event_name'] === 'deploy') return []
    const recovered = report['event_name'] === 'resolved_item'
    if (hasBody(occurrence)) return [{ ...readItem(occurrence), recovered }]
    const item = at(report, 'data', 'item')
    return [
      toRecord({
        message: pick(item, 'title'),
        framework: pick(item, 'framework', 'platform'),
        environment: pick(item, 'environment'),
        severity: pick(item, 'level'),
        recovered,
      }),
    ]
  },
}
