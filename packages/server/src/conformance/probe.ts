import * as z from 'zod/mini'
import { parseJson } from '../core/json.ts'

interface Call {
  /** Null sends no token. Defaults to the target's token. */
  readonly token?: string | null
  readonly headers?: Readonly<Record<string, string>>
  /** Text is sent unchanged, other values as JSON. */
  readonly body?: unknown
  readonly method?: string
}

/** Sends requests to a deployment as an integrator would. */
interface Probe {
  readonly target: ConformanceTarget
  /** A path below the base URL of the REST API. `{workspace}` is filled in. */
  api(path: string, call?: Call): Promise<ProbeResponse>
  /** A path below the base URL of the inbound webhooks, without a token. */
  inbound(path: string, call?: Call): Promise<ProbeResponse>
  /** A value of the target that the check requires; throws `Skipped` if it is missing. */
  need<Value>(value: Value | undefined, option: string): Value
}

export function createProbe(target: ConformanceTarget): Probe {
  const send = async (baseUrl: string, path: string, { token, headers = {}, body, method }: Call) => {
    const request = new Request(`${baseUrl}${path.replace('{workspace}', String(target.workspace))}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        accept: 'application/json',
        ...(token === null || token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return toProbeResponse(await target.fetch(request))
  }
  return {
    target,
    api: (path, call = {}) => send(target.baseUrl, path, { token: target.token, ...call }),
    inbound: (path, call = {}) => send(target.webhookBaseUrl, path, call),
    need(value, option) {
      if (value === undefined) throw new Skipped(`needs ${option}`)
      return value
    },
  }
}

/** One statement about the platform that holds for a deployment or not. */
export interface Check {
  /** The section of the platform's document. */
  readonly section: string
  readonly title: string
  /** Whether the document states it, or this implementation decided it where the document is silent. */
  readonly basis: 'documented' | 'decided'
  /** The operation of the contract that it covers. */
  readonly operation?: string
  /** True if it creates records. Such checks run only on request. */
  readonly writes?: true
  /** Throws a `Mismatch`, or `Skipped`. */
  run(probe: Probe): Promise<void>
}

/** The response of a deployment. */
interface ProbeResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Undefined if the body is not JSON. */
  readonly json: unknown
}

async function toProbeResponse(response: Response): Promise<ProbeResponse> {
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: parseJson(text) }
}

/** A deployment behaves differently from the documented or decided behavior. */
export class Mismatch extends Error {
  override readonly name = 'Mismatch'
  readonly expected: string
  readonly received: string
  constructor(expected: string, received: string) {
    super(`expected ${expected}, got ${received}`)
    this.expected = expected
    this.received = received
  }
}

/** A check that cannot run, with the option that would enable it. */
export class Skipped extends Error {
  override readonly name = 'Skipped'
}

export function expectSame(expected: unknown, received: unknown, name: string): void {
  const [expectedText, receivedText] = [JSON.stringify(expected), JSON.stringify(received)]
  if (expectedText !== receivedText) throw new Mismatch(`${name} ${expectedText}`, shorten(String(receivedText)))
}

export function expectStatus(reply: ProbeResponse, ...statuses: readonly number[]): void {
  if (!statuses.includes(reply.status)) {
    throw new Mismatch(`status ${statuses.join(' or ')}`, `${reply.status} ${shorten(reply.text)}`)
  }
}

export function expectThat(holds: boolean, expected: string, received: unknown): void {
  if (!holds) throw new Mismatch(expected, shorten(JSON.stringify(received) ?? 'nothing'))
}

/** The body parsed by a schema. */
export function expectShape<Schema extends z.ZodMiniType>(
  schema: Schema,
  { json, text }: ProbeResponse,
): z.output<Schema> {
  const parsed = z.safeParse(schema, json)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`)
  throw new Mismatch('the documented shape', `${problems.slice(0, 5).join('; ')} in ${shorten(text)}`)
}

const shorten = (text: string) => (text.length <= 160 ? text : `${text.slice(0, 157)}…`)

/** A deployment of the platform, and the records that checks may use there. */
export interface ConformanceTarget {
  /** Ends in `/api/v1`. */
  readonly baseUrl: string
  /** Ends in `/api`. */
  readonly webhookBaseUrl: string
  readonly workspace: number
  readonly token: string
  /** A token of the same workspace without `tickets:read`, to test for 403. */
  readonly narrowToken?: string | undefined
  /** Inbound secrets. Checks are skipped if their secret is missing. */
  readonly secrets: {
    readonly errors?: string | undefined
    readonly attendance?: string | undefined
    /** The secret of the lead source `website`. */
    readonly leads?: string | undefined
    /** The secret of GitHub. */
    readonly git?: string | undefined
  }
  /** An employee and a device for which punches may be recorded. */
  readonly employeeCode?: string | undefined
  readonly deviceId?: number | undefined
  readonly fetch: (request: Request) => Promise<Response>
}
