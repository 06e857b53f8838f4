import type { GitProvider } from '@service/client/inbound'
import { expect, test } from 'vitest'
import { manualClock } from '../manual-clock.ts'
import { onEveryStore } from '../on-every-store.ts'
import { onDisk, startWithTables } from '../tables.ts'
import { call, queued } from '../workspace.ts'
import { everyRow } from './all-rows.ts'
import { encryptionKey, inboundOf, siteIn, startOpenSite, startSite } from './inbound-site.ts'

const issue = (number: number) => ({
  number,
  title: `Checkout fails <b>${number}</b> @ada`,
  html_url: `https://github.com/acme/shop/issues/${number}`,
  body: 'Steps:\n\n<script>alert(1)</script> @everyone',
  user: { login: 'grace' },
})
const repository = { id: 7, full_name: 'acme/shop', html_url: 'https://github.com/acme/shop' }
const opened = (number = 12) => ({ action: 'opened', issue: issue(number), repository, sender: { login: 'grace' } })

const gitlabIssue = (action: string, iid = 3) => ({
  object_kind: 'issue',
  user: { username: 'root', name: 'Administrator' },
  project: { id: 5, path_with_namespace: 'acme/api', web_url: 'https://gitlab.example/acme/api' },
  object_attributes: {
    iid,
    title: 'Slow query',
    description: 'It takes minutes.',
    url: `https://gitlab.example/acme/api/-/issues/${iid}`,
    action,
    state: 'opened',
  },
})

const bitbucketIssue = {
  actor: { display_name: 'Emma', nickname: 'emma' },
  repository: { full_name: 'acme/web', uuid: '{1}', links: { html: { href: 'https://bitbucket.org/acme/web' } } },
  issue: {
    id: 9,
    title: 'Typo',
    content: { raw: 'In the footer.' },
    links: { html: { href: 'https://bitbucket.org/acme/web/issues/9' } },
    reporter: { display_name: 'Emma', nickname: 'emma' },
  },
}

onEveryStore('a Git delivery', (start) => {
  test('of an opened issue creates one activity and one ticket with its number, title, link, text, and author', async () => {
    const { server, workspace, workspaceId, inbound } = await startOpenSite(start)
    const receipts = [
      await inbound.git.send('github', 'issues', opened()),
      await inbound.git.send('gitlab', 'Issue Hook', gitlabIssue('open')),
      await inbound.git.send('bitbucket', 'issue:created', bitbucketIssue),
    ]
    expect(receipts).toEqual([
      { received: true, event: 'issues', stored: 1, ticket_created: true, ticket_number: 'TKT-00001' },
      { received: true, event: 'Issue Hook', stored: 1, ticket_created: true, ticket_number: 'TKT-00002' },
      { received: true, event: 'issue:created', stored: 1, ticket_created: true, ticket_number: 'TKT-00003' },
    ])
    const tickets = (await server.admin.tickets.list({ workspace: workspaceId })).data
    expect(tickets.map(({ title, category }) => [title, category])).toEqual([
      ['Typo', 'git_issue'],
      ['Slow query', 'git_issue'],
      ['Checkout fails <b>12</b> @ada', 'git_issue'],
    ])
    expect((await server.admin.activities.list({ workspace: workspaceId })).data).toMatchObject([
      { provider: 'bitbucket', kind: 'issue', actor: 'Emma', repository: 'acme/web' },
      { provider: 'gitlab', kind: 'issue', actor: 'root', repository: 'acme/api' },
      { provider: 'github', kind: 'issue', actor: 'grace', repository: 'acme/shop', url: issue(12).html_url },
    ])
    expect(await queued(server, workspace)).toMatchObject([1, 2, 3].map(() => ({ event: 'ticket.created' })))
  })

  test('of an issue with the longest text creates a ticket that can be saved as it is', async () => {
    const { server, workspaceId, inbound } = await startOpenSite(start)
    const long = { ...opened(), issue: { ...issue(12), body: 'é'.repeat(65_535) } }
    await inbound.git.send('github', 'issues', long)
    const at = { workspace: workspaceId, id: 1 }
    const { description } = await server.admin.tickets.get(at)
    expect(description).toMatch(/^é+\n\nOpened as acme\/shop#12 on github by grace\.\n\nhttps:\S+$/)
    await server.admin.tickets.update(at, { description })
    expect((await server.admin.tickets.get(at)).description).toBe(description)
  })

  test('creates no ticket if the integration has tickets off', async () => {
    const site = await startSite(start)
    const workspace_id = site.workspaceId
    await site.server.admin.integrations.update({ workspace: workspace_id, integration: 'github' }, { enabled: true })
    const receipt = await inboundOf(site).git.send('github', 'issues', opened())
    expect(receipt).toEqual({ received: true, event: 'issues', stored: 1, ticket_created: false })
    expect((await site.server.admin.tickets.list({ workspace: workspace_id })).data).toEqual([])
  })

  test('of a push creates one activity per commit', async () => {
    const { server, workspaceId, inbound } = await startOpenSite(start)
    const commits = ['a1', 'b2', 'c3'].map((id) => ({
      id: id.repeat(20),
      message: `Fix ${id}\n\nmore`,
      author: { name: 'Ada' },
    }))
    const push = { ref: 'refs/heads/main', commits, repository, pusher: { name: 'ada' } }
    expect(await inbound.git.send('github', 'push', push)).toMatchObject({ stored: 3, ticket_created: false })
    const activities = (await server.admin.activities.list({ workspace: workspaceId })).data
    expect(activities.map(({ kind, commit_sha }) => [kind, commit_sha])).toEqual(
      commits.map(({ id }) => ['commit', id]).toReversed(),
    )
  })

  test.each([
    ['github', 'ping', { zen: 'Keep it logically awesome.', hook_id: 1 }],
    ['github', 'never_heard_of', { action: 'spun', repository, sender: { login: 'ada' } }],
    ['github', 'issues', { action: 'opened', issue: null, repository: null, sender: null }],
    ['gitlab', 'Future Hook', { object_kind: 'future', project: null, user: null }],
    ['bitbucket', 'diagnostics:ping', { test: true }],
    ['bitbucket', 'pr:opened', { eventKey: 'pr:opened', actor: { name: 'admin' }, pullRequest: { id: 1, title: 'T' } }],
  ] as const)('of %s, %s, is taken and makes one entry and no ticket', async (provider, event, payload) => {
    const { server, workspaceId, inbound } = await startOpenSite(start)
    const receipt = await inbound.git.send(provider, event, payload)
    expect(receipt).toEqual({ received: true, event, stored: 1, ticket_created: false })
    expect((await server.admin.tickets.list({ workspace: workspaceId })).data).toEqual([])
    expect((await server.admin.inboundDeliveries.list({ workspace: workspaceId })).data).toMatchObject([
      { integration: provider, status: 200, summary: event },
    ])
  })

  test.each([
    ['github', 'issues', opened(), { ...opened(), repository: { id: 8, full_name: 'acme/site' } }],
    ['gitlab', 'Issue Hook', gitlabIssue('open'), { ...gitlabIssue('open'), project: { id: 6, name: 'site' } }],
    [
      'bitbucket',
      'issue:created',
      bitbucketIssue,
      { ...bitbucketIssue, repository: { full_name: 'acme/site', uuid: '{2}' } },
    ],
  ] as const)(
    'of %s without the addresses of its issue and repository opens no second ticket',
    async (provider, event, issue, other) => {
      const { inbound } = await startOpenSite(start)
      const withoutAddresses = (payload: object) =>
        JSON.parse(
          JSON.stringify(payload, (name, value) =>
            ['html_url', 'web_url', 'url', 'links'].includes(name) ? undefined : value,
          ),
        )
      const usual = JSON.parse(JSON.stringify(issue).replaceAll('gitlab.example', 'gitlab.com'))
      const isOpened = async (payload: object) => (await inbound.git.send(provider, event, payload)).ticket_created
      expect(await isOpened(usual)).toBe(true)
      expect(await isOpened(withoutAddresses(issue))).toBe(false)
      expect(await isOpened(withoutAddresses(other))).toBe(true)
    },
  )

  test('in the charset of its content type is stored in the same words', async () => {
    const { server, workspaceId } = await startOpenSite(start)
    const path = `/api/webhooks/${workspaceId}/github`
    const headers = { 'x-github-event': 'issues', 'content-type': 'application/json; charset=iso-8859-1' }
    const body = Uint8Array.from(
      Buffer.from(JSON.stringify({ ...opened(), issue: { ...issue(12), title: 'Größe' } }), 'latin1'),
    )
    expect((await call(server, { method: 'POST', path, headers, body })).status).toBe(200)
    expect((await server.admin.tickets.list({ workspace: workspaceId })).data).toMatchObject([{ title: 'Größe' }])
  })

  test('in a form is read like the same delivery in JSON', async () => {
    const { server, workspaceId, inbound } = await startOpenSite(start)
    const form = await inbound.git.send('github', 'issues', opened(1), { form: true })
    const json = await inbound.git.send('github', 'issues', opened(2))
    expect([form, json].map(({ stored, ticket_created }) => [stored, ticket_created])).toEqual([
      [1, true],
      [1, true],
    ])
    const [second, first] = (await server.admin.activities.list({ workspace: workspaceId })).data
    const common = ({ id: _, ...entry }: NonNullable<typeof first>) =>
      JSON.parse(JSON.stringify({ ...entry, created_at: null }).replaceAll(/(?<=issues\/|#|<b>)\d/g, 'N'))
    expect(first && common(first)).toEqual(second && common(second))
  })

  test.each([
    ['github', 'issues', opened(), {}],
    ['gitlab', 'Issue Hook', gitlabIssue('open'), { headers: { 'X-Gitlab-Event-UUID': 'changes' } }],
    ['bitbucket', 'issue:created', bitbucketIssue, { headers: { 'X-Attempt-Number': '2' } }],
  ] as const)('of %s that comes again is answered and changes nothing', async (provider, event, payload, again) => {
    const { server, workspaceId, inbound } = await startOpenSite(start)
    const id = { deliveryId: 'd4f5-1' }
    expect(await inbound.git.send(provider, event, payload, id)).toMatchObject({ stored: 1, ticket_created: true })
    expect(await inbound.git.send(provider, event, payload, { ...id, ...again })).toEqual({
      received: true,
      event,
      stored: 0,
      ticket_created: false,
    })
    expect((await server.admin.activities.list({ workspace: workspaceId })).data).toHaveLength(1)
    expect((await server.admin.tickets.list({ workspace: workspaceId })).data).toHaveLength(1)
  })

  test('that arrives 20 times at once creates one activity and one ticket', async () => {
    const { server, workspace, workspaceId, inbound } = await startOpenSite(start)
    const sending = Array.from({ length: 20 }, () =>
      inbound.git.send('github', 'issues', opened(), { deliveryId: 'one' }),
    )
    const receipts = await Promise.all(sending)
    expect(receipts.filter(({ stored }) => stored === 1)).toHaveLength(1)
    expect(receipts.filter(({ ticket_created }) => ticket_created)).toHaveLength(1)
    expect((await server.admin.activities.list({ workspace: workspaceId })).data).toHaveLength(1)
    expect((await server.admin.tickets.list({ workspace: workspaceId })).data).toHaveLength(1)
    expect(await queued(server, workspace)).toHaveLength(1)
  })

  test('of GitLab is deduplicated by its own key, not by the id that several deliveries share', async () => {
    const { server, workspaceId, inbound } = await startOpenSite(start)
    const headers = { 'X-Gitlab-Event-UUID': 'the-same' }
    await inbound.git.send('gitlab', 'Issue Hook', gitlabIssue('open'), { headers })
    await inbound.git.send(
      'gitlab',
      'Note Hook',
      { object_kind: 'note', object_attributes: { note: 'Hi' } },
      { headers },
    )
    expect((await server.admin.activities.list({ workspace: workspaceId })).data).toHaveLength(2)
  })

  test('of one issue creates one ticket, in any order and after any number of repeats', async () => {
    const { server, workspaceId, inbound } = await startOpenSite(start)
    const about = (action: string) => inbound.git.send('github', 'issues', { ...opened(), action })
    const comment = {
      action: 'created',
      comment: { body: 'Me too' },
      issue: { ...issue(12), pull_request: {} },
      repository,
    }
    const created = [
      await about('labeled'),
      await about('opened'),
      await about('opened'),
      await about('edited'),
      await about('closed'),
      await about('reopened'),
      await about('transferred'),
      await inbound.git.send('github', 'issue_comment', comment),
      await inbound.git.send('gitlab', 'Issue Hook', gitlabIssue('reopen')),
      await inbound.git.send('gitlab', 'Issue Hook', gitlabIssue('update')),
    ].map(({ ticket_created }) => ticket_created)
    expect(created).toEqual([false, true, ...Array(8).fill(false)])
    expect((await server.admin.tickets.list({ workspace: workspaceId })).data).toHaveLength(1)
  })

  test('is stored per workspace', async () => {
    const site = await startOpenSite(start)
    const other = await siteIn(site.server, site.clock, 'Other')
    await site.server.admin.integrations.update(
      { workspace: other.workspaceId, integration: 'github' },
      { enabled: true, open_tickets: true },
    )
    const id = { deliveryId: 'same' }
    expect(await site.inbound.git.send('github', 'issues', opened(), id)).toMatchObject({ ticket_created: true })
    expect(await inboundOf(other).git.send('github', 'issues', opened(), id)).toMatchObject({ ticket_created: true })
    expect((await site.server.admin.activities.list({ workspace: other.workspaceId })).data).toHaveLength(1)
  })

  test('keeps unusual text except characters that a database rejects, and cuts a title between characters', async () => {
    const { server, workspaceId, inbound } = await startOpenSite(start)
    const title = `\u0000\uD800${'😀'.repeat(400)}`
    await inbound.git.send('github', 'issues', { ...opened(), issue: { ...issue(1), title } })
    const [ticket] = (await server.admin.tickets.list({ workspace: workspaceId })).data
    expect(ticket?.title).toMatch(/^\uFFFD(?:😀){254}$/u)
  })

  test('of Gogs is read under its own header names', async () => {
    const { server, workspaceId } = await startOpenSite(start)
    const headers = { 'x-gogs-event': 'issues', 'x-gogs-delivery': 'g-7' }
    const path = `/api/webhooks/${workspaceId}/github`
    const { status, body } = await call(server, { method: 'POST', path, body: opened(), headers })
    expect([status, body]).toMatchObject([200, { event: 'issues', ticket_created: true }])
  })

  test('is refused without its event header, or with a body that is not a JSON object', async () => {
    const { server, workspaceId } = await startOpenSite(start)
    const path = `/api/webhooks/${workspaceId}/github`
    const post = (body: string, headers: Record<string, string>) =>
      call(server, { method: 'POST', path, body, headers })
    const event = { 'x-github-event': 'push' }
    const form = { ...event, 'content-type': 'application/x-www-form-urlencoded' }
    const statuses = [
      await post('{}', {}),
      await post('{', event),
      await post('[]', event),
      await post('"text"', event),
      await post('payload=%7B', form),
      await post('other=1', form),
      await post(`{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`, event),
    ].map(({ status }) => status)
    expect(statuses).toEqual(Array(7).fill(422))
    // Nothing is said about a delivery before its credential is verified.
    await server.admin.integrations.rotateSecret({ workspace: workspaceId, integration: 'github' })
    expect([await post('{}', {}), await post('{', event)]).toMatchObject([{ status: 401 }, { status: 401 }])
    expect((await server.admin.activities.list({ workspace: workspaceId })).data).toEqual([])
  })

  test('treats keys such as __proto__ as data', async () => {
    const { server, workspaceId } = await startOpenSite(start)
    const body =
      '{"__proto__":{"action":"opened"},"constructor":{"prototype":{"polluted":1}},"issue":{"__proto__":{"number":1}}}'
    const path = `/api/webhooks/${workspaceId}/github`
    const answer = await call(server, { method: 'POST', path, body, headers: { 'x-github-event': 'issues' } })
    expect(answer).toMatchObject({ status: 200, body: { stored: 1, ticket_created: false } })
    expect(Object(Object.prototype)).not.toHaveProperty('polluted')
  })

  test('gets a 404 response if the provider is disabled', async () => {
    const site = await startSite(start)
    const { git } = inboundOf(site)
    expect(await git.send('github', 'push', {}).safe()).toMatchObject({ error: { code: 'not_found' } })
    const workspace_id = site.workspaceId
    await site.server.admin.integrations.update({ workspace: workspace_id, integration: 'github' }, { enabled: true })
    expect((await git.send('github', 'push', {}).safe()).ok).toBe(true)
    await site.server.admin.integrations.update({ workspace: workspace_id, integration: 'github' }, { enabled: false })
    expect(await git.send('github', 'push', {}).safe()).toMatchObject({ error: { code: 'not_found' } })
    expect(await site.server.admin.activities.list({ workspace: workspace_id }, { limit: 200 }).all()).toHaveLength(1)
  })
})

const standardSecret = `whsec_${Buffer.from('a signing key of GitLab').toString('base64')}`

onEveryStore(
  'a signed Git delivery',
  (_, store) => {
    async function startSigned(provider: GitProvider, secret: string) {
      const clock = manualClock()
      const { server, tables } = await startWithTables(store, { clock, rateLimit: 'off', encryptionKey })
      const site = await siteIn(server, clock)
      await server.admin.integrations.update(
        { workspace: site.workspaceId, integration: provider },
        { enabled: true, open_tickets: true, secret },
      )
      const inbound = inboundOf(site, { secrets: { git: { [provider]: secret } } })
      const rows = () => everyRow(tables, store)
      return { ...site, inbound, rows, send: inbound.git.send }
    }

    test.each([
      ['github', 'issues', opened(), 'a secret'],
      ['gitlab', 'Issue Hook', gitlabIssue('open'), 'a-token'],
      ['gitlab', 'Issue Hook', gitlabIssue('open'), standardSecret],
      ['bitbucket', 'issue:created', bitbucketIssue, 'a secret'],
    ] as const)(
      'of %s is accepted only with the correct secret, and otherwise leaves no row',
      async (provider, event, payload, secret) => {
        const { inbound, rows } = await startSigned(provider, secret)
        const before = await rows()
        const wrong = secret.startsWith('whsec_') ? standardSecret.replace('whsec_Y', 'whsec_Z') : `${secret}x`
        const refusals = [
          await inbound.git.send(provider, event, payload, { secret: wrong }).safe(),
          await inbound.git.send(provider, event, payload, { secret: null }).safe(),
        ]
        for (const refusal of refusals) {
          expect(refusal).toMatchObject({ ok: false, error: { code: 'authentication', status: 401 } })
        }
        expect(await rows()).toEqual(before)
        expect(await inbound.git.send(provider, event, payload)).toMatchObject({ stored: 1, ticket_created: true })
        expect(await rows()).not.toEqual(before)
      },
    )

    test('with a modified, truncated, outdated, or repeated signature is refused and leaves no row', async () => {
      const { server, workspaceId, clock, rows } = await startSigned('github', 'a secret')
      const body = JSON.stringify(opened())
      const good = await signatureOf(clock, body)
      const flipped = good.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))
      const signatures = [
        flipped,
        good.slice(0, -1),
        `${good}0`,
        good.toUpperCase(),
        good.slice('sha256='.length),
        '',
        'sha256=',
        good.replace('sha256', 'sha1'),
        `${good}, ${good}`,
      ]
      const before = await rows()
      const path = `/api/webhooks/${workspaceId}/github`
      const post = (signature: string, text = body) =>
        call(server, {
          method: 'POST',
          path,
          body: text,
          headers: { 'x-github-event': 'issues', 'x-hub-signature-256': signature },
        })
      for (const signature of signatures) expect([signature, (await post(signature)).status]).toEqual([signature, 401])
      expect((await post(good, body.replace('Steps', 'Stops'))).status).toBe(401)
      expect(await rows()).toEqual(before)
      expect((await post(good)).status).toBe(200)
    })

    test("with GitLab's signature is refused if it is older than five minutes or has another id", async () => {
      const { send, clock, rows, server, workspaceId } = await startSigned('gitlab', standardSecret)
      const before = await rows()
      const late = inboundOf({ server, workspaceId, clock: { ...clock, now: () => clock.now() - 301_000_000 } })
      const options = { secret: standardSecret }
      expect(await late.git.send('gitlab', 'Issue Hook', {}, options).safe()).toMatchObject({ error: { status: 401 } })
      const tampered = inboundOf(
        { server, workspaceId, clock },
        {
          fetch: (url, init) => server.fetch(url, { ...init, headers: { ...init.headers, 'webhook-id': 'another' } }),
        },
      )
      expect(await tampered.git.send('gitlab', 'Issue Hook', {}, options).safe()).toMatchObject({
        error: { status: 401 },
      })
      expect(await rows()).toEqual(before)
      const second = inboundOf(
        { server, workspaceId, clock },
        {
          fetch: (url, init) => {
            const request = new Request(url, init)
            request.headers.set(
              'webhook-signature',
              `v1,${'A'.repeat(43)}= ${request.headers.get('webhook-signature')}`,
            )
            return server.fetch(request)
          },
        },
      )
      expect((await second.git.send('gitlab', 'Issue Hook', {}, options).safe()).ok).toBe(true)
      expect((await send('gitlab', 'Issue Hook', {}).safe()).ok).toBe(true)
    })
  },
  onDisk,
)

/** The client's signature of this body. */
async function signatureOf(clock: { now(): number }, body: string): Promise<string> {
  let signature = ''
  const fetch = async (_url: string, { headers }: RequestInit) => {
    signature = new Headers(headers).get('x-hub-signature-256') ?? ''
    return Response.json({})
  }
  const inbound = inboundOf({ server: { fetch } as never, clock, workspaceId: 1 } as never, { fetch })
  await inbound.git.send('github', 'issues', body, { secret: 'a secret' }).safe()
  return signature
}
