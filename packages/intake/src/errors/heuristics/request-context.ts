import { at, has, isObject, type JsonObject, keysIn, nameOf, pick, pickOf, statusOf, textOf } from '../json.ts'
import type { RecordDraft } from '../record.ts'

// What stands around an error, in whatever report: the request, the application, how bad it is.

const requestKeys = ['request', 'req', 'httpRequest', 'http_request', 'http', 'Request', 'proxy']
const holders = ['context', 'meta', 'metadata', 'extra', 'data', 'payload', 'event', 'Event']

const requestOf = (report: JsonObject): unknown => {
  const own = pickOf(report, requestKeys)
  if (isObject(own)) return own
  // What axios was told to do, as its errors repeat it.
  const { config } = report
  if (isObject(config) && has(config, 'url') && has(config, 'method')) return config
  return pickOf(pickOf(report, holders), requestKeys) ?? report['extra']
}

export const urlKeys = [
  'url',
  'uri',
  'requestUrl',
  'request_url',
  'requestUri',
  'request_uri',
  'originalUrl',
  'original_url',
  'page_url',
  'pageUrl',
  'href',
  'path',
  'requestPath',
  'request_path',
  'endpoint',
  'RequestPath',
  'Url',
  'URL',
  'request.uri',
  'request.url',
  'http.url',
  'detectorUrl',
  'link_to_upstream_details',
  'link',
  'html_url',
  'web_url',
  'alert_url',
  'event_url',
  'error_url',
  'errorUrl',
  'issue_url',
  'issueUrl',
  'incident_url',
  'incidentUrl',
  'airbrake_error_url',
  'results_link',
  'ProblemURL',
  'page',
  'route',
  'httpPath',
  'http_path',
]
const addressLike = /^(?:[a-z][a-z0-9+.-]{1,20}:\/\/|\/|\?)/i

/** `path` may also be where a validation failed, or a file on disk: only what looks like an address counts. */
const urlOf = (source: unknown, keys: readonly string[]): string | null => {
  const value = pickOf(source, keys)
  const text = textOf(isObject(value) ? pick(value, 'full', 'raw', 'href', 'path') : value)
  return text !== null && addressLike.test(text.trim()) ? text : null
}

const methods = new Set([
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'CONNECT',
  'QUERY',
  'PROPFIND',
])

const methodKeys = [
  ...['method', 'httpMethod', 'http_method', 'requestMethod', 'request_method', 'verb', 'RequestMethod', 'Method'],
  ...['request.method', 'http.method'],
] as const

const methodOf = (source: unknown): string | null => {
  const value = pickOf(source, methodKeys)
  const text = textOf(value)?.trim().toUpperCase()
  return text !== undefined && methods.has(text) ? text : null
}

export const statusKeys = [
  'status_code',
  'statusCode',
  'status',
  'http_status',
  'httpStatus',
  'response_status',
  'responseStatusCode',
  'StatusCode',
  'Status',
  'http.statusCode',
  'http.status_code',
  'response.status',
]

const statusIn = (source: unknown): number | null => {
  for (const key of keysIn(source, statusKeys)) {
    const status = statusOf(at(source, key))
    if (status !== null) return status
  }
  return null
}

/** `code` is the status in Flask, `errorCode` in others, and a number of anything elsewhere: it counts when it can only be an error status. */
const statusOfReport = (report: JsonObject): number | null => {
  const own = statusIn(report) ?? statusIn(pick(report, 'res', 'response')) ?? statusIn(requestOf(report))
  if (own !== null) return own
  const code = statusOf(report['code'] ?? pick(report, 'errorCode', 'error_code'))
  return code !== null && code >= 400 ? code : null
}

export const severityKeys = [
  'severity',
  'level',
  'levelname',
  'level_name',
  'log_level',
  'logLevel',
  'severityText',
  'severity_text',
  'loglevel',
  'Level',
  '@l',
  '@level',
  '_logLevel',
  'logLevelName',
  'levelName',
  'log.level',
  'criticality',
  'severityLevel',
  'LogLevel',
  'Severity',
  'priority',
  'lvl',
  'event_severity',
  'ProblemSeverity',
]

export const environmentKeys = [
  'environment',
  'env',
  'stage',
  'releaseStage',
  'release_stage',
  'environment_name',
  'app_env',
  'APP_ENV',
  'NODE_ENV',
  'node_env',
  'deployment_environment',
  'deploymentEnvironment',
  'Environment',
  'deployment.environment',
]

export const appKeys = [
  'app_name',
  'appName',
  'appname',
  'app',
  'application',
  'application_name',
  'applicationName',
  'service',
  'service_name',
  'serviceName',
  'service.name',
  'Application',
  'ApplicationName',
  'project',
  'projectName',
  'scriptName',
  'ScriptName',
  'entity.name',
]

const holdersOfEnvironment = ['service', 'app', 'error', 'exception'] as const

/** A number names no environment. */
const nameIn = (value: unknown): string | null => (typeof value === 'string' || isObject(value) ? nameOf(value) : null)

const environmentOf = (report: JsonObject): string | null => {
  const own = keysIn(report, environmentKeys)
    .map((key) => nameIn(at(report, key)))
    .find((value) => value !== null)
  return (
    textOf(own) ??
    holdersOfEnvironment.map((holder) => textOf(at(report, holder, 'environment'))).find((text) => text !== null) ??
    null
  )
}

/** Loggers of Node write the name of the logger beside the process. Elsewhere a name may be anybody's. */
const nameOfLogger = (report: JsonObject): unknown =>
  pick(report, 'pid') !== undefined && pick(report, 'hostname') !== undefined ? report['name'] : undefined

/** A word beside a number of whatever scale. */
const kindsOfLogger = /^(?:fatal|error|fail|warn(?:ing)?|info|success|debug|trace|verbose)$/i

const severityOf = (report: JsonObject): unknown => {
  const value = pickOf(report, severityKeys)
  if (isObject(value)) return pick(value, 'name', 'level', 'text')
  if (typeof value !== 'number') return value
  return [report['type'], report['label']].map(textOf).find((kind) => kindsOfLogger.test(kind ?? '')) ?? value
}

/** By which its sender finds an error again, or an alert when it is over. */
const fingerprintKeys = [
  ...['fingerprint', 'grouping_key', 'groupingKey', 'groupingHash', 'dedup_key', 'dedupKey', 'deduplication_key'],
  ...['deduplicationKey', 'incident_key', 'incidentKey', 'alert_key', 'alertKey'],
] as const

/** Every name that a report is asked for here. */
export const contextKeys = [
  ...[...requestKeys, ...holders, ...urlKeys, ...methodKeys, ...statusKeys, ...severityKeys, ...environmentKeys],
  ...[...appKeys, ...holdersOfEnvironment, 'extra', 'res', 'response', 'code', 'pid', 'hostname', 'name'],
  ...['config', 'label', 'errorCode', 'error_code', 'framework', 'Framework', ...fingerprintKeys],
] as const

export const readRequestContext = (report: JsonObject): RecordDraft => {
  const request = requestOf(report)
  return {
    url: urlOf(request, urlKeys) ?? urlOf(report, urlKeys),
    method: methodOf(request) ?? methodOf(report),
    status: statusOfReport(report),
    severity: severityOf(report),
    environment: environmentOf(report),
    app: nameOf(pickOf(report, appKeys)) ?? textOf(nameOfLogger(report)),
    framework: nameOf(pick(report, 'framework', 'Framework')),
    fingerprint: pickOf(report, fingerprintKeys),
  }
}
