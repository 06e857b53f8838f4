import { guessRecord } from '../heuristics/guess-record.ts'
import { at, has, isObject, type JsonObject, pick, textOf } from '../json.ts'
import { toRecord } from '../record.ts'
import type { Format } from './format.ts'

const requestFindings = (request: unknown) => ({
  url: pick(request, 'url', 'requestUrl'),
  method: pick(request, 'method', 'requestMethod'),
  status: pick(request, 'responseStatusCode', 'status'),
})

const place = (location: unknown) => {
  const file = pick(location, 'filePath', 'file')
  return file === undefined ? {} : { file, line: pick(location, 'lineNumber', 'line') }
}

const reported = (report: JsonObject) =>
  has(report, 'serviceContext') || isObject(at(report, 'context', 'reportLocation'))

/** An event of Error Reporting. Its message holds the whole stack. */
export const googleErrorReporting: Format = {
  name: 'google-error-reporting',
  about: {
    title: 'Google Error Reporting',
    by: '`serviceContext`, `context.reportLocation`',
    message: '`message` without its stack',
    exception: 'first line of the stack',
    place: '`reportLocation`, else the stack',
    context: '`serviceContext.service` · – · `severity`',
  },
  recognises: reported,
  read: (report) => {
    const stack = pick(report, 'stack_trace', 'exception')
    const found = guessRecord({ message: report['message'], ...(stack === undefined ? {} : { stack }) })
    return [
      toRecord({
        ...found,
        ...place(at(report, 'context', 'reportLocation')),
        ...requestFindings(at(report, 'context', 'httpRequest') ?? report['httpRequest']),
        app: at(report, 'serviceContext', 'service'),
        severity: pick(report, 'severity'),
      }),
    ]
  },
}

/** What Error Reporting sends to others when it notices an error. */
export const googleErrorNotification: Format = {
  name: 'google-error-notification',
  about: {
    title: 'Google notification',
    by: '`exception_info` and `event_info`',
    message: '`exception_info.message`',
    exception: '`exception_info.type`',
    place: '–',
    context: '`event_info.service`',
  },
  recognises: (report) => isObject(report['exception_info']) && isObject(report['event_info']),
  read: ({ exception_info: exception, event_info: event }) => [
    toRecord({
      message: pick(exception, 'message') ?? pick(event, 'log_message'),
      exception: pick(exception, 'type'),
      url: pick(event, 'request_url'),
      method: pick(event, 'request_method'),
      status: pick(event, 'response_status'),
      app: pick(event, 'service'),
    }),
  ],
}

const payloadOf = (entry: JsonObject): JsonObject => {
  const payload = pick(entry, 'jsonPayload', 'protoPayload')
  if (isObject(payload)) return payload
  return { message: pick(entry, 'textPayload') }
}

/** An entry of Cloud Logging: the report is what stands in its payload. */
export const googleLogEntry: Format = {
  name: 'google-log-entry',
  about: {
    title: 'Google Cloud Logging',
    by: '`jsonPayload`, `textPayload`, `protoPayload`',
    message: 'of the payload',
    exception: 'of the payload',
    place: 'of the payload, `sourceLocation`',
    context: 'resource labels · – · `severity`',
  },
  recognises: (report) => ['jsonPayload', 'textPayload', 'protoPayload'].some((key) => has(report, key)),
  read: (entry) => {
    const payload = payloadOf(entry)
    const [inner] = reported(payload) ? googleErrorReporting.read(payload) : [toRecord(guessRecord(payload))]
    if (inner === undefined) return []
    const request = requestFindings(entry['httpRequest'])
    const outer = toRecord({
      ...place(entry['sourceLocation']),
      ...request,
      severity: pick(entry, 'severity'),
      app:
        textOf(at(entry, 'resource', 'labels', 'service_name')) ??
        at(entry, 'resource', 'labels', 'function_name') ??
        at(entry, 'resource', 'labels', 'module_id'),
    })
    return [
      {
        ...inner,
        ...(inner.file === null ? { file: outer.file, line: outer.line } : {}),
        url: inner.url ?? outer.url,
        method: inner.method ?? outer.method,
        status: inner.status ?? outer.status,
        severity: outer.severity ?? inner.severity,
        app: inner.app ?? outer.app,
      },
    ]
  },
}
