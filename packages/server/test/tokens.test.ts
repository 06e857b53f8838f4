import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { manualClock } from './manual-clock.ts'
import { onEveryStore, onEveryTestStore } from './on-every-store.ts'
import { onDisk, startWithTables } from './tables.ts'
import { call, seedWorkspace } from './workspace.ts'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

function fromBase62(text: string): bigint {
  return [...text].reduce((value, digit) => value * 62n + BigInt(digits.indexOf(digit)), 0n)
}

onEveryStore('a created token', (start) => {
  test('names its workspace, has at least 40 random characters, and ends with a CRC-32', async () => {
    const server = await start()
    const seeded = [await seedWorkspace(server, { name: 'Acme' }), await seedWorkspace(server, { name: 'Umbrella' })]
    for (const { token, workspace } of seeded) {
      const [, id, random = '', checksum = ''] = /^service_(\d+)_([0-9A-Za-z]{40,})([0-9A-Za-z]{6})$/.exec(token) ?? []
      expect(Number(id)).toBe(workspace.id)
      expect(fromBase62(checksum)).toBe(BigInt(crc32(`${id}_${random}`)))
      expect(fromBase62(random).toString(2).length).toBeGreaterThan(200)
    }
    expect(new Set(seeded.map(({ token }) => token)).size).toBe(2)
  })

  test('is shown once: later responses contain only its last four characters', async () => {
    const server = await start()
    const { workspace, token } = await seedWorkspace(server)
    const [listed] = (await server.admin.tokens.list({ workspace: workspace.id })).data.toReversed()
    const revoked = await server.admin.tokens.revoke({ workspace: workspace.id, id: listed?.id ?? 0 })
    expect(JSON.stringify([listed, revoked])).not.toContain(token.slice(-5))
    expect(listed).toMatchObject({ hint: token.slice(-4), revoked_at: null, expires_at: null, last_used_at: null })
  })

  test('needs a member of the workspace and at least one known scope', async () => {
    const server = await start()
    const acme = await seedWorkspace(server, { name: 'Acme' })
    const umbrella = await seedWorkspace(server, { name: 'Umbrella' })
    const inAcme = { workspace: acme.workspace.id }
    const token = { user_id: acme.member.id, scopes: ['tickets:read' as const] }
    await expect(server.admin.tokens.create(inAcme, { ...token, user_id: umbrella.member.id })).rejects.toMatchObject({
      code: 'validation',
      errors: { user_id: ['The user_id field must be a member of the workspace.'] },
    })
    // Types do not stop JavaScript callers.
    const scopes = ['tickets:delete'] as never
    await expect(server.admin.tokens.create(inAcme, { ...token, scopes })).rejects.toMatchObject({ code: 'validation' })
    await expect(server.admin.tokens.create(inAcme, { ...token, scopes: [] })).rejects.toMatchObject({
      code: 'validation',
      errors: { scopes: ['The scopes field must be at least 1 items.'] },
    })
    expect((await server.admin.tokens.list(inAcme)).data).toHaveLength(1)
  })
})

onEveryStore(
  'the database',
  (_start, store) => {
    test('stores only the SHA-256 of tokens and secrets', async () => {
      const { server, tables } = await startWithTables(store)
      const { workspace, token } = await seedWorkspace(server)
      const workspace_id = workspace.id
      const { secret: errors } = await server.admin.integrations.rotateSecret({
        workspace: workspace_id,
        integration: 'errors',
      })
      await server.admin.leadSources.update({ workspace: workspace_id, source: 'website' }, { enabled: true })
      const { secret: leads } = await server.admin.leadSources.rotateSecret({
        workspace: workspace_id,
        source: 'website',
      })
      const { id } = await server.admin.devices.create(
        { workspace: workspace_id },
        { source_type: 'kiosk', device_name: 'Gate' },
      )
      const { secret: device } = await server.admin.devices.rotateSecret({ workspace: workspace_id, id })
      const rows = [
        await tables.rows('select * from api_tokens'),
        await tables.rows('select * from integrations'),
        await tables.rows('select * from lead_sources'),
        await tables.rows('select * from devices'),
      ]
      const text = JSON.stringify(rows)
      for (const secret of [token, errors, leads, device]) {
        expect(text).not.toContain(secret)
        expect(text).not.toContain(secret.slice('service_'.length, -6))
        expect(text).toContain(createHash('sha256').update(secret).digest('hex'))
      }
    })
  },
  onDisk,
)

onEveryTestStore('a token in use', (start) => {
  test('records its last use at most once a minute', async () => {
    const clock = manualClock()
    const server = await start({ clock })
    const { workspace, token } = await seedWorkspace(server)
    const path = `/api/v1/workspaces/${workspace.id}/tickets`
    const lastUse = async () => {
      await call(server, { path, token })
      await server.settled()
      return (await server.admin.tokens.list({ workspace: workspace.id })).data
        .toReversed()[0]
        ?.last_used_at?.slice(0, 19)
    }
    const uses = [await lastUse()]
    clock.advance(59_000_000)
    uses.push(await lastUse())
    clock.advance(2_000_000)
    uses.push(await lastUse())
    expect(uses).toEqual(['2026-11-20T18:51:53', '2026-11-20T18:51:53', '2026-11-20T18:52:54'])
  })
})
