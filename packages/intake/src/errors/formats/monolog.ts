import { splitLocation, toFrame } from '../frame.ts'
import { at, has, isObject, type JsonObject, listOf, pick, pickOf, textOf } from '../json.ts'
import { toRecord } from '../record.ts'
import { readStack } from '../stacks/index.ts'
import { chain, type Format } from './format.ts'

/** The trace is a list of `path:line`, or of a stack's lines. */
const framesOf = (capture: unknown) => {
  const frames = listOf(capture).map((entry) => {
    const { file, line } = splitLocation(entry)
    return toFrame({ file, line })
  })
  return frames.filter((frame) => frame.line !== null)
}

/** Formatters for Logstash and Google rename the level, and leave a record's channel and context as they are. */
const isRecordOf = (report: JsonObject): boolean =>
  typeof report['channel'] === 'string' && (isObject(report['context']) || isObject(report['extra']))

/** What applications note of an exception by themselves. */
const classKeysOfExceptions = [
  'exception_class',
  'exceptionClass',
  'exception_type',
  'error_class',
  'error_type',
] as const

/** Monolog's JSON: what is known of the exception stands under `context.exception`, its place as one `path:line`. */
export const monolog: Format = {
  name: 'monolog',
  about: {
    title: 'Monolog',
    by: '`level_name`, `message`',
    message: '`message`',
    exception: '`context.exception.class`',
    place: '`context.exception.file`',
    context: '`extra.app` · `extra.environment` · `level_name`',
  },
  recognises: (report) => has(report, 'message') && (has(report, 'level_name') || isRecordOf(report)),
  read: ({ message, context, extra, level_name: levelName, level, severity, appname, type }) => {
    const exception = at(context, 'exception')
    const noted = splitLocation(pick(context, 'file'))
    const place = exception === undefined && noted.line !== null ? noted : splitLocation(pick(exception, 'file'))
    const stack = typeof exception === 'string' ? exception : pick(exception, 'trace_as_string', 'trace')
    const own = framesOf(pick(exception, 'trace'))
    const thrown = place.file === null ? [] : [toFrame(place)]
    return [
      toRecord({
        message,
        exception: pick(exception, 'class') ?? readStack(stack)?.exception ?? pickOf(context, classKeysOfExceptions),
        ...(place.file === null ? {} : { file: place.file, line: place.line ?? at(exception, 'line') }),
        frames: [...thrown, ...(own.length > 0 ? own : (readStack(stack)?.frames ?? []))],
        url: pick(extra, 'url') ?? pick(context, 'url'),
        method: pick(extra, 'http_method') ?? pick(context, 'method'),
        environment: textOf(pick(extra, 'environment', 'env')) ?? textOf(pick(context, 'environment', 'env')),
        app:
          textOf(pick(extra, 'app', 'application', 'service')) ??
          textOf(pick(context, 'app', 'app_name')) ??
          textOf(appname) ??
          textOf(type),
        severity: levelName ?? severity ?? level,
        severityScale: 'monolog',
        causes: chain(exception, 'previous').map((cause) => ({ exception: cause['class'], message: cause['message'] })),
        status: isObject(context) ? pick(context, 'status_code', 'status') : null,
      }),
    ]
  },
}
