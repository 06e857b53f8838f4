import { createWebhookHandler } from '@service/webhooks'

/** Slack interprets `<…>` as links and mentions. */
const escapeText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Posts each resolved ticket. Throws if Slack does not accept the message, so that the platform retries the delivery. */
export const slackOnResolved = (options: {
  readonly secret: string
  readonly slackUrl: string
  readonly fetch?: typeof fetch
}) =>
  createWebhookHandler({
    secret: options.secret,
    on: {
      'ticket.resolved': async ({ payload: { ticket } }) => {
        const post = options.fetch ?? fetch
        const response = await post(options.slackUrl, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ text: `${ticket.ticket_number} is resolved: ${escapeText(ticket.title)}` }),
          signal: AbortSignal.timeout(10_000), // the platform waits 15 s for a response
        })
        if (!response.ok) throw new Error(`Slack responded with ${response.status}.`)
      },
    },
  })
