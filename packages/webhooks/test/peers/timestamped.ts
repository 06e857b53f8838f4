import {
  type HeaderSource,
  type ParsedEvent,
  parse,
  type RawBody,
  type Secrets,
  sign,
  type VerifySyncOptions,
  WebhookVerificationError,
} from '../../src/index.ts'

/**
 * Headers of the form `t=…,v1=…`, as Stripe, WorkOS and Convoy send them, on top of what this package exports. It shows
 * that the cases of their suites hold for our bytes, encodings, secrets and comparison; parsing the header is the shim's.
 */
export interface Scheme {
  readonly separator: '.' | ','
  readonly unitMs: 1 | 1000
}

export interface Given {
  readonly body: RawBody
  readonly header: string | undefined
  readonly secret: Secrets
  /** The age is not checked without it. */
  readonly toleranceSeconds?: number
  readonly now?: number
}

/** One of our ways to verify. */
export type Verify = (options: VerifySyncOptions) => Promise<unknown>

export class RefusedHeader extends Error {}

export async function makeHeader(
  { separator }: Scheme,
  { body, secret, t }: { body: string; secret: string; t: number },
): Promise<string> {
  return `t=${t},v1=${await sign({ body: `${t}${separator}${body}`, secret })}`
}

/** The event, or an error of ours or of the shim. */
export async function open({ separator, unitMs }: Scheme, verify: Verify, given: Given): Promise<ParsedEvent> {
  const { body, secret, toleranceSeconds = Number.POSITIVE_INFINITY, now = Date.now() } = given
  const pairs = (given.header ?? '').split(',').map((part) => part.trim().split(/=(.*)/))
  const t = pairs.find(([name]) => name === 't')?.[1] ?? ''
  if (!/^\d{1,13}$/.test(t)) throw new RefusedHeader('no timestamp')
  const signatures = pairs.filter(([name]) => name === 'v1').map(([, value]) => value ?? '')
  const headers = { 'x-service-signature': signatures.length > 0 ? signatures.join(' ') : undefined }
  await requireMac(verify, { body: withPrefix(`${t}${separator}`, body), headers, secret })
  if (Math.abs(now - Number(t) * unitMs) > toleranceSeconds * 1000) throw new RefusedHeader('outside the tolerance')
  return parse(body)
}

/** What is signed begins with a number and is no JSON: that is said only after the MAC was found right. */
async function requireMac(verify: Verify, options: { body: RawBody; headers: HeaderSource; secret: Secrets }) {
  try {
    await verify(options)
  } catch (error) {
    if (!(error instanceof WebhookVerificationError && error.code === 'invalid_json')) throw error
  }
}

function withPrefix(prefix: string, body: RawBody): RawBody {
  if (typeof body === 'string') return prefix + body
  // What is no body at all is for our own code to refuse.
  if (!ArrayBuffer.isView(body) && !(body instanceof ArrayBuffer)) return body
  const bytes = ArrayBuffer.isView(body) ? new Uint8Array(body.buffer, body.byteOffset, body.byteLength) : body
  return Buffer.concat([Buffer.from(prefix), Buffer.from(new Uint8Array(bytes))])
}
