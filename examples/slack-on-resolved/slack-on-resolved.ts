import { createWebhookHandler } from '@service/webhooks'

/** Slack takes `<…>` for links and mentions. */
const plain = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Posts each resolved ticket. It throws when Slack does not take it, so that the event is delivered again. */
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
          body: JSON.stringify({ text: `${ticket.ticket_number} is resolved: ${plain(ticket.title)}` }),
          signal: AbortSignal.timeout(10_000), // the platform waits 15 s for our answer
        })
        if (!response.ok) throw new Error(`Slack answered ${response.status}.`)
      },
    },
  })
