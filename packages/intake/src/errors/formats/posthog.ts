import { describesFailure } from '../heuristics/failure-words.ts'
import { at, isObject, type JsonObject, objectsOf, pick } from '../json.ts'
import { toRecord } from '../record.ts'
import { type Format, type FrameKeys, readFrames } from './format.ts'

const frameKeys: FrameKeys = {
  first: 'oldest',
  file: ['filename', 'source', 'abs_path'],
  line: ['lineno', 'line'],
  function: ['function', 'mangled_name', 'resolved_name'],
  inApp: (frame) => frame['in_app'],
}

const readEvent = (event: JsonObject) => {
  const properties = event['properties']
  const [raised, ...causes] = objectsOf(at(properties, '$exception_list'))
  return toRecord({
    message: pick(raised, 'value') ?? pick(properties, '$exception_message'),
    exception: pick(raised, 'type') ?? pick(properties, '$exception_type'),
    frames: readFrames(at(raised, 'stacktrace', 'frames'), frameKeys),
    stack: pick(properties, '$exception_stack_trace_raw'),
    url: pick(properties, '$current_url', '$request_path'),
    method: pick(properties, '$request_method'),
    severity: pick(properties, '$exception_level', '$level'),
    environment: pick(properties, 'environment', '$environment'),
    fingerprint: pick(properties, '$exception_fingerprint'),
    causes: causes.map((cause) => ({ exception: cause['type'], message: cause['value'] })),
  })
}

const eventsOf = (report: JsonObject): readonly JsonObject[] =>
  Array.isArray(report['batch']) ? objectsOf(report['batch']) : [report]

const isCapture = (event: JsonObject) => typeof event['event'] === 'string' && isObject(event['properties'])

/** Whoever captures an error as an event of their own says so in its name. */
const isNamedError = ({ event }: JsonObject): boolean => !String(event).startsWith('$') && describesFailure(event)

/** One event or a batch. Only `$exception` events are errors. */
export const posthog: Format = {
  name: 'posthog',
  about: {
    title: 'PostHog',
    by: '`batch[]` or one event with `event` and `properties`',
    message: '`$exception_list[0].value`',
    exception: '`.type`',
    place: 'last in-app frame',
    context: '– · – · `$exception_level`',
  },
  recognises: (report) =>
    (Array.isArray(report['batch']) && eventsOf(report).every(isCapture)) ||
    (isCapture(report) &&
      !isNamedError(report) &&
      (report['event'] === '$exception' ||
        pick(report, 'distinct_id') !== undefined ||
        at(report, 'properties', 'distinct_id') !== undefined)),
  read: (report) =>
    eventsOf(report)
      .filter((event) => event['event'] === '$exception')
      .map(readEvent),
}
