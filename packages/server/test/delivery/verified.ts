import type { IncomingHttpHeaders } from 'node:http'
import { verify as verifyAsOctokit } from '@octokit/webhooks-methods'
import { type SignatureEncoding, verifySync, type WebhookEvent } from '@service/webhooks'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { vi } from 'vitest'

/** The settings of a subscription that verification depends on. */
export interface Expected {
  readonly url: string | null
  readonly secret: string
  readonly encoding: string
  readonly standard_webhooks: boolean
}

export interface SignedRequest {
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

const standardNames = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const

/** Throws unless our own helper and every library accept the request's signatures. */
export async function requireVerified(request: SignedRequest, expected: Expected): Promise<WebhookEvent> {
  const standard = Object.fromEntries(standardNames.map((name) => [name, textOf(request.headers[name])]))
  const { 'x-service-delivery': delivery, 'x-service-event': event } = request.headers
  const specOnly = Object.fromEntries(
    Object.entries(request.headers).filter(([name]) => !standardNames.some((each) => each === name)),
  )
  const verified = verifySync({ body: request.body, headers: specOnly, secret: expected.secret })
  await requireOctokit(request, expected)
  if (verified.type !== event) throw new Error('X-Service-Event is not the event of the body.')
  if (standard['webhook-id'] !== (expected.standard_webhooks ? delivery : '')) {
    throw new Error(`webhook-id is "${standard['webhook-id']}" and X-Service-Delivery "${delivery}".`)
  }
  if (expected.standard_webhooks) requireStandard(request, { headers: standard, secret: expected.secret })
  return verified
}

const textOf = (value: string | string[] | undefined) => String(value ?? '')

/** GitHub's scheme is ours with `sha256=` before the hex digits, so the prefix is added if missing. */
async function requireOctokit({ headers, body }: SignedRequest, { encoding, secret }: Expected): Promise<void> {
  const signature = textOf(headers['x-service-signature'])
  const isAsAsked = { hex: /^[\da-f]{64}$/, 'sha256=hex': /^sha256=[\da-f]{64}$/, base64: /^[\w+/]{43}=$/ }
  if (!isAsAsked[encoding as SignatureEncoding].test(signature)) throw new Error(`${signature} is not ${encoding}.`)
  const hex =
    encoding === 'base64' ? Buffer.from(signature, 'base64').toString('hex') : signature.replace('sha256=', '')
  if (!(await verifyAsOctokit(secret, body.toString(), `sha256=${hex}`))) {
    throw new Error('@octokit/webhooks-methods refuses the signature.')
  }
}

/** The libraries read only `Date`, so it is set to the platform's time while they verify. */
function requireStandard(
  { body, headers: all }: SignedRequest,
  { headers, secret }: { headers: Record<string, string>; secret: string },
): void {
  const sentAtMs = Number(headers['webhook-timestamp']) * 1000
  verifySync({ body, headers: all, secret, requireTimestamp: true, now: () => sentAtMs })
  vi.setSystemTime(sentAtMs)
  try {
    new StandardWebhook(secret).verify(body, headers)
    new SvixWebhook(secret).verify(body, headers)
  } finally {
    vi.useRealTimers()
  }
}
