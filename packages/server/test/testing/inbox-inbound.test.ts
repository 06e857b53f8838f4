import { expect, onTestFinished, test } from 'vitest'
import { createTestServer, type InboundRequest, type InboundSender } from '../../src/testing/entries/testing.ts'
import { seedWorkspace } from '../workspace.ts'

const noon = '2026-01-01T12:00:00Z'
const push = {
  ref: 'refs/heads/main',
  repository: { id: 7, full_name: 'acme/shop' },
  pusher: { name: 'ada' },
  commits: [{ id: 'a'.repeat(40), message: 'Fix it', author: { name: 'Ada' } }],
}
const gitSecrets = { github: 'secret of GitHub', bitbucket: 'secret of Bitbucket', gitlab: 'token of GitLab' } as const
const gitlabKey = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

async function start() {
  const server = await createTestServer({ clock: noon })
  onTestFinished(() => server.close())
  const workspace = (await seedWorkspace(server)).workspace.id
  const workspace_id = workspace
  const { integrations, leadSources } = server.admin
  for (const provider of ['github', 'bitbucket', 'gitlab'] as const) {
    await integrations.update({ workspace, integration: provider }, { enabled: true, secret: gitSecrets[provider] })
  }
  const issued = async (kind: 'errors' | 'attendance') =>
    (await integrations.rotateSecret({ workspace, integration: kind })).secret
  for (const source of ['website', 'facebook', 'linkedin'])
    await leadSources.update({ workspace, source }, { enabled: true })
  await leadSources.update({ workspace, source: 'facebook' }, { secret: 'secret of Meta, long enough' })
  await leadSources.update({ workspace, source: 'linkedin' }, { secret: 'secret of LinkedIn, long enough' })
  const secrets: Record<string, string> = {
    ...gitSecrets,
    errors: await issued('errors'),
    'leads/website': (await leadSources.rotateSecret({ workspace, source: 'website' })).secret,
    'leads/facebook': 'secret of Meta, long enough',
    'leads/linkedin': 'secret of LinkedIn, long enough',
  }
  const send = async (sender: InboundSender, delivery: Partial<InboundRequest> = {}) => {
    const request = server.webhooks.inbound(sender, {
      workspace: workspace_id,
      body: push,
      secret: secrets[sender],
      ...delivery,
    })
    return (await server.fetch(request)).status
  }
  return { server, workspace_id, send }
}

const senders: readonly InboundSender[] = [
  'github',
  'bitbucket',
  'gitlab',
  'errors',
  'leads/website',
  'leads/facebook',
  'leads/linkedin',
]

test.each(senders)(
  'a delivery of %s is accepted if signed, and rejected with another secret or none',
  async (sender) => {
    const { send } = await start()
    expect(await send(sender)).toBeLessThan(300)
    expect(await send(sender, { secret: 'another secret' })).toBe(401)
    expect(await send(sender, { secret: undefined })).toBe(401)
  },
)

test('a delivery with an old signature is rejected', async () => {
  const { server, workspace_id, send } = await start()
  await server.admin.integrations.update(
    { workspace: workspace_id, integration: 'gitlab' },
    { enabled: true, secret: gitlabKey },
  )
  const signed = { secret: gitlabKey }
  expect(await send('gitlab', { ...signed, at: '2026-01-01T11:56:00Z' })).toBe(200)
  expect(await send('gitlab', { ...signed, at: '2026-01-01T11:54:00Z' })).toBe(401)
  expect(await send('gitlab', { ...signed, at: '2026-01-01T12:06:00Z' })).toBe(401)
})

test('a repeated delivery is stored once', async () => {
  const { server, workspace_id, send } = await start()
  const statuses = [await send('github', { deliveryId: 'one' }), await send('github', { deliveryId: 'one' })]
  expect(statuses).toEqual([200, 200])
  expect((await server.admin.activities.list({ workspace: workspace_id })).data).toHaveLength(1)
})

test('a body that was changed after signing is rejected', async () => {
  const { server, workspace_id } = await start()
  const request = server.webhooks.inbound('github', { workspace: workspace_id, body: push, secret: gitSecrets.github })
  const body = JSON.stringify({ ...push, ref: 'refs/heads/other' })
  const { status } = await server.fetch(request.url, { method: 'POST', headers: request.headers, body })
  expect(status).toBe(401)
})
