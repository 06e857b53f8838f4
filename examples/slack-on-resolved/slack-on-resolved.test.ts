import { serviceTest } from '@service/server/vitest'
import { expect } from 'vitest'
import { slackOnResolved } from './slack-on-resolved.ts'

const test = serviceTest({ clock: '2026-01-01T12:00:00Z' })
const url = 'https://app.test/hooks'
const slackUrl = 'https://hooks.slack.test/services/T0/B0/x'

/** A fake Slack that responds with the given statuses, then with 200. */
function startSlack(...statuses: number[]) {
  const messages: string[] = []
  const fetch = async (_: unknown, init?: RequestInit) => {
    const status = statuses.shift() ?? 200
    if (status === 200) messages.push(JSON.parse(String(init?.body)).text)
    return new Response(null, { status })
  }
  return { messages, fetch }
}

test('posts only resolved tickets, with the title as plain text', async ({ server, service }) => {
  const slack = startSlack()
  const { secret } = await server.admin.webhooks.create(service, { url, events: ['ticket.*'] })
  server.webhooks.receive(url, slackOnResolved({ secret, slackUrl, fetch: slack.fetch }))
  const { id, ticket_number } = await server.create.ticket({ title: '<!channel> is loud' })
  await server.admin.tickets.update({ ...service, id }, { status: 'resolved' })
  await server.settled()
  expect(slack.messages).toEqual([`${ticket_number} is resolved: &lt;!channel&gt; is loud`])
})

test('retries while Slack is unavailable', async ({ server, service }) => {
  const slack = startSlack(503, 429)
  const { secret } = await server.admin.webhooks.create(service, { url, events: ['ticket.resolved'] })
  server.webhooks.receive(url, slackOnResolved({ secret, slackUrl, fetch: slack.fetch }))
  const { id } = await server.create.ticket({ title: 'Checkout is down' })
  await server.admin.tickets.update({ ...service, id }, { status: 'resolved' })
  await server.clock.advance('1h')
  expect(slack.messages).toHaveLength(1)
})
