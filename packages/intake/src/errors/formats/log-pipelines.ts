import { guessRecord } from '../heuristics/guess-record.ts'
import { at, has, isObject, type JsonObject, pick, textOf } from '../json.ts'
import { toRecord } from '../record.ts'
import type { Format } from './format.ts'

// Schemas that log shippers agree on. Their keys are paths: nested, or written out with dots.

const pathIn =
  (report: JsonObject) =>
  (path: string): unknown => {
    const flat = at(report, path)
    return flat !== undefined ? flat : at(report, ...path.split('.'))
  }

const isEcs = (report: JsonObject): boolean => {
  const find = pathIn(report)
  const named = ['error.stack_trace', 'log.level', 'ecs.version', 'log.logger', 'error.type'].filter(
    (path) => textOf(find(path)) !== null,
  )
  return named.length >= 2
}

/** Elastic Common Schema, as ecs-logging writes it. */
export const ecs: Format = {
  name: 'ecs',
  about: {
    title: 'ECS',
    by: 'two of `log.level`, `ecs.version`, `error.type`, `error.stack_trace`… nested or dotted',
    message: '`error.message`, `message`',
    exception: '`error.type`',
    place: '`error.stack_trace`, `log.origin`',
    context: '`service.name` · `service.environment` · `log.level`',
  },
  recognises: isEcs,
  read: (report) => {
    const find = pathIn(report)
    const stack = find('error.stack_trace')
    const file = find('log.origin.file.name')
    return [
      toRecord({
        message: find('error.message') ?? find('message'),
        exception: find('error.type'),
        stack,
        ...(stack === undefined && file !== undefined ? { file, line: find('log.origin.file.line') } : {}),
        url: find('url.full') ?? find('url.original') ?? find('url.path'),
        method: find('http.request.method'),
        status: find('http.response.status_code') ?? report['status'],
        app: find('service.name'),
        environment: find('service.environment'),
        severity: find('log.level') ?? find('level'),
      }),
    ]
  },
}

const extra = (report: JsonObject, ...keys: readonly string[]): unknown => pick(report, ...keys.map((key) => `_${key}`))

/** Graylog's GELF: levels of syslog, and everything of one's own behind an underscore. */
export const gelf: Format = {
  name: 'gelf',
  about: {
    title: 'GELF',
    by: '`short_message` with `version` or `host`',
    message: '`short_message`',
    exception: '`_exception`…',
    place: '`_file`, `_line`, `full_message`',
    context: '`_app`… · `_environment` · `level` (syslog)',
  },
  recognises: (report) => has(report, 'short_message') && (has(report, 'version') || has(report, 'host')),
  read: (report) => [
    toRecord({
      message: pick(report, 'short_message'),
      exception: extra(report, 'exception', 'exception_class', 'exception_type', 'error_class', 'exceptionClass'),
      file: extra(report, 'file', 'SourceFileName', 'source_file') ?? pick(report, 'file'),
      line: extra(report, 'line', 'SourceLineNumber', 'source_line') ?? pick(report, 'line'),
      stack:
        extra(report, 'stack_trace', 'StackTrace', 'stacktrace', 'exception_stacktrace', 'exceptionStackTrace') ??
        report['full_message'],
      url: extra(report, 'url', 'request_uri', 'path'),
      method: extra(report, 'method', 'http_method', 'request_method'),
      status: extra(report, 'status', 'status_code'),
      environment: extra(report, 'environment', 'env'),
      app: extra(report, 'app', 'app_name', 'application', 'application_name', 'service') ?? pick(report, 'facility'),
      severity: report['level'],
      severityScale: 'syslog',
    }),
  ],
}

const tagIn = (tags: unknown, name: string): string | null => {
  const listed = Array.isArray(tags)
    ? tags.filter((tag) => typeof tag === 'string')
    : (textOf(tags)?.slice(0, 8_192).split(',') ?? [])
  return listed.find((tag) => tag.startsWith(`${name}:`))?.slice(name.length + 1) ?? null
}

/** Datadog: the application is the service, the environment a tag, and `status` the severity. */
export const datadog: Format = {
  name: 'datadog',
  about: {
    title: 'Datadog',
    by: '`ddsource`, `ddtags`, `error.kind` with `service`',
    message: '`error.message`, `message`',
    exception: '`error.kind`',
    place: '`error.stack`',
    context: '`service` · tag `env` · `status`',
  },
  recognises: (report) =>
    has(report, 'ddsource') ||
    has(report, 'ddtags') ||
    (isObject(report['error']) && has(report['error'], 'kind') && has(report, 'service')),
  read: (report) => {
    const find = pathIn(report)
    const found = guessRecord(report)
    return [
      toRecord({
        ...found,
        message: find('error.message') ?? found.message,
        exception: find('error.kind') ?? found.exception,
        stack: find('error.stack') ?? found.stack,
        url: find('http.url') ?? found.url,
        method: find('http.method') ?? found.method,
        status: find('http.status_code') ?? found.status,
        app: find('service') ?? found.app,
        environment: tagIn(report['ddtags'], 'env') ?? found.environment,
        severity: found.severity ?? pick(report, 'status'),
      }),
    ]
  },
}
