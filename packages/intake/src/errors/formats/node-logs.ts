import { guessRecord } from '../heuristics/guess-record.ts'
import { at, has, isObject, type JsonObject, nameOf, objectsOf, pick } from '../json.ts'
import { toRecord } from '../record.ts'
import type { Format } from './format.ts'

const isPinoLevel = (level: unknown) => typeof level === 'number' && level >= 10 && level <= 60

/** pino and bunyan: a number for the level, the error under `err`, and the application under `name`. */
export const pino: Format = {
  name: 'pino',
  about: {
    title: 'pino, bunyan',
    by: '`level` 10–60 with `msg`, `err` or `time`',
    message: '`err.message`, `msg`',
    exception: '`err.type`, `err.name`',
    place: '`err.stack`',
    context: '`name` · – · `level`',
  },
  recognises: (report) =>
    isPinoLevel(report['level']) && (has(report, 'msg') || has(report, 'err') || has(report, 'time')),
  read: (report) => {
    const found = guessRecord(report)
    return [
      toRecord({
        ...found,
        status: at(report, 'res', 'statusCode') ?? found.status,
        app: found.app ?? pick(report, 'name'),
        severity: report['level'],
        severityScale: found.severityScale ?? 'pino',
      }),
    ]
  },
}

const errorOf = (report: JsonObject): unknown => pick(report, 'err', 'error')

/** What a Next.js application hands on from `onRequestError(error, request, context)`. */
export const nextOnRequestError: Format = {
  name: 'next-on-request-error',
  about: {
    title: 'Next.js `onRequestError`',
    by: '`context.routerKind`, or `digest` of the error',
    message: '`err.message`',
    exception: '`err.name`',
    place: '`err.stack`',
    context: 'as in the generic reader',
  },
  recognises: (report) =>
    has(report['context'], 'routerKind') ||
    has(report['context'], 'routePath') ||
    (isObject(errorOf(report)) && has(errorOf(report), 'digest')),
  read: (report) => {
    const found = guessRecord(report)
    const request = report['request']
    return [
      toRecord({
        ...found,
        url: pick(request, 'url', 'path') ?? found.url,
        method: pick(request, 'method') ?? found.method,
        framework: nameOf(report['framework']) ?? 'nextjs',
      }),
    ]
  },
}

/** A Boom of hapi, handed on whole: the answer stands under `output.payload`. */
export const boom: Format = {
  name: 'boom',
  about: {
    title: "hapi's Boom",
    by: '`output.payload`',
    message: '`message`',
    exception: 'of its stack',
    place: 'of its stack',
    context: '–',
  },
  recognises: (report) => isObject(at(report, 'output', 'payload')),
  read: (report) => {
    const payload = at(report, 'output', 'payload')
    const found = guessRecord(report)
    return [
      toRecord({
        ...found,
        message: found.message ?? pick(payload, 'message', 'error'),
        status: at(report, 'output', 'statusCode') ?? pick(payload, 'statusCode'),
      }),
    ]
  },
}

const argumentsOf = (report: JsonObject): readonly unknown[] =>
  Array.from({ length: 10 }, (_, index) => report[String(index)]).filter((value) => value !== undefined)

/** tslog: what the logger was called with, by number, and what it knows under `_meta`. */
export const tslog: Format = {
  name: 'tslog',
  about: {
    title: 'tslog',
    by: '`_meta` or `_logMeta` with `logLevelName`',
    message: 'of the error among the arguments, else the first text',
    exception: 'of the error',
    place: 'of the error, else `path`',
    context: '`name` · – · `logLevelName`',
  },
  recognises: (report) => has(metaOf(report), 'logLevelName'),
  read: (report) => {
    const meta = metaOf(report)
    const given = argumentsOf(report)
    const said = given.find((value) => typeof value === 'string') ?? pick(report, 'message', 'msg')
    const error =
      [...given, report['error']].find((value) => isObject(value) && has(value, 'stack')) ??
      (has(report, 'stack') ? report : null)
    const found = isObject(error) ? guessRecord(withTslogFrames(error)) : {}
    return [
      toRecord({
        message: said,
        ...found,
        exception: found.exception ?? pick(error, 'name'),
        app: pick(meta, 'name'),
        severity: pick(meta, 'logLevelName'),
      }),
    ]
  },
}

const metaOf = (report: JsonObject): unknown => pick(report, '_meta', '_logMeta')

/** Its frames say `fileLine` where others say `line`. */
const withTslogFrames = (error: JsonObject): JsonObject => ({
  message: error['message'],
  exception: {
    name: error['name'],
    message: error['message'],
    stack: objectsOf(error['stack']).map((frame) => ({
      file: pick(frame, 'filePath', 'fullFilePath'),
      line: frame['fileLine'],
      function: frame['method'],
    })),
  },
})
