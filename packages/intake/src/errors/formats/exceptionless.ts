import { at, has, isObject, type JsonObject, objectsOf, pick, textOf } from '../json.ts'
import { toRecord } from '../record.ts'
import { chain, type Format, type FrameKeys, readFrames } from './format.ts'

// The older model writes keys in PascalCase, today's in snake_case.

const frameKeys: FrameKeys = {
  first: 'newest',
  file: ['FileName', 'file_name'],
  line: ['LineNumber', 'line_number'],
  function: ['FullName', 'Name', 'name'],
}

const traceKeys = ['StackTrace', 'stack_trace']
/** What a client knows stands in the event, or below its data. */
const known = (report: JsonObject, ...keys: readonly string[]): unknown =>
  pick(report, ...keys) ?? pick(pick(report, 'data', 'Data'), ...keys)
const errorOf = (report: JsonObject): unknown => known(report, '@error', '@simple_error')
const requestOf = (report: JsonObject): unknown => known(report, '@request')

/** Clients of .NET name types with their assembly; JavaScript's have none. */
const frameworkOf = (frames: readonly JsonObject[]): string | null =>
  frames.some((frame) => pick(frame, 'DeclaringNamespace', 'declaring_namespace') !== undefined) ? 'dotnet' : null

const withoutError = new Set(['session', 'sessionend', 'start', 'end', 'heartbeat', 'usage'])

const typeOf = (report: JsonObject): string => textOf(pick(report, 'Type', 'type'))?.toLowerCase() ?? ''

export const exceptionless: Format = {
  name: 'exceptionless',
  about: {
    title: 'Exceptionless',
    by: '`@error`, `@simple_error`',
    message: '`@error.Message`',
    exception: '`@error.Type`',
    place: 'first frame with a file',
    context: '– · – · `@level`',
  },
  recognises: (report) =>
    isObject(errorOf(report)) ||
    (withoutError.has(typeOf(report)) && ['reference_id', 'date', 'Date'].some((key) => has(report, key))) ||
    (typeOf(report) !== '' && (isObject(requestOf(report)) || known(report, '@level', '@environment') !== undefined)),
  read: (report) => {
    if (withoutError.has(typeOf(report))) return []
    const error = errorOf(report)
    const request = requestOf(report)
    const capture = pick(error, ...traceKeys)
    const listed = Array.isArray(capture) ? objectsOf(capture) : []
    return [
      toRecord({
        message: pick(error, 'Message', 'message') ?? pick(report, 'Message', 'message', 'Source', 'source'),
        exception: pick(error, 'Type', 'type'),
        frames: readFrames(listed, frameKeys),
        stack: listed.length > 0 ? null : capture,
        url: pick(request, 'Path', 'path'),
        method: pick(request, 'HttpMethod', 'http_method'),
        framework: frameworkOf(listed),
        severity: known(report, '@level'),
        fingerprint: pick(report, '@stack') ?? at(report, 'data', '@stack', 'signature_data', 'ManualStackingKey'),
        causes: chain(error, 'Inner', 'inner').map((cause) => ({
          exception: pick(cause, 'Type', 'type'),
          message: pick(cause, 'Message', 'message'),
        })),
      }),
    ]
  },
}
