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
 * A shim for `t=…,v1=…` headers, as sent by Stripe, WorkOS, and Convoy. The shim parses the header, and this package
 * verifies, so the test suites of those libraries exercise its bytes, encodings, secrets, and comparison.
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

/** `verify`, or `verifySync` as a promise. */
export type Verify = (options: VerifySyncOptions) => Promise<unknown>

export class RefusedHeader extends Error {}

export async function makeHeader(
  { separator }: Scheme,
  { body, secret, t }: { body: string; secret: string; t: number },
): Promise<string> {
  return `t=${t},v1=${await sign({ body: `${t}${separator}${body}`, secret })}`
}

/** Returns the event, or throws an error of this package or of the shim. */
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

/** The signed text starts with a number, so it is not JSON. `invalid_json` is thrown only after the MAC was verified. */
async function requireMac(verify: Verify, options: { body: RawBody; headers: HeaderSource; secret: Secrets }) {
  try {
    await verify(options)
  } catch (error) {
    if (!(error instanceof WebhookVerificationError && error.code === 'invalid_json')) throw error
  }
}

function withPrefix(prefix: string, body: RawBody): RawBody {
  if (typeof body === 'string') return prefix + body
  // The package refuses anything that is not a body.
  if (!ArrayBuffer.isView(body) && !(body instanceof ArrayBuffer)) return body
  const bytes = ArrayBuffer.isView(body) ? new Uint8Array(body.buffer, body.byteOffset, body.byteLength) : body
  return Buffer.concat([Buffer.from(prefix), Buffer.from(new Uint8Array(bytes))])
}
