import { type Service, serviceTest } from '@service/server/vitest'
import { expect } from 'vitest'
import { createBridge } from './bridge.ts'
import { startGitHub } from './fake-github.ts'
import { createGitHub } from './github.ts'

const test = serviceTest({ clock: '2026-01-01T12:00:00Z' })
const url = 'https://bridge.test/tickets'
const gitHubSecret = 'the secret of GitHub'
const repository = 'northwind/shop'

async function start(service: Service) {
  const { server, workspace } = service
  const at = { workspace, integration: 'github' } as const
  await server.admin.integrations.update(at, { enabled: true, open_tickets: true, secret: gitHubSecret })
  const { secret } = await server.admin.webhooks.create(service, { url, events: ['ticket.created', 'ticket.resolved'] })
  const gitHub = startGitHub({ secret: gitHubSecret, repository })
  const { fromTickets, fromGitHub } = createBridge({
    admin: server.admin,
    workspace,
    secret,
    github: createGitHub({ repository, token: 'a token', fetch: gitHub.api }),
    forward: async (request) =>
      service.fetch(service.baseUrl.replace('/api/v1', `/api/webhooks/${workspace}/github`), {
        method: 'POST',
        headers: request.headers,
        body: await request.arrayBuffer(),
      }),
    issues: new Map(),
  })
  server.webhooks.receive(url, fromTickets)
  gitHub.addReceiver(fromGitHub)
  const tickets = async () => (await server.admin.tickets.list({ workspace })).data
  return { gitHub, fromGitHub, tickets }
}

test('creates one ticket for an issue, and closes the issue when the ticket is resolved', async ({
  server,
  service,
}) => {
  const { gitHub, tickets } = await start(service)
  await gitHub.open('Checkout fails with a coupon', 'Since this morning.')
  await server.settled()
  const [ticket, ...others] = await tickets()
  expect([ticket?.title, others, gitHub.written]).toEqual(['Checkout fails with a coupon', [], []])

  await server.admin.tickets.update({ ...service, id: ticket?.id ?? 0 }, { status: 'resolved' })
  await server.settled()
  expect(gitHub.issues.map(({ state }) => state)).toEqual(['closed'])
  expect(gitHub.written).toEqual(['PATCH'])
  expect(await tickets()).toHaveLength(1)
})

test('creates one issue for a ticket, and resolves the ticket when the issue is closed', async ({
  server,
  service,
}) => {
  const { gitHub, tickets } = await start(service)
  const { ticket_number } = await server.create.ticket({ title: 'The export has no tax' })
  await server.settled()
  const [issue, ...others] = gitHub.issues
  expect([issue?.title, issue?.body.includes(ticket_number), others]).toEqual(['The export has no tax', true, []])
  expect(await tickets()).toHaveLength(1)

  if (issue !== undefined) await gitHub.close(issue)
  await server.settled()
  expect((await tickets()).map(({ status }) => status)).toEqual(['resolved'])
  expect(gitHub.written).toEqual(['POST'])
})

test('refuses a delivery with a wrong signature', async ({ service }) => {
  const { fromGitHub, tickets } = await start(service)
  const forger = startGitHub({ secret: 'a guess', repository })
  forger.addReceiver(fromGitHub)
  await expect(forger.open('Pay me', '')).rejects.toThrow('The bridge responded with 401.')
  expect(await tickets()).toEqual([])
})
