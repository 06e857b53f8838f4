import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { signatureHeader } from '@service/contract'
import { bodySigner, type Signing, standardSigner } from '../delivery/queues/sign-webhook.ts'
import { OpenError } from '../store/open-error.ts'
import { readOrCreateSecret } from '../store/secret-file.ts'
import { UsageError } from './command.ts'
import { type Forwarded, getHeader } from './forward.ts'

export interface SecretFlags {
  readonly data: string
  readonly secret?: string
}

/** The format of the platform's secrets. Standard Webhooks requires at least 24 bytes, which are 32 characters. */
const secretFormat = /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/

/** The given secret, or that of the data directory, which is the same on every start. */
export function readSigningSecret({ data, secret }: SecretFlags): string {
  if (secret === undefined) {
    const file = {
      path: join(data, 'listen-secret'),
      name: 'signing secret of listen',
      minLength: 'whsec_'.length + 32,
    }
    try {
      return readOrCreateSecret(file, () => `whsec_${randomBytes(32).toString('base64')}`)
    } catch (fault) {
      if (!(fault instanceof OpenError)) throw fault
      throw new OpenError(`${fault.message} Or pass a secret with --secret, which needs no file.`, { cause: fault })
    }
  }
  if (secretFormat.test(secret)) return secret
  throw new UsageError(
    '--secret is whsec_ and the base64 of at least 24 bytes, as Standard Webhooks requires. Omit it to use the one in --data.',
  )
}

export interface SecretChange {
  /** The secret of the subscription. */
  readonly from: string
  /** The secret of the application. */
  readonly to: string
}

/** Signs a delivery with the application's secret. One that the platform did not sign is unchanged and thus rejected. */
export function signAgain(delivery: Forwarded, { from, to }: SecretChange): Forwarded {
  const { headers, body } = delivery
  const standardSignature = (secret: string) =>
    standardSigner(toSigning(secret))(
      body,
      getHeader(delivery, 'webhook-id'),
      Number(getHeader(delivery, 'webhook-timestamp')),
    )
  if (getHeader(delivery, 'webhook-signature') !== standardSignature(from)) return delivery
  const signatures = new Map([
    [signatureHeader.toLowerCase(), bodySigner(toSigning(to))(body)],
    ['webhook-signature', standardSignature(to)],
  ])
  const valueAt = (index: number) => signatures.get(headers[index - 1]?.toLowerCase() ?? '')
  return { headers: headers.map((text, index) => (index % 2 === 1 ? (valueAt(index) ?? text) : text)), body }
}

const toSigning = (secret: string): Signing => ({ secrets: [secret], encoding: 'hex' })
