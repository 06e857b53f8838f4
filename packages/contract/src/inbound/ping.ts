import * as z from 'zod/mini'

/** The header that carries an inbound secret (§5). */
export const webhookSecretHeader = 'X-Service-Webhook-Secret'
/** The header that carries a device's secret, instead of the workspace's secret (§5). */
export const deviceSecretHeader = 'X-Device-Secret'

/** The fields of every ping response. */
export const pingFields = {
  status: z.string(),
  message: z.string(),
  workspace: z.string(),
  configured: z.boolean(),
  supported_methods: z.array(z.string()),
}

/** What the pings have in common. */
export const ping = { surface: 'inbound', method: 'GET', errorStatuses: [404, 429, 500, 503] } as const
/** What the routes that receive something have in common. */
export const delivery = {
  surface: 'inbound',
  method: 'POST',
  errorStatuses: [401, 404, 413, 415, 422, 429, 500, 503],
} as const

export const pingDescription = 'Says whether the webhook is configured and how to use it. Needs no credentials.'

export const pingExample = { status: 'ok', workspace: '1', configured: true, supported_methods: ['POST'] }
