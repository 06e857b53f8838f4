import type { RawBody } from './options.ts'
import { toBytes } from './raw-bytes.ts'
import { immediate, join, mac, textToBytes } from './runtime.ts'
import { requireSecrets, toKey } from './secrets.ts'

/** The encoding of `X-Service-Signature`. Each subscription chooses one; receivers accept all of them. */
export type SignatureEncoding = 'hex' | 'sha256=hex' | 'base64'

export interface SignOptions {
  readonly body: RawBody
  readonly secret: string
  /** Defaults to `hex`, in lower case. */
  readonly encoding?: SignatureEncoding | undefined
  /** Creates a `webhook-signature` value instead, in its own encoding. Separate several values with a space. */
  readonly standard?: { readonly id: string; readonly timestampSeconds: number } | undefined
}

/**
 * Signs a body, for a sender or a test.
 *
 * @example
 * headers['X-Service-Signature'] = await sign({ body, secret })
 */
export async function sign(options: SignOptions): Promise<string> {
  const { prefix, digest } = begin(options)
  return prefix + (await digest)
}

/** Synchronous `sign` for Node, Bun, and Deno. Throws a `TypeError` in other runtimes. */
export function signSync(options: SignOptions): string {
  const { prefix, digest } = begin(options)
  return prefix + immediate<string>(digest)
}

function begin({ body, secret, encoding = 'hex', standard }: SignOptions) {
  requireSecrets(secret)
  const bytes = toBytes(body)
  const signed = standard ? join([textToBytes(`${standard.id}.${standard.timestampSeconds}.`), bytes]) : bytes
  const scheme = encoding === 'sha256=hex' ? 'sha256=' : ''
  return {
    prefix: standard ? 'v1,' : scheme,
    digest: mac(toKey(secret, !!standard), signed, standard || encoding === 'base64' ? 'base64' : 'hex'),
  }
}
