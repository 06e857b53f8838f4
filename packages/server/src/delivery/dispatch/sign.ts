import { hash } from 'node:crypto'

/** How the value of `X-Service-Signature` is written. */
export type SignatureEncoding = 'hex' | 'sha256=hex' | 'base64'

export interface Signing {
  /** The newest first. */
  readonly secrets: readonly [string, ...string[]]
  readonly encoding: SignatureEncoding
}

export type BodySigner = (body: Uint8Array) => string

/** HMAC-SHA256 over the exact bytes that are sent, keyed with the text of the newest secret. */
export function bodySigner({ secrets: [secret], encoding }: Signing): BodySigner {
  const mac = macWith(Buffer.from(secret))
  if (encoding === 'base64') return (body) => mac([body], 'base64')
  const prefix = encoding === 'hex' ? '' : 'sha256='
  return (body) => prefix + mac([body], 'hex')
}

export type StandardSigner = (body: Uint8Array, id: string, timestampSeconds: number) => string

/**
 * Makes values of `webhook-signature` as Standard Webhooks has them: id and time are signed too, and there is one
 * signature per secret, so that a receiver may hold either while a secret is being replaced. The key is the bytes behind
 * `whsec_`, not its text.
 */
export function standardSigner({ secrets }: Signing): StandardSigner {
  const macs = secrets.map((secret) => macWith(Buffer.from(secret.replace(/^whsec_/, ''), 'base64')))
  return (body, id, timestampSeconds) => {
    const prefix = Buffer.from(`${id}.${timestampSeconds}.`)
    return macs.map((mac) => `v1,${mac([prefix, body], 'base64')}`).join(' ')
  }
}

type Mac = (parts: readonly Uint8Array[], encoding: 'hex' | 'base64') => string

const blockBytes = 64
const digestBytes = 32

/**
 * HMAC as RFC 2104 writes it, H(key ^ opad, H(key ^ ipad, text)), with the padded keys made once: two one-shot hashes cost
 * half of what a `Hmac` object does.
 */
function macWith(secret: Uint8Array): Mac {
  const key = secret.length > blockBytes ? hash('sha256', secret, 'buffer') : secret
  const padded = (mask: number) => Buffer.from(Array.from({ length: blockBytes }, (_, at) => (key[at] ?? 0) ^ mask))
  const inner = padded(0x36)
  const outer = Buffer.concat([padded(0x5c), Buffer.alloc(digestBytes)])
  return (parts, encoding) => {
    outer.write(hash('sha256', Buffer.concat([inner, ...parts]), 'binary'), blockBytes, 'binary')
    return hash('sha256', outer, encoding)
  }
}
