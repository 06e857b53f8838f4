import { type Claim, readClaim, requireAge, requireTolerance } from './claim.ts'
import type { Delivery, ParsedEvent, WebhookEvent } from './event.ts'
import { findHeader } from './header.ts'
import type { VerifyOptions, VerifySyncOptions } from './options.ts'
import { parse } from './parse.ts'
import { toBytes } from './raw-bytes.ts'
import { isSync, matches, toKey } from './runtime.ts'
import { requireSecrets } from './secrets.ts'
import { requireSize } from './size.ts'
import { toStandardKey } from './standard-key.ts'
import { refuse } from './webhook-error.ts'

type Input = Omit<VerifySyncOptions, 'secret'>

/**
 * Verifies a delivery and returns its event. Rejects with `WebhookVerificationError`, whose `status` can be answered.
 *
 * `body` is what came over the wire. Parsed and stringified again it is another text, and the signature will not match.
 *
 * @example
 * const event = await verify({ body: await request.text(), headers: request.headers, secret })
 * if (event.type === 'ticket.created') console.log(event.payload.ticket.title)
 */
export async function verify(options: VerifyOptions): Promise<WebhookEvent> {
  const { secret } = options
  const attempt = begin(options, typeof secret === 'function' ? await secret(options) : secret)
  return conclude(options, attempt, await Promise.all(attempt.results))
}

/** `verify` without waiting, where the runtime can: Node, Bun and Deno. Elsewhere it throws a `TypeError`. */
export function verifySync(options: VerifySyncOptions): WebhookEvent {
  if (!isSync) throw new TypeError('This runtime has no synchronous crypto: call `await verify()` instead.')
  const attempt = begin(options, options.secret)
  return conclude(options, attempt, attempt.results)
}

interface Attempt {
  readonly claim: Claim
  readonly body: Uint8Array
  /** One per secret: whether it matches, or the promise of knowing. */
  readonly results: readonly (boolean | Promise<boolean>)[]
}

function begin({ body: given, headers, ...checks }: Input, secret: unknown): Attempt {
  const secrets = requireSecrets(secret)
  const body = toBytes(given)
  requireTolerance(checks.toleranceSeconds)
  requireSize(body.length, checks.maxBodyBytes)
  const claim = readClaim(headers, checks.requireTimestamp)
  const results = secrets.map((one) =>
    matches(claim.standard ? toStandardKey(one) : toKey(one, 'utf8'), claim.prefix, body, claim.signatures),
  )
  return { claim, body, results }
}

/** Only what the MAC has proven is looked at from here on. */
function conclude(options: Input, attempt: Attempt, results: Attempt['results']): WebhookEvent {
  const { claim, body } = attempt
  const secretIndex = results.indexOf(true)
  if (secretIndex < 0) {
    refuse('no_match', 401, 'No secret matches. Is it the one of this subscription, and is the body what came over the wire?')
  }
  if (claim.standard) {
    const { toleranceSeconds, now = Date.now } = options
    requireAge(claim.standard.sentAtSeconds, requireTolerance(toleranceSeconds), now())
  }
  const event = parse(body)
  requireSameName(event, findHeader(options.headers, 'x-service-event'))
  return { ...event, delivery: toDelivery(options, claim, secretIndex) }
}

/** The header is not signed. The same body under another name would else be a forged event that verifies. */
function requireSameName(event: ParsedEvent, header: string | undefined): void {
  const name = event.type === 'unknown' ? event.name : event.type
  if (header !== undefined && name !== undefined && header !== name) {
    refuse('event_mismatch', 400, 'X-Service-Event names another event than the signed body does.')
  }
}

function toDelivery({ headers }: Input, { standard }: Claim, secretIndex: number): Delivery {
  const attempt = Number(findHeader(headers, 'x-service-attempt'))
  return {
    id: standard?.id ?? findHeader(headers, 'x-service-delivery'),
    attempt: attempt > 0 ? attempt : undefined,
    sentAtSeconds: standard?.sentAtSeconds,
    replayProtected: standard !== undefined,
    secretIndex,
  }
}
