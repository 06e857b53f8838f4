import { serviceTest } from '@service/server/vitest'
import { expect } from 'vitest'
import { slackOnResolved } from './slack-on-resolved.ts'

const test = serviceTest({ clock: '2026-01-01T12:00:00Z' })
const url = 'https://app.test/hooks'
const slackUrl = 'https://hooks.slack.test/services/T0/B0/x'

/** A stand-in for Slack that answers what it is told, then 200. */
function startSlack(...answers: number[]) {
  const taken: string[] = []
  const fetch = async (_: unknown, init?: RequestInit) => {
    const status = answers.shift() ?? 200
    if (status === 200) taken.push(JSON.parse(String(init?.body)).text)
    return new Response(null, { status })
  }
  return { taken, fetch }
}

test('posts a resolved ticket once, with its title as plain text, and nothing else', async ({ server, service }) => {
  const slack = startSlack()
  const { secret } = await server.admin.webhooks.create(service, { url, events: ['ticket.*'] })
  server.webhooks.receive(url, slackOnResolved({ secret, slackUrl, fetch: slack.fetch }))
  const { id, ticket_number } = await server.create.ticket({ title: '<!channel> is loud' })
  await server.admin.tickets.update({ ...service, id }, { status: 'resolved' })
  await server.settled()
  expect(slack.taken).toEqual([`${ticket_number} is resolved: &lt;!channel&gt; is loud`])
})

test('tries again while Slack is away', async ({ server, service }) => {
  const slack = startSlack(503, 429)
  const { secret } = await server.admin.webhooks.create(service, { url, events: ['ticket.resolved'] })
  server.webhooks.receive(url, slackOnResolved({ secret, slackUrl, fetch: slack.fetch }))
  const { id } = await server.create.ticket({ title: 'Checkout is down' })
  await server.admin.tickets.update({ ...service, id }, { status: 'resolved' })
  await server.clock.advance('1h')
  expect(slack.taken).toHaveLength(1)
})
