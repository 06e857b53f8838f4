import * as z from 'zod/mini'

/** What a deployment answered. */
export interface ProbeResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Undefined when the body is no JSON. */
  readonly json: unknown
}

export async function toProbeResponse(response: Response): Promise<ProbeResponse> {
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: parse(text) }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A deployment does something else than ours. */
export class Mismatch extends Error {
  override readonly name = 'Difference'
  readonly expected: string
  readonly got: string
  constructor(expected: string, got: string) {
    super(`expected ${expected}, got ${got}`)
    this.expected = expected
    this.got = got
  }
}

/** A check that cannot be made, with the option that would make it possible. */
export class Skipped extends Error {
  override readonly name = 'Skipped'
}

export function expectSame(expected: unknown, got: unknown, what: string): void {
  const [wanted, found] = [JSON.stringify(expected), JSON.stringify(got)]
  if (wanted !== found) throw new Mismatch(`${what} ${wanted}`, shorten(String(found)))
}

export function expectStatus(reply: ProbeResponse, ...statuses: readonly number[]): void {
  if (!statuses.includes(reply.status)) {
    throw new Mismatch(`status ${statuses.join(' or ')}`, `${reply.status} ${shorten(reply.text)}`)
  }
}

export function expectThat(holds: boolean, expected: string, got: unknown): void {
  if (!holds) throw new Mismatch(expected, shorten(JSON.stringify(got) ?? 'nothing'))
}

/** The body as its schema has it. */
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
