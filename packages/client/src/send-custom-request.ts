import type { AttemptState } from './attempt.ts'
import type { Completed } from './call.ts'
import { type CreateOptions, callOptionNames } from './call-options.ts'
import type { CheckBody } from './check-schema.ts'
import { createError, withCause } from './create-error.ts'
import { ResponseError } from './errors/family.ts'
import { requireKnownNames } from './known-names.ts'
import { fillPath } from './path.ts'
import { prepareCall, withBody } from './prepare-call.ts'
import type { PathSegment, RequestInput, ResponseSchema, SchemaResult } from './request-input.ts'
import { complete } from './send-call.ts'
import { sendWithRetries } from './send-with-retries.ts'
import type { WorkspaceSettings } from './settings.ts'

interface CustomRequest<Data> {
  readonly request: RequestInput<Data>
  readonly options: CreateOptions | undefined
  readonly callerStack: () => string
}

export async function sendRequest<Data>(
  settings: WorkspaceSettings,
  { request, options, callerStack }: CustomRequest<Data>,
): Promise<Completed<Data>> {
  requireRequest(request)
  const { method, path, body, schema = anyBody } = request
  const hasBody = body !== undefined || options?.extraBody !== undefined
  if (hasBody && method === 'GET') throw new TypeError('A GET request has no body. Use extraQuery for parameters.')
  const route = { operation: 'request', method, path, body: hasBody ? anyBody : undefined, responses: { 200: schema } }
  const url =
    settings.baseUrl + fillPath(requirePath(path), (name) => (name === 'workspace' ? settings.workspace : failOn(name)))
  const input = { route, url, body, options, callerStack }
  const call = prepareCall({ ...settings, check }, input)
  return complete(call, () => sendWithRetries(withBody(call, input)))
}

/** Throws a TypeError for an invalid request before anything is sent. */
function requireRequest(request: RequestInput<unknown>): void {
  const option = Object.keys(request).find((name) => callOptionNames.some((known) => known === name))
  if (option) throw new TypeError(`request takes ${option} in its second argument: request({ … }, { ${option} }).`)
  requireKnownNames('request', request, ['method', 'path', 'body', 'schema'])
  const { method, schema } = request
  // Fetch would also accept lower case, but the client decides by the method whether to send an idempotency key.
  if (!/^(GET|POST|PATCH|DELETE)$/.test(method)) throw new TypeError('method must be GET, POST, PATCH, or DELETE.')
  if (schema !== undefined && typeof schema?.['~standard']?.validate !== 'function') {
    throw new TypeError('schema must be a Standard Schema, such as one of zod, Valibot, or ArkType.')
  }
}

/** Other paths would reach another host or leave the base URL, or belong into `extraQuery`. */
function requirePath(path: string): string {
  if (/^\/(?!\/)[^?#\\\s]*$/.test(path) && !/\/(\.|%2e){1,2}(\/|$)/i.test(path)) return path
  throw new TypeError(
    'path must begin with one "/" and have no "?", "#", "\\", white space or dot segment. Use extraQuery for the query.',
  )
}

function failOn(name: string): never {
  throw new TypeError(`path must have a value instead of {${name}}. The client fills in only {workspace}.`)
}

const anyBody: ResponseSchema<unknown> = { '~standard': { validate: (value) => ({ value }) } }

/** A schema is the caller's code. When it runs, the platform has already answered, and so the error must say that. */
const check: CheckBody = (schema, value, state) => {
  if (schema === anyBody) return { data: value }
  const attempt = state as AttemptState // only responses have other schemas
  const failed = (reason: string) =>
    createError(ResponseError, {
      attempt,
      message: `answered ${attempt.status}, but the schema ${reason}.`,
      fields: {},
    })
  let result: SchemaResult<unknown> | Promise<SchemaResult<unknown>>
  try {
    result = (schema as ResponseSchema<unknown>)['~standard'].validate(value) // every schema of these routes is one
  } catch (thrown) {
    throw withCause(failed('threw an error'), thrown)
  }
  if (result instanceof Promise) {
    result.catch(() => undefined)
    throw failed('is asynchronous. Check the result yourself instead')
  }
  if (!result.issues) return { data: result.value }
  return { issues: result.issues.map(({ message, path = [] }) => ({ path: path.map(toName).join('.'), message })) }
}

const toName = (segment: PathSegment): string => String(typeof segment === 'object' ? segment.key : segment)
