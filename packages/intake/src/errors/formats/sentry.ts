import { isRecord, type JsonRecord } from '../../sanitize/json-path.ts'
import { crashSite, type Frame } from '../frame.ts'
import { readFrames } from '../guess/error-object.ts'
import { at, has, keysOf, pick, toList, toObjects, toText } from '../json.ts'
import type { RecordDraft } from '../record.ts'
import type { Format } from './format.ts'

/** `{values: […]}` today, a bare list in old clients, a bare object in the oldest. */
const toValues = (interfaceValue: unknown): readonly JsonRecord[] =>
  toObjects(has(interfaceValue, 'values') ? at(interfaceValue, 'values') : interfaceValue)

const toMessage = (value: unknown): unknown => {
  if (!isRecord(value)) return value
  const formatted = pick(value, 'formatted')
  return formatted ?? withParameters(pick(value, 'message'), value['params'])
}

/** `%(one)s of {two}` with its parameters by name. */
const withNamed = (template: string, parameters: JsonRecord): string =>
  template
    .slice(0, 8_192)
    .replace(
      /%\((\w{1,60})\)[sdr]|\{(\w{1,60})\}/g,
      (hole, first, second) => toText(at(parameters, first ?? second)) ?? hole,
    )

/** `%s of %s` with its parameters, for clients that leave the formatting to the receiver. */
const withParameters = (template: unknown, parameters: unknown): unknown => {
  if (typeof template !== 'string') return template
  if (isRecord(parameters)) return withNamed(template, parameters)
  if (!Array.isArray(parameters)) return template
  let next = 0
  return template.slice(0, 8_192).replace(/%[sdr]/g, (hole) => toText(parameters[next++]) ?? hole)
}

/** Tags are an object or a list of pairs. */
const findTag = (event: JsonRecord, name: string): unknown => {
  if (isRecord(event['tags'])) return at(event, 'tags', name)
  const pair = toList(event['tags']).find((tag) => at(tag, 0) === name || at(tag, 'key') === name)
  return at(pair, 1) ?? at(pair, 'value')
}

const framesOf = (holder: unknown): Frame[] => {
  const stack = pick(holder, 'stacktrace', 'sentry.interfaces.Stacktrace', 'frames')
  return readFrames(has(stack, 'frames') ? at(stack, 'frames') : stack, 'oldest')
}

/** A message may have its own stack, or that of the crashed thread. */
const strayFrames = (event: JsonRecord): Frame[] => {
  const own = framesOf(event)
  if (own.length > 0) return own
  const thread = toValues(event['threads']).find(
    (candidate) => candidate['crashed'] === true || candidate['current'] === true,
  )
  return framesOf(thread)
}

/** If the client marked no frame as application code, the last frame raised the error. */
const toLocation = (frames: readonly Frame[]) => {
  const crash = crashSite(frames)
  return { file: crash?.file, line: crash?.line }
}

const readEvent = (event: JsonRecord): RecordDraft => {
  const values = toValues(event['exception'] ?? event['sentry.interfaces.Exception'])
  // The last value was raised; the earlier ones are its causes.
  const raised = values.at(-1)
  const own = framesOf(raised)
  const frames = own.length > 0 ? own : strayFrames(event)
  const logged =
    toMessage(event['logentry']) ?? toMessage(at(event, 'sentry.interfaces.Message')) ?? toMessage(event['message'])
  return {
    message: toText(raised?.['value']) ?? toText(logged) ?? pick(event, 'title'),
    exception: pick(raised, 'type') ?? (raised && pick(raised, 'module')),
    ...toLocation(frames),
    frames,
    // Other trackers with the same event shape send the stack as printed text.
    stack: toText(raised?.['stacktrace']),
    url: at(event, 'request', 'url') ?? at(event, 'sentry.interfaces.Http', 'url'),
    method: at(event, 'request', 'method') ?? at(event, 'sentry.interfaces.Http', 'method'),
    framework: pick(event, 'platform'),
    environment: pick(event, 'environment') ?? findTag(event, 'environment'),
    severity: pick(event, 'level'),
    status: at(event, 'contexts', 'response', 'status_code'),
    fingerprint: toList(event['fingerprint']),
    causes: values
      .slice(0, -1)
      .reverse()
      .map((cause) => ({ exception: cause['type'], message: cause['value'] })),
  }
}

const interfaces = 'exception logentry sentry.interfaces.Message sentry.interfaces.Exception stacktrace threads'.split(
  ' ',
)

/** Other products also have event ids: `payment.updated` is not a Sentry event. */
const kinds: ReadonlySet<unknown> = new Set([
  ...['error', 'default', 'event', 'csp', 'transaction', 'profile', 'check_in', 'replay_event', 'feedback', 'generic'],
])

const isEvent = (report: JsonRecord): boolean => {
  if (Array.isArray(at(report, 'exception', 'values'))) return true
  if (toObjects(report['exception']).some((value) => has(value, 'type') && has(value, 'value'))) return true
  const signs = ['event_id', 'platform', 'sdk', 'server_name', 'culprit', 'logger', 'contexts', 'modules', 'release']
  const signed = signs.filter((sign) => has(report, sign)).length
  // Other senders also have event ids, with a state or an alert.
  const isOfAlert = keysOf(report).some((key) =>
    /(?:state|status)$|^(?:trigger|alert|alarm|incident|monitor|rule|check(?!sum)|policy|condition|problem|outage|detector|probe|sensor|heartbeat)/i.test(
      key,
    ),
  )
  const isPlain = !isOfAlert && (has(report, 'message') || kinds.has(report['type']))
  if (toText(report['event_id']) !== null && (signed >= 2 || isPlain)) return true
  return signed >= 2 && interfaces.some((name) => isRecord(report[name]) || Array.isArray(report[name]))
}

export const sentry: Format = {
  name: 'sentry',
  recognizes: isEvent,
  // Transactions, profiles, and check-ins share the envelope of events but are not errors.
  read: (event) =>
    typeof event['type'] === 'string' && !['error', 'default', 'event', 'csp'].includes(event['type'])
      ? []
      : [readEvent(event)],
}
