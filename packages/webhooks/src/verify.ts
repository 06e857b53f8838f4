import { type Claim, readClaim } from './claim.ts'
import type { WebhookEvent } from './event.ts'
import { findHeader } from './header.ts'
import type { VerifyOptions, VerifySyncOptions } from './options.ts'
import { parse } from './parse.ts'
import { toBytes } from './raw-bytes.ts'
import { immediate, matches } from './runtime.ts'
import { keyOf, requireSecrets } from './secrets.ts'
import { requireSize } from './size.ts'
import { requireAge, requireTolerance } from './tolerance.ts'
import { refuse } from './webhook-error.ts'

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
  return conclude(attempt, await Promise.all(attempt.results))
}

/** `verify` without waiting, where the runtime can: Node, Bun and Deno. Elsewhere it throws a `TypeError`. */
export function verifySync(options: VerifySyncOptions): WebhookEvent {
  const attempt = begin(options, options.secret)
  return conclude(attempt, attempt.results.map(immediate<boolean>))
}

interface Attempt {
  readonly options: Omit<VerifySyncOptions, 'secret'>
  readonly claim: Claim
  /** One per secret: whether it matches, or the promise of knowing. */
  readonly results: readonly (boolean | Promise<boolean>)[]
}

function begin(options: Attempt['options'], secret: unknown): Attempt {
  const secrets = requireSecrets(secret)
  const body = toBytes(options.body)
  requireSize(body.length, options.maxBodyBytes)
  const claim = readClaim(options.headers, options.requireTimestamp)
  const signed = { prefix: claim.prefix, body }
  const results = secrets.map((one) => matches(keyOf(one, !!claim.prefix), signed, claim.digests))
  return { options, claim, results }
}

/** Only what the MAC has proven is looked at from here on. */
function conclude({ options, claim }: Attempt, results: readonly boolean[]): WebhookEvent {
  const { headers, toleranceSeconds, now = Date.now } = options
  const { id, sentAtSeconds } = claim
  const secretIndex = results.indexOf(true)
  if (secretIndex < 0) refuse('no_match', 401, 'Another secret, or not the raw body.')
  const replayProtected = sentAtSeconds !== undefined
  if (replayProtected) requireAge(now() / 1000 - sentAtSeconds, requireTolerance(toleranceSeconds))
  const event = parse(options.body)
  const name = findHeader(headers, 'x-service-event')
  // The header is not signed: the same body under another name would be a forged event that verifies.
  if (name && event.name && name !== event.name)
    refuse('event_mismatch', 400, 'X-Service-Event is not the event of the body.')
  const attempt = Number(findHeader(headers, 'x-service-attempt')) || undefined
  const delivery = {
    id: id ?? findHeader(headers, 'x-service-delivery'),
    attempt,
    sentAtSeconds,
    replayProtected,
    secretIndex,
  }
  return { ...event, delivery }
}
