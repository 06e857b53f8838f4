import type { WebhookEvent } from './event.ts'
import type { VerifyOptions } from './options.ts'
import type { BodyLimits } from './read-body.ts'
import { readRequest } from './read-request.ts'
import { verify } from './verify.ts'

/**
 * `verify` for a fetch `Request`. The body must be unread.
 *
 * @example
 * const event = await verifyRequest(request, { secret })
 */
export const verifyRequest = async (
  request: Request,
  options: Omit<VerifyOptions, 'body' | 'headers'> & BodyLimits,
): Promise<WebhookEvent> => verify({ ...options, headers: request.headers, body: await readRequest(request, options) })
