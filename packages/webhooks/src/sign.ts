import type { RawBody } from './options.ts'
import { toBytes } from './raw-bytes.ts'
import { bytesOf, immediate, join, mac } from './runtime.ts'
import { keyOf, requireSecrets } from './secrets.ts'

/** How the value of `X-Service-Signature` is written. A subscription chooses; receivers take all of them. */
export type SignatureEncoding = 'hex' | 'sha256=hex' | 'base64'

export interface SignOptions {
  readonly body: RawBody
  readonly secret: string
  /** `hex`, in lower case, by default. */
  readonly encoding?: SignatureEncoding | undefined
  /** Makes a value for `webhook-signature` instead, in its own encoding. Several are separated by a space. */
  readonly standard?: { readonly id: string; readonly timestampSeconds: number } | undefined
}

/**
 * The signature of a body, for a sender or a test.
 *
 * @example
 * headers['X-Service-Signature'] = await sign({ body, secret })
 */
export async function sign(options: SignOptions): Promise<string> {
  const { prefix, digest } = begin(options)
  return prefix + (await digest)
}

/** `sign` without waiting, where the runtime can: Node, Bun and Deno. Elsewhere it throws a `TypeError`. */
export function signSync(options: SignOptions): string {
  const { prefix, digest } = begin(options)
  return prefix + immediate<string>(digest)
}

function begin({ body, secret, encoding = 'hex', standard }: SignOptions) {
  requireSecrets(secret)
  const bytes = toBytes(body)
  const signed = standard ? join([bytesOf(`${standard.id}.${standard.timestampSeconds}.`), bytes]) : bytes
  const scheme = encoding === 'sha256=hex' ? 'sha256=' : ''
  return {
    prefix: standard ? 'v1,' : scheme,
    digest: mac(keyOf(secret, !!standard), signed, standard || encoding === 'base64' ? 'base64' : 'hex'),
  }
}
