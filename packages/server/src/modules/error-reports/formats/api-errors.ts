import { at, has, isObject, type JsonObject, objectsOf, pick, statusOf, textOf } from '../json.ts'
import { looseFindings } from '../loose/findings.ts'
import { toRecord } from '../record.ts'
import type { Format } from './format.ts'

// Answers of APIs that somebody passed on as a report.

const isGraphql = (error: JsonObject) =>
  has(error, 'message') && (has(error, 'locations') || has(error, 'extensions') || Array.isArray(error['path']))

/** GraphQL: the first error is the report; the others are of the same answer. */
export const graphql: Format = {
  name: 'graphql',
  recognises: (report) => objectsOf(report['errors']).some(isGraphql),
  read: (report) => {
    const [first] = objectsOf(report['errors'])
    const extensions = pick(first, 'extensions')
    return [
      toRecord({
        ...looseFindings({ ...report, errors: undefined, data: undefined }),
        // Lighthouse hides the message from the caller and shows it to developers.
        message: pick(extensions, 'debugMessage') ?? pick(first, 'message'),
        ...(has(extensions, 'file') ? { file: pick(extensions, 'file'), line: pick(extensions, 'line') } : {}),
        exception: at(extensions, 'exception', 'name') ?? pick(extensions, 'classification', 'code'),
        stack: pick(extensions, 'stacktrace') ?? at(extensions, 'exception', 'stacktrace') ?? pick(extensions, 'trace'),
        status: at(extensions, 'http', 'status') ?? pick(extensions, 'status', 'statusCode'),
      }),
    ]
  },
}

const isJsonApi = (error: JsonObject) =>
  (has(error, 'detail') || has(error, 'title')) && (has(error, 'status') || has(error, 'code') || has(error, 'source'))

/** JSON:API: a list of errors, each with a title and a detail. */
export const jsonApi: Format = {
  name: 'json-api',
  recognises: (report) =>
    Array.isArray(report['errors']) && objectsOf(report['errors']).some(isJsonApi) && !has(report, 'title'),
  read: (report) => {
    const [first] = objectsOf(report['errors'])
    return [
      toRecord({
        ...looseFindings({ ...report, errors: undefined }),
        message: pick(first, 'detail', 'title'),
        exception: at(first, 'meta', 'exception'),
        status: pick(first, 'status'),
      }),
    ]
  },
}

/** Flask and Werkzeug: `{code, name, description}`. */
export const flask: Format = {
  name: 'flask',
  recognises: (report) =>
    statusOf(report['code']) !== null && typeof report['name'] === 'string' && has(report, 'description'),
  read: (report) => [
    toRecord({
      ...looseFindings(report),
      message: report['description'],
      exception: textOf(report['name']),
      status: report['code'],
    }),
  ],
}

/** JSON-RPC: the code is the protocol's and says nothing of HTTP. */
export const jsonRpc: Format = {
  name: 'json-rpc',
  recognises: (report) => has(report, 'jsonrpc') && isObject(report['error']),
  read: ({ error }) => {
    const data = isObject(error) && isObject(error['data']) ? looseFindings(error['data']) : {}
    return [toRecord({ ...data, message: pick(error, 'message'), status: null })]
  },
}
