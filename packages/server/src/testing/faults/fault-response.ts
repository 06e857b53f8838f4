import { STATUS_CODES } from 'node:http'
import { requireResponse } from '../require-response.ts'
import type { Fault, FaultAnswer } from './fault.ts'

/** The platform's own messages, where it has them. */
const messages: Readonly<Record<number, string>> = {
  401: 'Unauthenticated.',
  403: 'This token does not belong to this workspace.',
  404: 'The resource was not found.',
  422: 'The given data was invalid.',
  429: 'Too Many Attempts.',
  500: 'Server Error',
}

/** The response that replaces the platform's. */
export async function faultResponse(respond: NonNullable<Fault['respond']>, request: Request): Promise<Response> {
  if (typeof respond === 'function') return requireResponse(await respond(request), 'The function in `respond`')
  return toResponse(typeof respond === 'number' ? { status: respond } : respond)
}

function toResponse(answer: FaultAnswer): Response {
  const { status = 500, headers = {}, retryAfterSeconds } = answer
  const isText = typeof answer.body === 'string'
  const body = 'body' in answer ? answer.body : { message: messages[status] ?? STATUS_CODES[status] ?? 'Error' }
  return new Response(bodyText(body, status), {
    status,
    headers: {
      'content-type': isText ? 'text/plain; charset=utf-8' : 'application/json',
      'cache-control': 'no-store',
      ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
      ...lowerCase(headers),
    },
  })
}

/** Statuses without a body. `Response` rejects one. */
function bodyText(body: unknown, status: number): string | null {
  if (status === 204 || status === 205 || status === 304 || body === undefined) return null
  return typeof body === 'string' ? body : JSON.stringify(body)
}

const lowerCase = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** For a caller that requested an invalid fault. */
export const faultErrorResponse = (message: string) =>
  toResponse({ status: 422, body: { message, errors: { 'X-Service-Fault': [message] } } })

export const faultHeader = 'x-service-fault'

const readers: Readonly<Record<string, (value: string) => Partial<Fault>>> = {
  status: (value) => ({ respond: { status: Number(value) } }),
  'retry-after': (value) => ({ respond: { retryAfterSeconds: Number(value) } }),
  latency: (value) => ({ latency: /^\d+$/.test(value) ? Number(value) : value }),
  when: (value) => ({ when: value as Fault['when'] }), // validated like any other fault
  damage: (value) => ({ damage: value as Fault['damage'] }),
  'bytes-per-second': (value) => ({ bytesPerSecond: Number(value) }),
  connection: (value) => ({ connection: value as Fault['connection'] }),
}

/** Parses `status=503; latency=200; when=after`. Throws a TypeError if it is invalid. */
export function readFaultHeader(header: string): Fault {
  const fault: Record<string, unknown> = {}
  for (const part of header.split(';').filter((each) => each.trim() !== '')) {
    const [name = '', value = ''] = part.split('=').map((each) => each.trim())
    const read = readers[name.toLowerCase()]
    if (read === undefined) {
      throw new TypeError(`${faultHeader} has no \`${name}\`; it has ${Object.keys(readers).join(', ')}.`)
    }
    for (const [option, parsed] of Object.entries(read(value))) {
      fault[option] = typeof parsed === 'object' ? { ...(fault[option] ?? {}), ...parsed } : parsed
    }
  }
  return fault
}
