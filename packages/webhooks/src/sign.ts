import type { RawBody } from './options.ts'
import { toBytes } from './raw-bytes.ts'
import { isSync, mac, toKey } from './runtime.ts'
import { requireSecrets } from './secrets.ts'
import { toStandardKey } from './standard-key.ts'

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
  return write(options, await compute(options))
}

/** `sign` without waiting, where the runtime can: Node, Bun and Deno. Elsewhere it throws a `TypeError`. */
export function signSync(options: SignOptions): string {
  if (!isSync) throw new TypeError('This runtime has no synchronous crypto: call `await sign()` instead.')
  return write(options, compute(options) as string) // a promise only where isSync is false
}

function compute({ body, secret, encoding, standard }: SignOptions): string | Promise<string> {
  requireSecrets(secret)
  const bytes = toBytes(body)
  return standard
    ? mac(toStandardKey(secret), `${standard.id}.${standard.timestampSeconds}.`, bytes, 'base64')
    : mac(toKey(secret, 'utf8'), '', bytes, encoding === 'base64' ? 'base64' : 'hex')
}

function write({ encoding, standard }: SignOptions, digest: string): string {
  if (standard) return `v1,${digest}`
  return encoding === 'sha256=hex' ? `sha256=${digest}` : digest
}
