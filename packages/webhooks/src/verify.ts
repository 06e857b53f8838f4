import type { WebhookEvent } from './event.ts'
import { findHeader } from './header.ts'
import { requireAge, requireSize } from './limits.ts'
import type { VerifyOptions, VerifySyncOptions } from './options.ts'
import { parse } from './parse.ts'
import { toBytes } from './raw-bytes.ts'
import { immediate, join, matches, textToBytes } from './runtime.ts'
import { requireValid, validate } from './schema.ts'
import { requireSecrets, toKey } from './secrets.ts'
import { readSignatureHeaders } from './signature-headers.ts'
import { refuse } from './webhook-error.ts'

/**
 * Verifies a delivery and returns its event. Rejects with `WebhookVerificationError`; respond with its `status`.
 *
 * `body` is the raw body. A body that was parsed and stringified again does not match the signature.
 *
 * @example
 * const event = await verify({ body: await request.text(), headers: request.headers, secret })
 * if (event.type === 'ticket.created') console.log(event.payload.ticket.title)
 */
export async function verify(options: VerifyOptions): Promise<WebhookEvent> {
  const secret = options?.secret // callers without types forget the options
  const { results, conclude } = begin(options, typeof secret === 'function' ? await secret(options) : secret)
  const event = conclude(await Promise.all(results))
  requireValid(await validate(event, options.schema))
  return event
}

/** Synchronous `verify` for Node, Bun, and Deno. Throws a `TypeError` in other runtimes. */
export function verifySync(options: VerifySyncOptions): WebhookEvent {
  const { results, conclude } = begin(options, options?.secret)
  const event = conclude(results.map(immediate))
  const result = validate(event, options.schema)
  if (result instanceof Promise) throw new TypeError('The schema is asynchronous: use verify')
  requireValid(result)
  return event
}

function begin(options: Omit<VerifySyncOptions, 'secret'>, secret: unknown) {
  const secrets = requireSecrets(secret)
  const { headers, now = Date.now } = options
  const body = toBytes(options.body)
  requireSize(body.length, options.maxBodyBytes)
  const { prefix, digests, id, sentAtSeconds } = readSignatureHeaders(headers, options.requireTimestamp)
  const signed = prefix ? join([textToBytes(prefix), body]) : body
  return {
    /** Whether each secret matches. WebCrypto answers with a promise. */
    results: secrets.map((key): boolean | Promise<boolean> => matches(toKey(key, !!prefix), signed, digests)),
    /** Reads the event if one of the checks passed. */
    conclude(matching: readonly boolean[]): WebhookEvent {
      const secretIndex = matching.indexOf(true)
      if (secretIndex < 0) refuse('no_match', { hint: 'another secret, or not the raw body' })
      const replayProtected = sentAtSeconds !== undefined
      if (replayProtected) requireAge(now() / 1000 - sentAtSeconds, options.toleranceSeconds)
      const event = parse(options.body)
      const name = findHeader(headers, 'x-service-event')
      // The header is not signed, so a recorded body could otherwise pass as another event.
      if (name && event.name && name !== event.name) {
        refuse('event_mismatch', { hint: 'X-Service-Event does not match the body', status: 400 })
      }
      return {
        ...event,
        delivery: {
          id: id ?? findHeader(headers, 'x-service-delivery'),
          attempt: Number(findHeader(headers, 'x-service-attempt')) || undefined,
          sequence: Number(findHeader(headers, 'x-service-sequence')) || undefined,
          sentAtSeconds,
          replayProtected,
          secretIndex,
        },
      }
    },
  }
}
