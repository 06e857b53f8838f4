import { readErrorObject } from '../heuristics/error-object.ts'
import { guessRecord } from '../heuristics/guess-record.ts'
import { at, has, isObject, type JsonObject, objectsOf, pick, statusOf, textOf } from '../json.ts'
import { toRecord } from '../record.ts'
import { readStack } from '../stacks/index.ts'
import type { Format } from './format.ts'

// Answers of APIs that somebody passed on as a report.

const isGraphql = (error: JsonObject) =>
  has(error, 'message') && (has(error, 'locations') || has(error, 'extensions') || Array.isArray(error['path']))

/** GraphQL: the first error is the report; the others are of the same answer. */
export const graphql: Format = {
  name: 'graphql',
  about: {
    title: 'GraphQL',
    by: '`errors[]` with `locations`, `path`, `extensions`',
    message: "first error's `message`",
    exception: '`extensions.code`',
    place: '`extensions.stacktrace`',
    context: '–',
  },
  recognises: (report) => objectsOf(report['errors']).some(isGraphql),
  read: (report) => {
    const [first] = objectsOf(report['errors'])
    const extensions = pick(first, 'extensions')
    return [
      toRecord({
        ...guessRecord({ ...report, errors: undefined, data: undefined }),
        // Lighthouse hides the message from the caller and shows it to developers.
        message: pick(extensions, 'debugMessage') ?? pick(first, 'message'),
        ...(has(extensions, 'file') ? { file: pick(extensions, 'file'), line: pick(extensions, 'line') } : {}),
        exception:
          at(extensions, 'exception', 'name') ??
          pick(at(extensions, 'originalError'), 'name') ??
          readStack(at(extensions, 'originalError', 'stack'))?.exception ??
          pick(extensions, 'classification', 'code'),
        stack:
          pick(extensions, 'stacktrace') ??
          at(extensions, 'originalError', 'stack') ??
          at(extensions, 'exception', 'stacktrace') ??
          pick(extensions, 'trace'),
        status: at(extensions, 'http', 'status') ?? pick(extensions, 'status', 'statusCode'),
      }),
    ]
  },
}

const isJsonApi = (error: JsonObject) =>
  (has(error, 'detail') || has(error, 'title')) && (has(error, 'status') || has(error, 'code') || has(error, 'source'))

/** What toolkits add for developers. */
const debugOf = (error: unknown): unknown => at(error, 'meta', 'debug') ?? at(error, 'meta')

/** JSON:API: a list of errors, each with a title and a detail. */
export const jsonApi: Format = {
  name: 'json-api',
  about: {
    title: 'JSON:API',
    by: '`errors[]` of `{status, code, title, detail}`',
    message: '`detail`, else `title`',
    exception: '`meta.exception`, `meta.debug.class`',
    place: '`meta.debug`',
    context: '–',
  },
  recognises: (report) =>
    Array.isArray(report['errors']) && objectsOf(report['errors']).some(isJsonApi) && !has(report, 'title'),
  read: (report) => {
    const [first] = objectsOf(report['errors'])
    const surroundings = guessRecord({ ...report, errors: undefined })
    return [
      toRecord({
        ...surroundings,
        ...readErrorObject(debugOf(first)),
        message: pick(first, 'detail', 'title'),
        exception: at(first, 'meta', 'exception') ?? pick(debugOf(first), 'class', 'exception'),
        status: pick(first, 'status') ?? surroundings.status,
      }),
    ]
  },
}

/** Flask and Werkzeug: `{code, name, description}`. */
export const flask: Format = {
  name: 'flask',
  about: {
    title: 'Flask',
    by: '`code`, `name`, `description`',
    message: '`description`',
    exception: '`name`',
    place: '–',
    context: '–',
  },
  recognises: (report) =>
    statusOf(report['code']) !== null && typeof report['name'] === 'string' && has(report, 'description'),
  read: (report) => [
    toRecord({
      ...guessRecord(report),
      message: report['description'],
      exception: textOf(report['name']),
      status: report['code'],
    }),
  ],
}

/** Feathers: the name of the class beside a name for style sheets. */
export const feathers: Format = {
  name: 'feathers',
  about: {
    title: 'Feathers',
    by: '`code`, `name`, `className`',
    message: '`message`',
    exception: '`name`',
    place: '–',
    context: '–',
  },
  recognises: (report) =>
    statusOf(report['code']) !== null && typeof report['name'] === 'string' && has(report, 'className'),
  read: (report) => [toRecord({ ...guessRecord(report), exception: report['name'], status: report['code'] })],
}

/** JSON-RPC: the code is the protocol's and says nothing of HTTP. */
export const jsonRpc: Format = {
  name: 'json-rpc',
  about: {
    title: 'JSON-RPC',
    by: '`jsonrpc` and `error`',
    message: '`error.message`',
    exception: 'of `error.data`',
    place: 'of `error.data`',
    context: '–',
  },
  recognises: (report) => has(report, 'jsonrpc') && isObject(report['error']),
  read: ({ error }) => {
    const data = isObject(error) && isObject(error['data']) ? guessRecord(error['data']) : {}
    return [toRecord({ ...data, message: pick(error, 'message'), status: null })]
  },
}
