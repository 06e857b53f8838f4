import { createHmac } from 'node:crypto'

/** The encoding of `X-Service-Signature`. */
export type SignatureEncoding = 'hex' | 'sha256=hex' | 'base64'

export interface Signing {
  /** Newest first. */
  readonly secrets: readonly [string, ...string[]]
  readonly encoding: SignatureEncoding
}

type BodySigner = (body: Uint8Array) => string

/** HMAC-SHA256 over the exact request body. The key is the text of the newest secret. */
export function bodySigner({ secrets: [secret], encoding }: Signing): BodySigner {
  if (encoding === 'base64') return (body) => hmac(secret, [body], 'base64')
  const prefix = encoding === 'hex' ? '' : 'sha256='
  return (body) => prefix + hmac(secret, [body], 'hex')
}

export type StandardSigner = (body: Uint8Array, id: string, timestampSeconds: number) => string

/**
 * Computes `webhook-signature` values as specified by Standard Webhooks. The id and time are signed too. There is one
 * signature per secret, so a receiver may use either secret during a rotation. The key is the decoded bytes after
 * `whsec_`, not its text.
 */
export function standardSigner({ secrets }: Signing): StandardSigner {
  const keys = secrets.map((secret) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
  return (body, id, timestampSeconds) => {
    const prefix = Buffer.from(`${id}.${timestampSeconds}.`)
    return keys.map((key) => `v1,${hmac(key, [prefix, body], 'base64')}`).join(' ')
  }
}

const hmac = (key: string | Uint8Array, parts: readonly Uint8Array[], encoding: 'hex' | 'base64') => {
  const mac = createHmac('sha256', key)
  for (const part of parts) mac.update(part)
  return mac.digest(encoding)
}
