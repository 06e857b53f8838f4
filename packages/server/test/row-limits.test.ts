import { readFile } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { maxSessions } from '../src/modules/users/session-service.ts'
import { rowLimits } from '../src/store/row-limits.ts'
import { onEveryStore, type Start } from './on-every-store.ts'
import { codeOf, signedIn } from './people.ts'

type Name = keyof typeof rowLimits

/** Lowers a limit for one test, because filling a table takes too long. */
function lower(name: Name, most: number): void {
  const limit = rowLimits[name]
  const usual = limit.most
  Object.assign(limit, { most })
  onTestFinished(() => void Object.assign(limit, { most: usual }))
}

async function startWithWorkspace(start: Start) {
  const server = await start({ encryptionKey: 'a key that is only used in tests, of enough characters' })
  const { id: workspace } = await server.admin.workspaces.create({ name: 'Northwind' })
  const owner = await signedIn(server, 'Owner')
  await server.admin.members.create({ workspace }, { name: 'Owner', email: owner.email, role: 'owner' })
  return { server, admin: server.admin, at: { workspace }, owner }
}

type Site = Awaited<ReturnType<typeof startWithWorkspace>>

const action = { type: 'set_status', status: 'open' } as const

/** Creates the row with this number. */
const creators: Readonly<
  Record<Exclude<Name, 'personal_tokens' | 'delivery_jobs'>, (site: Site, n: number) => Promise<unknown>>
> = {
  webhooks: ({ admin, at }, n) => admin.webhooks.create(at, { url: `https://r${n}.example.com/`, events: ['*'] }),
  tokens: ({ admin, at, owner }) => admin.tokens.create(at, { user_id: owner.id, scopes: ['tickets:read'] }),
  links: ({ admin, owner }) => admin.users.resetPassword({ id: owner.id }),
  rules: ({ admin, at }, n) => admin.rules.create(at, { name: `R${n}`, trigger: 'ticket_created', actions: [action] }),
  sla_policies: ({ admin, at }, n) =>
    admin.slaPolicies.update({ ...at, priority: `p${n}` }, { resolution_minutes: 60 }),
  members: ({ admin, at }, n) => admin.members.create(at, { name: `M${n}`, email: `m${n}@acme.example` }),
  channels: ({ admin, at }, n) => admin.channels.create(at, { name: `c${n}` }),
  devices: ({ admin, at }, n) =>
    admin.devices.create(at, { source_type: 'zkteco', device_name: `D${n}`, external_device_id: `d${n}` }),
  shared_views: ({ admin, at }, n) => admin.sharedViews.create(at, { list: 'tickets', name: `V${n}`, query: 'tag=x' }),
}

/** Does what the refusal advises, with a row that was created. Only time makes room for links. */
const remedies: Readonly<
  Record<Exclude<keyof typeof creators, 'links'>, (site: Site, id: number) => PromiseLike<unknown>>
> = {
  webhooks: ({ admin, at }, id) => admin.webhooks.delete({ ...at, id }),
  tokens: ({ admin, at }, id) => admin.tokens.revoke({ ...at, id }),
  rules: ({ admin, at }, id) => admin.rules.delete({ ...at, id }),
  sla_policies: async ({ admin, at }) => {
    const [policy] = (await admin.slaPolicies.list(at)).data
    await admin.slaPolicies.update({ ...at, priority: policy?.priority ?? '' }, { resolution_minutes: null })
  },
  members: ({ admin, at }, id) => admin.members.delete({ ...at, id }),
  channels: ({ admin, at }, id) => admin.channels.delete({ ...at, id }),
  devices: ({ admin, at }, id) => admin.devices.delete({ ...at, id }),
  shared_views: ({ admin, at }, id) => admin.sharedViews.delete({ ...at, id }),
}

onEveryStore('the number of rows', (start) => {
  test.each(Object.keys(creators) as (keyof typeof creators)[])(
    'of %s is limited, also for concurrent requests, the remedy makes room, and another workspace or person has its own',
    async (name) => {
      const site = await startWithWorkspace(start)
      const other = await site.admin.workspaces.create({ name: 'Elsewhere' })
      const stranger = await signedIn(site.server, 'Stranger')
      await site.admin.members.create({ workspace: other.id }, { name: 'S', email: stranger.email })
      // The owner is a member already.
      lower(name, name === 'members' ? 4 : 3)
      const ids: number[] = []
      const create = async (n: number, of: Site = site) =>
        creators[name](of, n).then(
          (row) => {
            ids.push(Object(row).id)
            return 'created'
          },
          (refused: unknown) => String(Object.values(Object(refused).errors ?? { error: refused })[0]),
        )
      const results = await Promise.all(Array.from({ length: 6 }, (_, n) => create(n)))
      const { rows, owner, remedy, most } = rowLimits[name]
      const sentence = `A ${owner === 'user_id' ? 'person' : 'workspace'} may have ${most} ${rows}. ${remedy}`
      expect(results.toSorted()).toEqual([sentence, sentence, sentence, 'created', 'created', 'created'])
      expect(await create(6, { ...site, at: { workspace: other.id }, owner: stranger })).toBe('created')
      if (name === 'links') return
      expect(await create(7)).toBe(sentence)
      await remedies[name](site, ids[0] ?? 0)
      expect(await create(8)).toBe('created')
    },
  )

  test('of personal tokens and of running jobs is limited', async () => {
    const { server, admin, at, owner } = await startWithWorkspace(start)
    const { createAdminClient } = await import('@service/client/admin')
    const own = createAdminClient({
      baseUrl: `${server.origin}/admin/v1`,
      token: owner.token,
      fetch: server.fetch,
      dangerouslyAllowBrowser: true,
      maxRetries: 0,
    })
    lower('personal_tokens', 2)
    const create = () => own.personalTokens.create({ name: 'T', expires_at: '2999-01-01T00:00:00Z' }).safe()
    const tokens = await Promise.all([create(), create(), create()])
    expect(tokens.filter(({ ok }) => ok)).toHaveLength(2)
    const [created] = tokens.flatMap((each) => (each.ok ? [each.data] : []))
    await own.personalTokens.revoke({ id: created?.id ?? 0 })
    expect((await create()).ok).toBe(true)

    lower('delivery_jobs', 0)
    const { id } = await admin.webhooks.create(at, { url: 'https://receiver.example.com/', events: ['*'] })
    const refused = await admin.webhooks.recover({ ...at, id }, { since: '2026-01-01T00:00:00Z' }).safe()
    expect(refused).toMatchObject({ ok: false, error: { status: 422 } })
  })

  test('of sessions is limited by ending the oldest', async () => {
    const { server, admin, owner } = await startWithWorkspace(start)
    const openSession = async () => {
      const { link } = await admin.users.signInLink({ id: owner.id })
      return (await admin.sessions.createByLink({ code: codeOf(link) })).token
    }
    const next = await openSession()
    for (let count = 1; count < maxSessions; count += 1) await openSession()
    const statusOf = async (token: string) => {
      const headers = { authorization: `Bearer ${token}` }
      return (await server.fetch(new URL('/admin/v1/users/me', server.origin), { headers })).status
    }
    expect([await statusOf(owner.token), await statusOf(next)]).toEqual([401, 200])
  })
})

test('the limits are those of the documentation', async () => {
  const page = await readFile(new URL('../../../docs/guides/limits.md', import.meta.url), 'utf8')
  for (const { owner, most, rows } of Object.values(rowLimits)) {
    const whose = owner === 'user_id' ? 'person' : 'workspace'
    expect(page).toContain(`| ${rows} | ${most.toLocaleString('en')} for each ${whose} |`)
  }
  expect(page).toContain(`| sign-in sessions | ${maxSessions} for each person |`)
})
