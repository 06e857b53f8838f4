import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createServer } from '../../src/index.ts'
import { hashSecret } from '../../src/secrets.ts'
import { collectedLog } from '../collected-log.ts'
import { manualClock } from '../manual-clock.ts'
import { onEveryStore, placeOf } from '../on-every-store.ts'
import { onDisk, openTables, startWithTables } from '../tables.ts'
import { everyRow } from './every-row.ts'
import { encryptionKey, inboundOf, siteIn, startSite } from './inbound-site.ts'

onEveryStore('switching integrations on and off', (start) => {
  test('issues a secret the first time, shows it then and never again, and keeps it while it is off', async () => {
    const site = await startSite(start)
    const { integrations } = site.server.admin
    const name = { workspace_id: site.workspaceId, kind: 'errors' } as const
    const { secret = '' } = await integrations.enable(name)
    expect(secret).toMatch(/^whs_[\w-]{43}$/)
    const shown = { kind: 'errors', enabled: true, has_secret: true, updated_at: expect.any(String) }
    expect(await integrations.list(site.workspaceId)).toEqual([shown])
    expect(await integrations.enable(name)).toEqual(shown)
    expect(await integrations.disable(name)).toEqual({ ...shown, enabled: false })
    expect(await integrations.enable(name)).toEqual(shown)
    const { errors } = inboundOf(site, { secrets: { errors: secret } })
    expect((await errors.report({ message: 'm' })).received).toBe(true)
  })

  test('replaces a secret at once, and only that one', async () => {
    const site = await startSite(start)
    const workspace_id = site.workspaceId
    const { integrations } = site.server.admin
    const old = await integrations.regenerateSecret({ workspace_id, kind: 'errors' })
    const attendance = await integrations.regenerateSecret({ workspace_id, kind: 'attendance' })
    const fresh = await integrations.regenerateSecret({ workspace_id, kind: 'errors' })
    expect(new Set([old.secret, attendance.secret, fresh.secret]).size).toBe(3)
    const status = async (errors: string) =>
      (await inboundOf(site, { secrets: { errors } }).errors.report({ message: 'm' }).safe()).meta.status
    expect([await status(old.secret), await status(fresh.secret)]).toEqual([401, 200])
  })

  test('changes what is named of a Git provider and leaves the rest', async () => {
    const site = await startSite(start)
    const workspace_id = site.workspaceId
    const { setGit } = site.server.admin.integrations
    const issue = (number: number) => ({ action: 'opened', issue: { number, title: 'T' }, repository: { id: 1 } })
    const github = { workspace_id, provider: 'github' } as const
    expect(await setGit({ ...github, secret: 'the secret', create_tickets: true })).toMatchObject({ has_secret: true })
    expect(await setGit(github)).toMatchObject({ kind: 'github', enabled: true, has_secret: true })
    const signed = inboundOf(site, { secrets: { git: { github: 'the secret' } } }).git
    const unsigned = inboundOf(site).git
    expect(await signed.send('github', 'issues', issue(1))).toMatchObject({ ticket_created: true })
    expect((await unsigned.send('github', 'issues', issue(2)).safe()).meta.status).toBe(401)
    expect(await setGit({ ...github, secret: null, create_tickets: false })).toMatchObject({ has_secret: false })
    expect(await unsigned.send('github', 'issues', issue(3))).toMatchObject({ stored: 1, ticket_created: false })
  })

  test('refuses what it does not know, by field', async () => {
    const { server, workspaceId: workspace_id } = await startSite(start)
    const { integrations, leadSources, devices } = server.admin
    const invalid = { code: 'validation' }
    await expect(integrations.enable({ workspace_id, kind: 'smoke' as never })).rejects.toMatchObject(invalid)
    await expect(integrations.setGit({ workspace_id, provider: 'gitea' as never })).rejects.toMatchObject(invalid)
    await expect(integrations.setGit({ workspace_id, provider: 'github', secret: '' })).rejects.toMatchObject(invalid)
    await expect(integrations.enable({ workspace_id: 999, kind: 'errors' })).rejects.toMatchObject({
      code: 'not_found',
    })
    await expect(devices.issueSecret({ workspace_id, id: 999 })).rejects.toMatchObject({ code: 'not_found' })
    const source = { workspace_id, source: 'website' }
    await expect(leadSources.regenerateSecret(source)).rejects.toMatchObject({ code: 'not_found' })
    expect(await integrations.list(workspace_id)).toEqual([])
  })
})

onEveryStore(
  'secrets at rest',
  (_, store) => {
    test('are hashed where they are only compared and encrypted where they must be read again', async () => {
      const { server, tables } = await startWithTables(store, { rateLimit: 'off', encryptionKey })
      const site = await siteIn(server, manualClock())
      const workspace_id = site.workspaceId
      const { integrations, leadSources, devices } = server.admin
      const git = 'the secret of GitHub'
      await integrations.setGit({ workspace_id, provider: 'github', secret: git })
      const errors = await integrations.enable({ workspace_id, kind: 'errors' })
      for (const source of ['website', 'linkedin']) await leadSources.set({ workspace_id, source, active: true })
      const website = await leadSources.regenerateSecret({ workspace_id, source: 'website' })
      const linkedin = 'given by LinkedIn'
      await leadSources.setSecret({ workspace_id, source: 'linkedin', secret: linkedin })
      const { id } = await devices.register({ workspace_id, source_type: 'kiosk', device_name: 'K' })
      const device = await devices.issueSecret({ workspace_id, id })
      const written = JSON.stringify(await everyRow(tables, store))
      for (const secret of [errors.secret, website.secret, device.secret]) {
        expect(written).not.toContain(secret)
        expect(written).toContain(hashSecret(secret ?? ''))
      }
      for (const secret of [git, linkedin, encryptionKey]) {
        expect(written).not.toContain(secret)
        expect(written).not.toContain(Buffer.from(secret).toString('base64').replace(/=+$/, ''))
      }
      const sealed = await tables.rows("select secret_sealed, secret_hash from integrations where kind = 'github'")
      expect(sealed).toEqual([{ secret_sealed: expect.stringMatching(/^v1\.[0-9a-f]{16}\./), secret_hash: null }])
    })

    test('survive a restart, and a start with another key says so instead of trusting anybody', async () => {
      const { options, remove } = await placeOf(store)
      try {
        const common = { ...options, rateLimit: 'off', encryptionKey } as const
        const secrets = { git: { github: 'the secret' } }
        const first = await createServer(common)
        const { workspaceId } = await siteIn(first, manualClock())
        await first.admin.integrations.setGit({ workspace_id: workspaceId, provider: 'github', secret: 'the secret' })
        await first.close()
        const send = async (more: object) => {
          const log = collectedLog()
          const server = await createServer({ ...common, log, ...more })
          const { git } = inboundOf({ server, workspaceId, clock: manualClock() }, { secrets })
          const result = await git.send('github', 'push', {}).safe()
          await server.close()
          return [
            result.meta.status,
            ...log.lines.filter(({ level }) => level === 'error').map(({ fields }) => JSON.stringify(fields)),
          ]
        }
        expect(await send({})).toEqual([200])
        expect(await send({ encryptionKey: 'another key, of at least 32 characters' })).toEqual([
          500,
          expect.stringContaining(`The secret of integration:${workspaceId}:github was sealed with another key`),
        ])
        expect(await send({})).toEqual([200])
      } finally {
        await remove()
      }
    })

    test('cannot be moved from one place to another', async () => {
      const { server, tables } = await startWithTables(store, { rateLimit: 'off', encryptionKey, log: collectedLog() })
      const site = await siteIn(server, manualClock())
      const workspace_id = site.workspaceId
      await server.admin.integrations.setGit({ workspace_id, provider: 'github', secret: 'known to many' })
      await server.admin.integrations.setGit({ workspace_id, provider: 'bitbucket', secret: 'known to few' })
      const [github] = await tables.rows("select secret_sealed from integrations where kind = 'github'")
      await tables.rows(
        `update integrations set secret_sealed = '${github?.['secret_sealed']}' where kind = 'bitbucket'`,
      )
      const { git } = inboundOf(site, { secrets: { git: { bitbucket: 'known to many' } } })
      expect((await git.send('bitbucket', 'repo:push', {}).safe()).meta.status).toBe(500)
    })
  },
  onDisk,
)

onEveryStore(
  'the encryption key',
  (_, store) => {
    test('is made in the data directory for its owner only, where none is configured', async () => {
      const { options, remove } = await placeOf(store)
      try {
        const server = await createServer({ ...options, rateLimit: 'off' })
        const { workspaceId: workspace_id } = await siteIn(server, manualClock())
        await server.admin.integrations.setGit({ workspace_id, provider: 'github', secret: 'the secret' })
        await server.close()
        const file = join(options.data ?? '', 'encryption.key')
        expect((await stat(file)).mode & 0o777).toBe(0o600)
        const tables = await openTables(options)
        expect(JSON.stringify(await everyRow(tables, store))).not.toContain((await readFile(file, 'utf8')).trim())
        await tables.close()
        await writeFile(file, 'something else that is long enough to be a key')
        const reopened = await createServer({ ...options, rateLimit: 'off', log: collectedLog() })
        const { git } = inboundOf({ server: reopened, workspaceId: workspace_id, clock: manualClock() })
        expect((await git.send('github', 'push', {}).safe()).meta.status).toBe(500)
        await reopened.close()
      } finally {
        await remove()
      }
    })
  },
  ['sqlite'],
)

onEveryStore(
  'PostgreSQL without an encryption key',
  (start) => {
    test('refuses to keep a secret that must be read again, and says which setting is missing', async () => {
      const site = await startSite(start, { encryptionKey: undefined })
      const workspace_id = site.workspaceId
      const { integrations, leadSources } = site.server.admin
      const missing = {
        code: 'validation',
        errors: { secret: [expect.stringContaining('encryptionKey (SERVICE_ENCRYPTION_KEY)')] },
      }
      await expect(integrations.setGit({ workspace_id, provider: 'github', secret: 'x' })).rejects.toMatchObject(
        missing,
      )
      await leadSources.set({ workspace_id, source: 'linkedin', active: true })
      await expect(leadSources.regenerateSecret({ workspace_id, source: 'linkedin' })).rejects.toMatchObject(missing)
      expect(await integrations.setGit({ workspace_id, provider: 'github' })).toMatchObject({ has_secret: false })
      expect(await integrations.enable({ workspace_id, kind: 'errors' })).toMatchObject({ has_secret: true })
      expect((await inboundOf(site).git.send('github', 'push', {})).received).toBe(true)
    })
  },
  ['postgres'],
)
