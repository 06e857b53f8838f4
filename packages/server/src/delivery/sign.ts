import { createHmac, createSecretKey } from 'node:crypto'

/** How the value of `X-Service-Signature` is written. */
export type SignatureEncoding = 'hex' | 'sha256=hex' | 'base64'

export interface Signing {
  /** The newest first. */
  readonly secrets: readonly [string, ...string[]]
  readonly encoding: SignatureEncoding
}

/** HMAC-SHA256 over the exact bytes that are sent, keyed with the text of the newest secret. */
export function signBody(body: Uint8Array, { secrets: [secret], encoding }: Signing): string {
  const mac = createHmac('sha256', secret).update(body)
  if (encoding === 'base64') return mac.digest('base64')
  return encoding === 'hex' ? mac.digest('hex') : `sha256=${mac.digest('hex')}`
}

export type StandardSigner = (body: Uint8Array, id: string, timestampSeconds: number) => string

/**
 * Makes values of `webhook-signature` as Standard Webhooks has them: id and time are signed too, and there is one
 * signature per secret, so that a receiver may hold either while a secret is being replaced. The key is the bytes behind
 * `whsec_`, not its text; it is a KeyObject because Node takes six times as long for a Buffer.
 */
export function standardSigner({ secrets }: Signing): StandardSigner {
  const keys = secrets.map((secret) => createSecretKey(Buffer.from(secret.replace(/^whsec_/, ''), 'base64')))
  return (body, id, timestampSeconds) => {
    const prefix = `${id}.${timestampSeconds}.`
    return keys.map((key) => `v1,${createHmac('sha256', key).update(prefix).update(body).digest('base64')}`).join(' ')
  }
}
