import { isRecord, type JsonRecord } from '../../sanitize/json-path.ts'
import { at, has, toNumber, toObjects, toText } from '../json.ts'
import { type ReportLimits, tooLarge } from './decode-error.ts'
import { parseJson } from './parse-json.ts'

// An envelope is a header line and then, for each item, a header line and a payload. The payload has `length` bytes
// if the header has one, or else ends at the end of the line. If the length is wrong (no line ends there), the payload
// also ends at the end of the line.

const newline = 0x0a
const decoder = new TextDecoder()

const lineEnd = (bytes: Uint8Array, from: number): number => {
  const end = bytes.indexOf(newline, from)
  return end === -1 ? bytes.length : end
}

const jsonAt = (bytes: Uint8Array, span: { from: number; to: number }, limits: ReportLimits): unknown =>
  parseJson(decoder.decode(bytes.subarray(span.from, span.to)), limits)

const envelopeKeys = ['event_id', 'sent_at', 'dsn', 'sdk', 'trace']

const isHeader = (value: unknown, following: unknown): boolean =>
  isRecord(value) &&
  (envelopeKeys.some((key) => has(value, key)) || Object.keys(value).length === 0) &&
  typeof at(following, 'type') === 'string'

/** Converts one of many log lines to the shape of other loggers. */
const toEvent = (line: JsonRecord): JsonRecord => ({
  level: line['level'],
  message: line['body'],
  environment: at(line, 'attributes', 'sentry.environment', 'value'),
})

/** A job monitor reports each run; only failed runs are errors. */
const toFailure = (checkIn: JsonRecord): readonly JsonRecord[] =>
  checkIn['status'] === 'error'
    ? [
        {
          event_id: checkIn['check_in_id'],
          level: 'error',
          message: `The job ${toText(checkIn['monitor_slug']) ?? 'of a monitor'} failed.`,
          environment: checkIn['environment'],
          fingerprint: ['check-in', checkIn['monitor_slug']],
        },
      ]
    : []

const eventsIn = (type: unknown, payload: unknown): readonly JsonRecord[] => {
  if (type === 'log') return toObjects(at(payload, 'items')).map(toEvent)
  if (!isRecord(payload)) return []
  return type === 'check_in' ? toFailure(payload) : [payload]
}

/**
 * The events and log lines of an envelope. Undefined if the bytes are not an envelope. Sessions, transactions,
 * check-ins of successful runs, and files are omitted.
 */
export const readEnvelope = (bytes: Uint8Array, limits: ReportLimits): JsonRecord[] | undefined => {
  const headerEnd = lineEnd(bytes, 0)
  const second = { from: headerEnd + 1, to: lineEnd(bytes, headerEnd + 1) }
  if (headerEnd >= bytes.length) return undefined
  if (!isHeader(jsonAt(bytes, { from: 0, to: headerEnd }, limits), jsonAt(bytes, second, limits))) return undefined
  const events: JsonRecord[] = []
  let from = second.from
  for (let items = 0; from < bytes.length; items += 1) {
    if (items > limits.reports) throw tooLarge(`The envelope carries more than ${limits.reports} items.`)
    const header = jsonAt(bytes, { from, to: lineEnd(bytes, from) }, limits)
    const start = lineEnd(bytes, from) + 1
    const declaredEnd = start + (toNumber(at(header, 'length')) ?? Number.NaN)
    const end =
      declaredEnd >= bytes.length || bytes[declaredEnd] === newline
        ? Math.min(declaredEnd, bytes.length)
        : lineEnd(bytes, start)
    const type = at(header, 'type')
    if (type === 'event' || type === 'log' || type === 'check_in')
      events.push(...eventsIn(type, jsonAt(bytes, { from: start, to: end }, limits)))
    if (events.length > limits.reports) throw tooLarge(`The envelope carries more than ${limits.reports} items.`)
    from = end + 1
  }
  return events
}
