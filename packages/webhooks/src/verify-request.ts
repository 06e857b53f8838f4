import type { WebhookEvent } from './event.ts'
import type { VerifyOptions } from './options.ts'
import type { BodyLimits } from './receiver.ts'
import { readRequest } from './request-body.ts'
import { defaultMaxBodyBytes } from './size.ts'
import { verify } from './verify.ts'

/**
 * `verify` for a fetch `Request` whose body nobody has read.
 *
 * @example
 * const event = await verifyRequest(request, { secret })
 */
export async function verifyRequest(
  request: Request,
  options: Omit<VerifyOptions, 'body' | 'headers'> & Partial<BodyLimits>,
): Promise<WebhookEvent> {
  const { maxBodyBytes = defaultMaxBodyBytes, bodyTimeoutMs = 10_000 } = options
  const body = await readRequest(request, { maxBodyBytes, bodyTimeoutMs })
  return verify({ ...options, body, headers: request.headers })
}
