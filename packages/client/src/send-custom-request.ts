import type { Completed } from './call.ts'
import type { CreateOptions } from './call-options.ts'
import type { CheckBody } from './check-schema.ts'
import { fillPath } from './path.ts'
import { prepareCall, withBody } from './prepare-call.ts'
import type { PathSegment, RequestInput, ResponseSchema } from './request-input.ts'
import { complete } from './send-call.ts'
import { sendWithRetries } from './send-with-retries.ts'
import type { WorkspaceSettings } from './settings.ts'

interface CustomRequest<Data> extends RequestInput<Data> {
  readonly options: CreateOptions | undefined
  readonly callerStack: () => string
}

export async function sendRequest<Data>(
  settings: WorkspaceSettings,
  { method, path, body, schema = anyBody as ResponseSchema<Data>, options, callerStack }: CustomRequest<Data>,
): Promise<Completed<Data>> {
  const hasBody = body !== undefined || options?.extraBody !== undefined
  if (hasBody && method === 'GET') throw new TypeError('A GET request has no body. Use extraQuery for parameters.')
  const route = { operation: 'request', method, path, body: hasBody ? anyBody : undefined, responses: { 200: schema } }
  const url = settings.baseUrl + fillPath(requirePath(path), (name) => (name === 'workspace' ? settings.workspace : ''))
  const input = { route, url, body, options, callerStack }
  const call = prepareCall({ ...settings, check: checkResponse }, input)
  return complete(call, () => sendWithRetries(withBody(call, input)))
}

/** Other paths would reach another host or leave the base URL, or belong into `extraQuery`. */
function requirePath(path: string): string {
  if (/^\/(?!\/)[^?#\\\s]*$/.test(path) && !/\/(\.|%2e){1,2}(\/|$)/i.test(path)) return path
  throw new TypeError(
    'path must begin with one "/" and have no "?", "#", "\\", white space or dot segment. Use extraQuery for the query.',
  )
}

const anyBody: ResponseSchema<unknown> = { '~standard': { validate: (value) => ({ value }) } }

const checkResponse: CheckBody = (schema, value) => {
  const result = (schema as ResponseSchema<unknown>)['~standard'].validate(value) // every schema of these routes is one
  if (result instanceof Promise) throw new TypeError('schema must be synchronous.')
  if (!result.issues) return { data: result.value }
  return { issues: result.issues.map(({ message, path = [] }) => ({ path: path.map(toName).join('.'), message })) }
}

const toName = (segment: PathSegment): string => String(typeof segment === 'object' ? segment.key : segment)
