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
  recognises: (report) => objectsOf(report['data']).some(hasBody) || (hasBody(report) && 'notifier' in report),
  read: (report) => (hasBody(report) ? [readItem(report)] : objectsOf(report['data']).filter(hasBody).map(readItem)),
}

const occurrenceOf = (report: JsonObject): unknown =>
  at(report, 'data', 'occurrence') ?? at(report, 'data', 'item', 'last_occurrence')

/** What Rollbar sends to others: an item with its last occurrence. */
export const rollbarWebhook: Format = {
  name: 'rollbar-webhook',
  recognises: (report) => typeof report['event_name'] === 'string' && isObject(at(report, 'data', 'item')),
  read: (report) => {
    const occurrence = occurrenceOf(report)
    if (['resolved_item', 'deploy'].includes(String(report['event_name']))) return []
    if (hasBody(occurrence)) return [readItem(occurrence)]
    const item = at(report, 'data', 'item')
    return [
      toRecord({
        message: pick(item, 'title'),
        framework: pick(item, 'framework', 'platform'),
        environment: pick(item, 'environment'),
        severity: pick(item, 'level'),
      }),
    ]
  },
}
