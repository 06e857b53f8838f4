import { at, has, isObject, type JsonObject, pick, textOf } from '../json.ts'
import { toRecord } from '../record.ts'
import { type Format, type FrameKeys, readFrames } from './format.ts'

// What browsers send by themselves. They name no message, so it is put together from what they name.

const violation = (report: unknown) => {
  const directive = textOf(
    pick(report, 'effective-directive', 'effectiveDirective', 'violated-directive', 'violatedDirective'),
  )
  const violated = textOf(pick(report, 'violated-directive', 'violatedDirective')) ?? directive
  const blocked = textOf(pick(report, 'blocked-uri', 'blockedURL', 'blocked-url'))
  return toRecord({
    message: `Content Security Policy: ${violated ?? 'a directive'} blocked ${blocked ?? 'a resource'}`,
    file: pick(report, 'source-file', 'sourceFile'),
    line: pick(report, 'line-number', 'lineNumber'),
    url: pick(report, 'document-uri', 'documentURL', 'document-url'),
    status: pick(report, 'status-code', 'statusCode'),
    severity: pick(report, 'disposition') === 'report' ? 'warning' : null,
  })
}

/** `report-uri` of a Content Security Policy. */
export const cspReport: Format = {
  name: 'csp-report',
  about: {
    title: 'CSP report',
    by: '`csp-report`',
    message: 'made of the directive and what was blocked',
    exception: '–',
    place: '`source-file`, `line-number`',
    context: '–',
  },
  recognises: (report) => isObject(report['csp-report']),
  read: (report) => [violation(report['csp-report'])],
}

/** A network error names its type, a crash its reason, a deprecation has a sentence. */
const messageOf = (type: string, body: unknown): string => {
  const detail = textOf(pick(body, 'message', 'reason', 'type', 'id', 'featureId', 'blockedURL'))
  if (has(body, 'message')) return detail ?? type
  return detail === null ? type : `${type}: ${detail}`
}

const readReport = (report: JsonObject) => {
  const { body } = report
  const type = textOf(report['type']) ?? 'report'
  if (type === 'csp-violation') {
    const record = violation(body)
    return toRecord({ ...record, url: record.url ?? report['url'] })
  }
  return toRecord({
    message: messageOf(type, body),
    file: pick(body, 'sourceFile'),
    line: pick(body, 'lineNumber'),
    url: pick(report, 'url'),
    method: pick(body, 'method'),
    status: pick(body, 'status_code', 'statusCode'),
    severity: ['deprecation', 'intervention'].includes(type) ? 'warning' : null,
  })
}

const isReport = (report: JsonObject) =>
  typeof report['type'] === 'string' &&
  isObject(report['body']) &&
  (has(report, 'age') || has(report, 'user_agent')) &&
  has(report, 'url')

/** One report of the Reporting API; the browser sends them in a list. */
export const reportingApi: Format = {
  name: 'reporting-api',
  about: {
    title: 'Reporting API',
    by: 'a list of `{type, url, body, age}`',
    message: '`body.message`, or type and reason',
    exception: '–',
    place: '`body.sourceFile`, `body.lineNumber`',
    context: '–',
  },
  recognises: isReport,
  read: (report) => [readReport(report)],
}

const bareMessage = /^(?:Uncaught )?(?:\(in promise\) )?([A-Z]\w{0,100}(?:Error|Exception)): ([\s\S]{1,65535})$/

/** What a page makes of `window.onerror` and `unhandledrejection`. */
export const windowError: Format = {
  name: 'window-error',
  about: {
    title: '`window.onerror`, `unhandledrejection`',
    by: '`lineno` with `colno` or `source`; `reason`',
    message: "error's message",
    exception: "error's name",
    place: '`source`, `lineno`, else the stack',
    context: '`app_name` · `environment` · `severity`',
  },
  recognises: (report) =>
    has(report, 'colno') ||
    (has(report, 'lineno') && has(report, 'source')) ||
    (has(report, 'reason') && isRejection(report)),
  read: (report) => {
    const error = pick(report, 'error', 'reason')
    const told = textOf(pick(report, 'message')) ?? (typeof error === 'string' ? error : null)
    const [, name, detail] = bareMessage.exec(told ?? '') ?? []
    const stack = pick(error, 'stack') ?? pick(report, 'stack')
    const file = pick(report, 'source', 'filename', 'fileName', 'file')
    return [
      toRecord({
        message: pick(error, 'message') ?? detail ?? told,
        exception: pick(error, 'name', 'type') ?? name,
        ...(file === undefined ? {} : { file, line: pick(report, 'lineno', 'line', 'lineNumber') }),
        stack,
        url: pick(report, 'url', 'href', 'location', 'page') ?? at(report, 'location', 'href'),
        environment: textOf(pick(report, 'environment', 'env')),
        app: textOf(pick(report, 'app_name', 'appName', 'app')),
        severity: pick(report, 'severity', 'level'),
      }),
    ]
  },
}

const isRejection = (report: JsonObject) =>
  report['type'] === 'unhandledrejection' || (isObject(report['reason']) && has(report['reason'], 'stack'))

const faroFrameKeys: FrameKeys = { first: 'newest', file: ['filename'], line: ['lineno'], function: ['function'] }
const faroFrames = (exception: JsonObject) => readFrames(at(exception, 'stacktrace', 'frames'), faroFrameKeys)

/** Grafana Faro, which carries many exceptions of one page. */
export const faro: Format = {
  name: 'faro',
  about: {
    title: 'Grafana Faro',
    by: '`meta` and `exceptions[]`',
    message: '`value`',
    exception: '`type`',
    place: 'first frame',
    context: '`meta.app.name` · `meta.app.environment` · –',
  },
  recognises: (report) => isObject(report['meta']) && Array.isArray(report['exceptions']),
  read: ({ meta, exceptions }) =>
    (Array.isArray(exceptions) ? exceptions : []).filter(isObject).map((exception) =>
      toRecord({
        message: pick(exception, 'value'),
        exception: pick(exception, 'type'),
        frames: faroFrames(exception),
        url: at(meta, 'page', 'url'),
        app: at(meta, 'app', 'name'),
        environment: at(meta, 'app', 'environment'),
      }),
    ),
}
