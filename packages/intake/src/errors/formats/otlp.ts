import { isRecord, type JsonRecord } from '../../sanitize/json-path.ts'
import { at, pick, toList, toNumber, toObjects, toText } from '../json.ts'
import type { RecordDraft } from '../record.ts'
import type { Format } from './format.ts'

type Attributes = Readonly<Record<string, unknown>>

const valueKinds = ['stringValue', 'intValue', 'doubleValue', 'boolValue']

const toScalar = (value: unknown): unknown => (isRecord(value) ? pick(value, ...valueKinds) : value)

/** Converts a list of `{key, value: {stringValue: …}}` to an object. Integers may be text. Also accepts an object. */
const attributesOf = (holder: unknown): Attributes => {
  const attributes = at(holder, 'attributes')
  if (isRecord(attributes)) return attributes
  return Object.fromEntries(
    toObjects(attributes).map((entry) => [toText(entry['key']) ?? '', toScalar(entry['value'])]),
  )
}

type Found = { readonly attributes: Attributes; readonly message?: unknown; readonly severity?: unknown }

const toReport = ({ attributes: a, message, severity }: Found): RecordDraft => {
  const stack = pick(a, 'exception.stacktrace')
  const file = pick(a, 'code.file.path', 'code.filepath')
  return {
    message: pick(a, 'exception.message') ?? message,
    exception: pick(a, 'exception.type') ?? null,
    // The location of the log call is not that of the error. The stack has priority.
    ...(stack === undefined && file !== undefined ? { file, line: pick(a, 'code.line.number', 'code.lineno') } : {}),
    stack,
    url: pick(a, 'url.full', 'http.url', 'url.path', 'http.target'),
    method: pick(a, 'http.request.method', 'http.method'),
    status: pick(a, 'http.response.status_code', 'http.status_code'),
    environment: pick(a, 'deployment.environment.name', 'deployment.environment'),
    app: pick(a, 'service.name'),
    framework: null,
    severity,
    severityScale: 'otel',
  }
}

const failed = 2
const isFailed = (span: JsonRecord) => [failed, 'STATUS_CODE_ERROR'].some((code) => code === at(span, 'status', 'code'))

/** Each recorded exception is an error. A failed span without one is an error, too. */
const fromSpan = (span: JsonRecord, resource: Attributes): RecordDraft[] => {
  const spanAttributes = { ...resource, ...attributesOf(span) }
  const exceptions = toObjects(span['events']).filter((event) => event['name'] === 'exception')
  if (exceptions.length === 0 && isFailed(span)) {
    const message = toText(at(span, 'status', 'message')) ?? span['name']
    return [toReport({ attributes: { 'exception.type': spanAttributes['error.type'], ...spanAttributes }, message })]
  }
  return exceptions.map((event) => toReport({ attributes: { ...spanAttributes, ...attributesOf(event) } }))
}

/** A severity number of 0 means unspecified. */
const fromLog = (log: JsonRecord, resource: Attributes): RecordDraft => {
  const severity = toNumber(log['severityNumber']) || pick(log, 'severityText')
  return toReport({
    attributes: { ...resource, ...attributesOf(log) },
    message: toScalar(log['body']),
    severity: severity ?? severityWord(log['severityNumber']),
  })
}

/** A single log record without the surrounding lists, as consoles and stores export it. */
const isLog = (report: JsonRecord): boolean =>
  ['severityText', 'severityNumber'].some((key) => toText(report[key]) !== null) &&
  toText(toScalar(report['body'])) !== null

const fromLogAlone = (log: JsonRecord): RecordDraft =>
  fromLog(log, { ...(isRecord(log['resource']) ? log['resource'] : {}), ...attributesOf(log['resource']) })

/** `SEVERITY_NUMBER_ERROR2`, as protobuf's JSON may write it. */
const severityWord = (value: unknown): string | undefined =>
  /^SEVERITY_NUMBER_([A-Z]{4,5})\d?$/.exec(toText(value) ?? '')?.[1]

const scopesOf = (resource: JsonRecord, ...keys: readonly string[]) => toList(pick(resource, ...keys)).filter(isRecord)

/** OpenTelemetry in JSON: traces and logs. Metrics contain no errors. */
export const otlp: Format = {
  name: 'otlp',
  recognizes: (report) =>
    ['resourceSpans', 'resourceLogs', 'resourceMetrics'].some((key) => Array.isArray(report[key])) || isLog(report),
  read: (report) => [
    ...(isLog(report) ? [fromLogAlone(report)] : []),
    ...toObjects(report['resourceSpans']).flatMap((resource) =>
      scopesOf(resource, 'scopeSpans', 'instrumentationLibrarySpans').flatMap((scope) =>
        toObjects(scope['spans']).flatMap((span) => fromSpan(span, attributesOf(resource['resource']))),
      ),
    ),
    ...toObjects(report['resourceLogs']).flatMap((resource) =>
      scopesOf(resource, 'scopeLogs', 'instrumentationLibraryLogs').flatMap((scope) =>
        toObjects(scope['logRecords']).map((log) => fromLog(log, attributesOf(resource['resource']))),
      ),
    ),
  ],
}
