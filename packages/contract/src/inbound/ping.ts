import * as z from 'zod/mini'
import type { RefusalStatus } from '../route.ts'

/** The header that carries an inbound secret (§5). */
export const webhookSecretHeader = 'X-Service-Webhook-Secret'
/** The header that carries one device's own secret, in place of the workspace's (§5). */
export const deviceSecretHeader = 'X-Device-Secret'

/** What every ping answers. */
export const pingFields = {
  status: z.string(),
  message: z.string(),
  workspace: z.string(),
  configured: z.boolean(),
  supported_methods: z.array(z.string()),
}

export const pingRefusals = [404, 429, 500, 503] as const satisfies readonly RefusalStatus[]
export const deliveryRefusals = [401, 404, 413, 422, 429, 500, 503] as const satisfies readonly RefusalStatus[]

export const pingDescription = 'Says whether the webhook is configured and how to use it. Needs no credentials.'

export const pingExample = { status: 'ok', workspace: '1', configured: true, supported_methods: ['POST'] }
